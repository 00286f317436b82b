package webpage

import (
	"strings"
	"unicode"
)

// maxPrefixes bounds how deep lists and quotes are shown.
const maxPrefixes = 12

// prefix is what stands before the lines of a list's item, a quote or a heading.
type prefix struct {
	first, rest string
	used        bool // first has been written
}

// writer puts words into lines.
type writer struct {
	out      strings.Builder
	prefixes []prefix
	gap      int    // line breaks that are owed before the next word
	space    bool   // a space is
	line     bool   // something stands on the line
	cell     *table // the one whose cell is written, in one line
}

// table is one that is being written. A layout table is none in truth: its cells are blocks.
type table struct {
	layout, inCell bool
	rows           int
	cells, owed    int // of the row: those written, and those begun since
}

// pause owes n line breaks; in a cell, a space.
func (w *writer) pause(n int) {
	if w.cell != nil {
		w.space = true
		return
	}
	w.gap = max(w.gap, n)
}

// push adds a prefix and reports whether it did.
func (w *writer) push(first, rest string) bool {
	if w.cell != nil || len(w.prefixes) >= maxPrefixes {
		return false
	}
	w.prefixes = append(w.prefixes, prefix{first: first, rest: rest})
	return true
}

func (w *writer) pop() { w.prefixes = w.prefixes[:len(w.prefixes)-1] }

// text writes words. All blanks in a row are one.
func (w *writer) text(s string) {
	for s != "" {
		end := strings.IndexFunc(s, unicode.IsSpace)
		switch {
		case end < 0:
			w.word(s)
			return
		case end > 0:
			w.word(s[:end])
		}
		w.space = true
		s = strings.TrimLeftFunc(s[end:], unicode.IsSpace)
	}
}

// word writes what must not be divided.
func (w *writer) word(s string) {
	if w.cell != nil && w.cell.owed > 0 {
		w.bars(w.cell)
	}
	w.begin()
	if w.space && w.line {
		w.out.WriteByte(' ')
	}
	w.out.WriteString(s)
	w.space, w.line = false, true
}

// begin begins a line if one is owed, with what stands before it.
func (w *writer) begin() {
	if w.gap > 0 && w.out.Len() > 0 {
		w.out.WriteByte('\n')
		if w.gap > 1 {
			w.out.WriteString(strings.TrimRight(w.quotes(), " ") + "\n")
		}
		w.line = false
	}
	w.gap = 0
	if w.line {
		return
	}
	w.space = false
	for i := range w.prefixes {
		p := &w.prefixes[i]
		if p.used {
			w.out.WriteString(p.rest)
			continue
		}
		w.out.WriteString(p.first)
		p.used = true
	}
}

// quotes is what stands on an empty line: the marks of the quotes that go on.
func (w *writer) quotes() string {
	var b strings.Builder
	for _, p := range w.prefixes {
		if !p.used {
			break
		}
		b.WriteString(p.rest)
	}
	return b.String()
}

// lines writes lines as they are, each after what stands before it.
func (w *writer) lines(text string) {
	w.pause(2)
	for line := range strings.SplitSeq(text, "\n") {
		w.begin()
		w.out.WriteString(line)
		w.line, w.gap = true, 1
	}
	w.gap = 2
}

// bars writes the bars of the cells that were begun.
func (w *writer) bars(t *table) {
	if t.cells == 0 {
		w.gap, w.space = max(w.gap, 1), false
	}
	w.begin()
	for range t.owed {
		if w.line && t.cells > 0 {
			w.out.WriteByte(' ')
		}
		w.out.WriteByte('|')
		w.line = true
		t.cells++
	}
	t.owed, w.space = 0, true
}

// endRow ends a row. After the first one comes the line that Markdown wants there.
func (w *writer) endRow(t *table) {
	t.inCell, w.cell = false, nil
	if t.cells > 0 && !t.layout {
		w.bars(t)
		w.out.WriteString(" |")
		if t.rows == 0 && t.cells > 1 {
			w.gap = 1
			w.begin()
			w.out.WriteString("|" + strings.Repeat(" --- |", t.cells))
			w.line = true
		}
		t.rows++
		w.gap = 1
	}
	t.cells, t.owed = 0, 0
}
