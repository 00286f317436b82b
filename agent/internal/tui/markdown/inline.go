package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// inline returns the text of a block, or of a piece of one.
func (r renderer) inline(parent ast.Node, style cells.Style) cells.Line {
	if r.depth++; r.depth > 4*maxDepth {
		return nil
	}
	var out cells.Line
	put := func(text string, style cells.Style) { out = append(out, cells.Span{Text: text, Style: style}) }
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			put(r.text(n), style)
			switch {
			case n.HardLineBreak():
				put("\n", "")
			case n.SoftLineBreak():
				put(" ", style)
			}
		case *ast.String:
			put(string(n.Value), style)
		case *ast.CodeSpan:
			put(r.code(n), style.With(r.look.Code))
		case *ast.Emphasis:
			looks := r.look.Italic
			if n.Level > 1 {
				looks = r.look.Bold
			}
			out = append(out, r.inline(n, style.With(looks))...)
		case *east.Strikethrough:
			out = append(out, r.inline(n, style.With(r.look.Strike))...)
		case *ast.Link:
			label := r.inline(n, style.With(r.look.Link))
			out = append(out, label...)
			put(target(label.Plain(), n.Destination), style.With(r.look.Dim))
		case *ast.AutoLink:
			put(string(n.URL(r.source)), style.With(r.look.Link))
		case *ast.Image:
			label := r.inline(n, style)
			out = append(out, cells.Join(cells.Line{{Text: "[image: ", Style: style}}, label, cells.Line{{Text: "]", Style: style}})...)
			put(target(label.Plain(), n.Destination), style.With(r.look.Dim))
		case *ast.RawHTML:
			put(r.html(n), style)
		case *east.TaskCheckBox:
			if n.IsChecked {
				put("[x] ", r.look.Good)
			} else {
				put("[ ] ", style)
			}
		default:
			out = append(out, r.inline(n, style)...)
		}
	}
	return out
}

// text returns a text with its escapes resolved. An entity may name any character, so the outcome is cleaned.
func (r renderer) text(n *ast.Text) string {
	raw := n.Segment.Value(r.source)
	if n.IsRaw() || !strings.ContainsAny(string(raw), `\&`) {
		return string(raw)
	}
	return result.Clean(string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(raw)))))
}

// code returns the text of a piece of code within a line.
func (r renderer) code(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.Write(t.Segment.Value(r.source))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// html returns a tag as it was written, and a line break for the one that is one.
func (r renderer) html(n *ast.RawHTML) string {
	var b strings.Builder
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		b.Write(segment.Value(r.source))
	}
	if tag := strings.ToLower(b.String()); tag == "<br>" || tag == "<br/>" || tag == "<br />" {
		return "\n"
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// target shows where a link leads, unless its text does.
func target(label string, destination []byte) string {
	url := result.Clean(string(destination))
	if url == label || strings.TrimPrefix(url, "mailto:") == label {
		return ""
	}
	return " (" + url + ")"
}
