package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// maxOpen bounds the text of a block that is not finished: a longer one is divided.
const maxOpen = 16 << 10

// Stream turns Markdown into lines while it arrives.
type Stream struct {
	look   *look.Look
	width  int
	parser parser.Parser

	partial strings.Builder // the line that is being written, as it came
	source  string          // whole lines that are clean and not finished
	code    *fence          // the block of code that is open, nil when none is
	gap     bool            // a blank line comes before the next finished line
	done    []cells.Line

	tail      []cells.Line // of what is not finished
	tailKnown bool
}

// New returns a stream of lines of a width.
func New(l *look.Look, width int) *Stream {
	p := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()
	return &Stream{look: l, width: max(width, 1), parser: p}
}

// Render returns the lines of a whole text.
func Render(l *look.Look, width int, text string) []cells.Line {
	s := New(l, width)
	s.Write(text)
	s.Close()
	return s.Take()
}

// Resize changes the width of the lines to come.
func (s *Stream) Resize(width int) {
	s.width, s.tailKnown = max(width, 1), false
}

// Write adds text.
func (s *Stream) Write(text string) {
	s.tailKnown = false
	fresh := false
	for {
		line, rest, found := strings.Cut(text, "\n")
		s.partial.WriteString(line)
		if !found {
			break
		}
		text = rest
		s.line(result.Clean(strings.TrimSuffix(s.partial.String(), "\r")))
		s.partial.Reset()
		fresh = true
	}
	if s.partial.Len() > maxOpen {
		s.line(result.Clean(s.partial.String()))
		s.partial.Reset()
		fresh = true
	}
	if fresh {
		s.advance()
	}
}

// line takes a whole line.
func (s *Stream) line(line string) {
	for part := range strings.SplitSeq(line, "\n") { // A lone carriage return has become a line break.
		if s.code == nil {
			s.source += part + "\n"
			if len(s.source) > maxOpen || s.fenceBegins(part) {
				s.advance()
			}
			continue
		}
		var lines []cells.Line
		if lines, s.code = s.code.line(part); s.code == nil {
			s.gap = true
		}
		s.done = append(s.done, lines...)
	}
}

// fenceBegins reports whether a line may begin a block of code, whose lines then go another way.
func (s *Stream) fenceBegins(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// Close ends the text: everything is finished.
func (s *Stream) Close() {
	if s.partial.Len() > 0 {
		s.line(result.Clean(s.partial.String()))
		s.partial.Reset()
	}
	s.advance()
	if s.code != nil {
		s.done, s.code, s.gap = append(s.done, s.code.end()...), nil, true
	}
	s.emit(s.render(s.source), true)
	s.source, s.tailKnown = "", false
}

// Take returns the lines that were finished since the last call.
func (s *Stream) Take() []cells.Line {
	done := s.done
	s.done = nil
	return done
}

// Tail returns the lines that may still change.
func (s *Stream) Tail() []cells.Line {
	if s.tailKnown {
		return s.tail
	}
	s.tailKnown = true
	partial := result.Clean(s.partial.String())
	if s.code != nil {
		s.tail = nil
		if partial != "" {
			s.tail = []cells.Line{s.code.peek(partial)}
		}
		return s.tail
	}
	if strings.Trim(partial, " -=") == "" {
		partial = "" // Too early to say whether it underlines a heading or begins an item.
	}
	s.tail = s.render(s.source + partial)
	if s.gap && len(s.tail) > 0 {
		s.tail = append([]cells.Line{nil}, s.tail...)
	}
	return s.tail
}

// emit finishes lines. Gap says whether a blank line divides them from what follows.
func (s *Stream) emit(lines []cells.Line, gap bool) {
	if len(lines) == 0 {
		return
	}
	if s.gap {
		s.done = append(s.done, nil)
	}
	s.done, s.gap = append(s.done, lines...), gap
}

// advance finishes what cannot change any more: all blocks but the last, all items of a list but the last, and the lines
// of a block of code.
func (s *Stream) advance() {
	for s.code == nil && strings.TrimSpace(s.source) != "" {
		source := []byte(s.source)
		doc := s.parser.Parse(text.NewReader(source))
		last := doc.LastChild()
		if last == nil {
			return
		}
		r := renderer{look: s.look, source: source}
		for n := doc.FirstChild(); n != last; n = n.NextSibling() {
			s.emit(r.block(n, s.width, nil, nil), true)
		}
		begin := lineStart(source, last.Pos())
		s.source = s.source[begin:]
		switch {
		case last.Kind() == ast.KindFencedCodeBlock:
			s.open()
		case last.Kind() == ast.KindList && last.ChildCount() > 1:
			s.items(r, last.(*ast.List), begin)
			return
		case len(s.source) > maxOpen || complete(last, s.source):
			s.emit(s.render(s.source), true)
			s.source = ""
		default:
			return
		}
	}
}

// complete reports whether the last block of a source cannot go on.
func complete(n ast.Node, source string) bool {
	switch n.Kind() {
	case ast.KindHeading, ast.KindThematicBreak:
		return true
	case ast.KindParagraph, east.KindTable:
		return strings.HasSuffix(strings.TrimRight(source, " "), "\n\n")
	}
	return false
}

// items finishes all items of a list but the last. The source begins at offset.
func (s *Stream) items(r renderer, list *ast.List, offset int) {
	last := list.LastChild()
	number := list.Start
	for n := list.FirstChild(); n != last; n = n.NextSibling() {
		s.emit(r.item(n, list, number, s.width, nil, nil), n.NextSibling().HasBlankPreviousLines())
		number++
	}
	s.source = s.source[lineStart(r.source, last.Pos())-offset:]
	if list.IsOrdered() { // The last item may say any number and still be the next.
		s.source = renumber(s.source, number)
	}
}

// open begins a block of code, which the source begins with.
func (s *Stream) open() {
	lines := strings.SplitAfter(s.source, "\n")
	s.source = ""
	if s.gap {
		s.done, s.gap = append(s.done, nil), false
	}
	var begin []cells.Line
	s.code, begin = newFence(strings.TrimSuffix(lines[0], "\n"), s.look)
	s.done = append(s.done, begin...)
	for i, line := range lines[1:] {
		if s.code == nil {
			s.source += strings.Join(lines[1+i:], "")
			return
		}
		if line == "" {
			continue
		}
		var done []cells.Line
		if done, s.code = s.code.line(strings.TrimSuffix(line, "\n")); s.code == nil {
			s.gap = true
		}
		s.done = append(s.done, done...)
	}
}

// render returns the lines of a source by itself.
func (s *Stream) render(source string) []cells.Line {
	if strings.TrimSpace(source) == "" {
		return nil
	}
	r := renderer{look: s.look, source: []byte(source)}
	return r.blocks(s.parser.Parse(text.NewReader(r.source)), s.width, nil, nil, true)
}

// lineStart returns where the line of a position begins.
func lineStart(source []byte, at int) int {
	at = min(max(at, 0), len(source))
	for at > 0 && source[at-1] != '\n' {
		at--
	}
	return at
}

// renumber replaces the number that a list item begins with.
func renumber(item string, number int) string {
	digits := strings.TrimLeft(item, " ")
	indent := item[:len(item)-len(digits)]
	rest := strings.TrimLeft(digits, "0123456789")
	return indent + itoa(number) + rest
}
