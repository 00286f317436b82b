package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/highlight"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// maxDepth bounds how deep blocks are shown within each other; what is deeper is shown as text.
const maxDepth = 12

// renderer shows the nodes of one source.
type renderer struct {
	look   *look.Look
	source []byte
	depth  int
}

// blocks shows the blocks of a container, apart from each other when all are or when the source has them so.
func (r renderer) blocks(parent ast.Node, width int, first, rest cells.Line, apart bool) []cells.Line {
	var lines []cells.Line
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if len(lines) > 0 {
			if apart || n.HasBlankPreviousLines() {
				lines = append(lines, trimRight(rest))
			}
			first = rest
		}
		lines = append(lines, r.block(n, width, first, rest)...)
	}
	if len(lines) == 0 && first != nil {
		lines = append(lines, first)
	}
	return lines
}

// block shows a block. Its first line begins with first, the others with rest.
func (r renderer) block(n ast.Node, width int, first, rest cells.Line) []cells.Line {
	if r.depth++; r.depth > maxDepth {
		return cells.Wrap(r.raw(n), width, first, rest)
	}
	switch n := n.(type) {
	case *ast.Heading:
		style := r.look.Heading
		if n.Level > 2 {
			style = r.look.Bold
		}
		return cells.Wrap(r.inline(n, style), width, first, rest)
	case *ast.FencedCodeBlock:
		return r.fenced(n, first, rest)
	case *ast.CodeBlock:
		return prefixed(r.rawLines(n), cells.Join(first, indent(4)), cells.Join(rest, indent(4)))
	case *ast.HTMLBlock:
		lines := r.rawLines(n)
		if n.HasClosure() {
			lines = append(lines, cells.Line{{Text: strings.TrimRight(string(n.ClosureLine.Value(r.source)), "\n")}})
		}
		return prefixed(lines, first, rest)
	case *ast.Blockquote:
		bar := r.look.Dim.Text("│ ")
		return r.blocks(n, width, cells.Join(first, bar), cells.Join(rest, bar), false)
	case *ast.List:
		return r.list(n, width, first, rest)
	case *ast.ThematicBreak:
		return prefixed([]cells.Line{r.look.Dim.Text(strings.Repeat("─", min(max(width-rest.Width(), 1), 40)))}, first, rest)
	case *east.Table:
		return r.table(n, width, first, rest)
	case *ast.LinkReferenceDefinition:
		return cells.Wrap(r.raw(n), width, first, rest)
	}
	return cells.Wrap(r.inline(n, ""), width, first, rest)
}

// list shows a list with its items.
func (r renderer) list(list *ast.List, width int, first, rest cells.Line) []cells.Line {
	var lines []cells.Line
	number := list.Start
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		if len(lines) > 0 {
			if n.HasBlankPreviousLines() {
				lines = append(lines, trimRight(rest))
			}
			first = rest
		}
		lines = append(lines, r.item(n, list, number, width, first, rest)...)
		number++
	}
	return lines
}

// item shows an item of a list.
func (r renderer) item(n ast.Node, list *ast.List, number, width int, first, rest cells.Line) []cells.Line {
	mark := "• "
	if list.IsOrdered() {
		mark = itoa(number) + string(list.Marker) + " "
	}
	if task(n) {
		mark = ""
	}
	hang := indent(len([]rune(mark)))
	if mark == "" {
		hang = indent(4)
	}
	return r.blocks(n, width, cells.Join(first, r.look.Dim.Text(mark)), cells.Join(rest, hang), false)
}

// task reports whether an item begins with a check box, which is mark enough.
func task(item ast.Node) bool {
	n := item.FirstChild()
	return n != nil && n.FirstChild() != nil && n.FirstChild().Kind() == east.KindTaskCheckBox
}

// fenced shows a block of code within another block.
func (r renderer) fenced(n *ast.FencedCodeBlock, first, rest cells.Line) []cells.Line {
	info := ""
	if n.Info != nil {
		info = string(n.Info.Value(r.source))
	}
	lines := []cells.Line{r.look.Dim.Text("```" + info)}
	code := highlight.New(string(n.Language(r.source)), r.look)
	for _, line := range r.rawLines(n) {
		lines = append(lines, code.Line(line.Plain()))
	}
	return prefixed(append(lines, r.look.Dim.Text("```")), first, rest)
}

// rawLines returns the source lines of a block.
func (r renderer) rawLines(n ast.Node) []cells.Line {
	var lines []cells.Line
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		lines = append(lines, cells.Line{{Text: cells.Expand(strings.TrimRight(string(segment.Value(r.source)), "\n"))}})
	}
	return lines
}

// raw returns the source of a block as text.
func (r renderer) raw(n ast.Node) cells.Line {
	from := lineStart(r.source, n.Pos())
	to := len(r.source)
	if next := n.NextSibling(); next != nil && next.Pos() > from {
		to = lineStart(r.source, next.Pos())
	}
	return cells.Line{{Text: string(bytes.TrimSpace(r.source[from:max(to, from)]))}}
}

func prefixed(lines []cells.Line, first, rest cells.Line) []cells.Line {
	out := make([]cells.Line, len(lines))
	for i, l := range lines {
		out[i] = cells.Join(first, l)
		first = rest
	}
	return out
}

func indent(n int) cells.Line { return cells.Line{{Text: strings.Repeat(" ", n)}} }

func trimRight(l cells.Line) cells.Line {
	out := append(cells.Line(nil), l...)
	for n := len(out); n > 0; n-- {
		if out[n-1].Text = strings.TrimRight(out[n-1].Text, " "); out[n-1].Text != "" {
			return out[:n]
		}
	}
	return nil
}
