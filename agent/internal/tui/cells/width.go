package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// tab is how many cells a tab takes.
const tab = 4

// Width returns the cells that a text takes at most.
func Width(text string) int {
	if ascii(text) {
		return len(text)
	}
	n := 0
	for text != "" {
		_, width, size := next(text)
		n += width
		text = text[size:]
	}
	return n
}

// ascii reports whether each byte takes a cell.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// First returns what a reader takes for the first character of a text, and the cells that it takes.
func First(text string) (cluster string, width int) {
	cluster, width, _ = next(text)
	return cluster, width
}

// next returns the first cluster of a text, its cells and its size in bytes.
func next(text string) (cluster string, width, size int) {
	if text == "" {
		return "", 0, 0
	}
	switch b := text[0]; {
	case b == '\t': // Nothing joins it.
		return text[:1], tab, 1
	case b >= ' ' && b < 0x7f && (len(text) == 1 || text[1] < utf8.RuneSelf):
		return text[:1], 1, 1
	}
	graphemes := displaywidth.StringGraphemes(text)
	if !graphemes.Next() {
		return text, 0, len(text)
	}
	cluster, width = graphemes.Value(), graphemes.Width()
	byRune := 0
	for _, r := range cluster {
		byRune += displaywidth.Rune(r)
	}
	return cluster, max(width, byRune), len(cluster)
}

// Cut shortens a line to a width, with an ellipsis in place of what is left out.
func Cut(l Line, width int) Line {
	if l.Width() <= width {
		return l
	}
	if width <= 0 {
		return nil
	}
	var out Line
	left := width - 1
	for _, s := range l {
		end := 0
		for end < len(s.Text) {
			_, w, size := next(s.Text[end:])
			if w > left {
				return append(out, Span{s.Text[:end] + "…", s.Style})
			}
			left -= w
			end += size
		}
		out = append(out, s)
	}
	return out
}

// CutLeft shortens a text to a width from its beginning.
func CutLeft(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	for text != "" && Width(text) > width-1 {
		_, _, size := next(text)
		text = text[size:]
	}
	return "…" + text
}

// Expand replaces tabs by the spaces that lead to the next stop.
func Expand(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	column := 0
	for text != "" {
		cluster, width, size := next(text)
		text = text[size:]
		switch cluster {
		case "\t":
			n := tab - column%tab
			b.WriteString(strings.Repeat(" ", n))
			column += n
		case "\n":
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteString(cluster)
			column += width
		}
	}
	return b.String()
}
