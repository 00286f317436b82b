package edits

import (
	"sort"
	"strings"
)

// document is a text with what is needed to find quotes in it.
type document struct {
	text   string
	starts []int  // where each line begins
	ending string // the line end that most lines have

	// unit rewrites the indentation of new lines, once a quote has shown that the edits are indented with spaces for tabs or
	// the other way.
	unit reindent

	views map[tolerance]view // made when they are needed
	bare  map[bool][]string  // the lines without the white space around them; with true, in a keyboard's characters
}

func newDocument(text string) *document {
	d := &document{text: text, starts: []int{0}, ending: "\n", views: map[tolerance]view{}, bare: map[bool][]string{}}
	for i := range len(text) {
		if text[i] == '\n' {
			d.starts = append(d.starts, i+1)
		}
	}
	if crlf := strings.Count(text, "\r\n"); crlf > 0 && 2*crlf >= len(d.starts)-1 {
		d.ending = "\r\n"
	}
	if n := len(d.starts); n > 1 && d.starts[n-1] == len(text) {
		d.starts = d.starts[:n-1] // A final line break ends the last line and begins none.
	}
	return d
}

// view returns the text as t sees it.
func (d *document) view(t tolerance) view {
	v, ok := d.views[t]
	if !ok {
		v = viewOf(d.text, t)
		d.views[t] = v
	}
	return v
}

// bareLines returns the lines without the white space around them.
func (d *document) bareLines(fold bool) []string {
	lines, ok := d.bare[fold]
	if !ok {
		lines = make([]string, len(d.starts))
		for n := range lines {
			lines[n] = bareLine(d.line(n), fold)
		}
		d.bare[fold] = lines
	}
	return lines
}

func bareLine(line string, fold bool) string {
	if fold {
		line = viewOf(line, tolerance{fold: true}).text
	}
	return strings.Trim(line, " \t")
}

// lineAt returns the number of the line, from 1, that the byte at i is in.
func (d *document) lineAt(i int) int {
	return max(1, sort.Search(len(d.starts), func(k int) bool { return d.starts[k] > i }))
}

// line returns the line of that number, from 0, without its end.
func (d *document) line(n int) string {
	return strings.TrimSuffix(strings.TrimSuffix(d.text[d.starts[n]:d.next(n)], "\n"), "\r")
}

// next returns where the line after n begins.
func (d *document) next(n int) int {
	if n+1 < len(d.starts) {
		return d.starts[n+1]
	}
	return len(d.text)
}

// endingAt returns the line end of the line that start is in, that of most lines when it has none.
func (d *document) endingAt(start int) string {
	switch i := strings.IndexByte(d.text[start:], '\n'); {
	case i < 0:
		return d.ending
	case i > 0 && d.text[start+i-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// unix returns text with \n as its only line end.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
