package tools

import (
	"fmt"
	"strings"
)

// report writes what a search found, and says whether there is more than the limit.
func (t grepTool) report(f *findings, a grepArgs) (text string, lines int, more bool) {
	var b strings.Builder
	left := a.limit
	for _, file := range f.files {
		if left == 0 {
			return strings.TrimSuffix(b.String(), "\n"), lines, true
		}
		name := t.show(file.path)
		switch a.Mode {
		case modeFiles:
			fmt.Fprintln(&b, name)
			left--
			lines++
		case modeCount:
			fmt.Fprintf(&b, "%s: %d\n", name, file.lines)
			left--
			lines++
		default:
			n, cut := writeHits(&b, name, file.hits, left)
			lines += n
			left -= n
			if cut || file.more {
				return strings.TrimSuffix(b.String(), "\n"), lines, true
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), lines, false
}

// writeHits writes the lines of one file, of which limit may match, and returns how many do. Lines that match have a colon
// after their number, others a minus; a gap between lines shows as --.
func writeHits(b *strings.Builder, name string, hits []hit, limit int) (n int, cut bool) {
	fmt.Fprintln(b, name)
	last := 0
	for i, h := range hits {
		if !h.beside {
			if n == limit {
				return n, true
			}
			n++
		}
		if i > 0 && h.number != last+1 && (h.beside || hits[i-1].beside) {
			b.WriteString("--\n")
		}
		mark := ":"
		if h.beside {
			mark = "-"
		}
		fmt.Fprintf(b, "%d%s %s\n", h.number, mark, strings.ReplaceAll(h.text, "\n", " "))
		last = h.number
	}
	return n, false
}
