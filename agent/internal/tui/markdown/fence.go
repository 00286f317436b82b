package markdown

import (
	"strconv"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/highlight"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// fence is a block of code between fences that is open.
type fence struct {
	look   *look.Look
	code   *highlight.Code
	mark   byte // of the fence
	length int
	indent int
}

// newFence opens a block with its first line.
func newFence(line string, l *look.Look) (*fence, []cells.Line) {
	text := strings.TrimLeft(line, " ")
	f := &fence{look: l, indent: len(line) - len(text)}
	if text != "" {
		f.mark = text[0]
		f.length = len(text) - len(strings.TrimLeft(text, string(text[0])))
	}
	info := strings.TrimSpace(text[f.length:])
	name, _, _ := strings.Cut(info, " ")
	f.code = highlight.New(strings.Trim(name, "{}."), l)
	return f, []cells.Line{l.Dim.Text(text)}
}

// line takes the next line; the fence is nil after that which closes it.
func (f *fence) line(line string) ([]cells.Line, *fence) {
	text := strings.TrimRight(strings.TrimLeft(line, " "), " \t")
	if len(text) >= f.length && text != "" && strings.Trim(text, string(f.mark)) == "" && len(line)-len(strings.TrimLeft(line, " ")) < 4 {
		return f.end(), nil
	}
	return []cells.Line{f.code.Line(cells.Expand(f.cutIndent(line)))}, f
}

// peek shows a line that is not whole.
func (f *fence) peek(line string) cells.Line {
	return cells.Line{{Text: cells.Expand(f.cutIndent(line))}}
}

func (f *fence) end() []cells.Line {
	return []cells.Line{f.look.Dim.Text(strings.Repeat(string(f.mark), f.length))}
}

// cutIndent takes off the spaces that the fence had too.
func (f *fence) cutIndent(line string) string {
	n := 0
	for n < f.indent && n < len(line) && line[n] == ' ' {
		n++
	}
	return line[n:]
}

func itoa(n int) string { return strconv.Itoa(n) }
