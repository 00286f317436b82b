package highlight

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// Code colours the lines of one text, one after the other.
type Code struct {
	language
	look  *look.Look
	known bool
	until string      // a comment or string of several lines ends with this
	style cells.Style // what such a one looks like
}

// New returns what colours code of a language, named as after a fence.
func New(name string, l *look.Look) *Code {
	lang, known := find(name)
	return &Code{language: lang, look: l, known: known}
}

// File returns what colours a file, by its name.
func File(name string, l *look.Look) *Code {
	base := path.Base(name)
	if ext := strings.TrimPrefix(path.Ext(base), "."); ext != "" {
		base = ext
	}
	return New(base, l)
}

// Line colours the next line.
func (c *Code) Line(text string) cells.Line {
	if !c.known || text == "" {
		return cells.Line{{Text: text}}
	}
	var out cells.Line
	plain := 0 // where text without a style began
	emit := func(from, to int, style cells.Style) {
		if from > plain {
			out = append(out, cells.Span{Text: text[plain:from]})
		}
		if to > from {
			out = append(out, cells.Span{Text: text[from:to], Style: style})
		}
		plain = to
	}
	for i := 0; i < len(text); {
		if size, style := c.token(text, i); style != "" {
			emit(i, i+size, style)
			i += size
		} else {
			i += max(size, 1)
		}
	}
	emit(len(text), len(text), "")
	return out
}

// token returns the size and look of what begins at i.
func (c *Code) token(text string, i int) (int, cells.Style) {
	rest := text[i:]
	if c.until != "" {
		end := strings.Index(rest, c.until)
		if end < 0 {
			return len(rest), c.style
		}
		end += len(c.until)
		c.until = ""
		return end, c.style
	}
	for _, begin := range c.comment {
		if strings.HasPrefix(rest, begin) && (begin != "#" && begin != ";" || i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
			return len(rest), c.look.Comment
		}
	}
	if begin := c.block[0]; begin != "" && strings.HasPrefix(rest, begin) {
		c.until, c.style = c.block[1], c.look.Comment
		return len(begin), c.look.Comment
	}
	for _, quote := range c.long {
		if strings.HasPrefix(rest, quote) {
			c.until, c.style = quote, c.look.String
			return len(quote), c.look.String
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.ContainsRune(c.quotes, r):
		return quoted(rest), c.look.String
	case '0' <= r && r <= '9':
		return word(rest), c.look.Number
	case letter(r):
		n := word(rest)
		return n, c.word(text, i, n)
	}
	return size, ""
}

// word returns the look of the word text[i:i+n].
func (c *Code) word(text string, i, n int) cells.Style {
	switch {
	case strings.Contains(c.keywords, " "+text[i:i+n]+" "):
		return c.look.Keyword
	case c.plainTag && i > 0 && (text[i-1] == '<' || text[i-1] == '/'):
		return c.look.Keyword
	case i+n < len(text) && text[i+n] == '(':
		return c.look.Name
	}
	return ""
}

// quoted returns the size of a string that ends with its line at the latest.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// word returns the size of the word that s begins with.
func word(s string) int {
	for i, r := range s {
		if !letter(r) && !unicode.IsDigit(r) && r != '.' || r == '.' && letter(rune(s[0])) {
			return i
		}
	}
	return len(s)
}
