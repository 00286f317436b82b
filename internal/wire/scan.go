package wire

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// fault says why a scan stopped.
type fault uint8

const (
	faultNone fault = iota
	faultSyntax
	faultDepth
)

// scanner checks JSON and finds where values end, without decoding them. It is written by
// hand because one pass has to check the grammar, the UTF-8 and the depth, and must leave
// every value as the bytes that were sent.
type scanner struct {
	b        []byte
	i        int
	depth    int
	maxDepth int
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// eat consumes c if it is next.
func (s *scanner) eat(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// value consumes one value; s.i must be at its first byte.
func (s *scanner) value() fault {
	if s.i >= len(s.b) {
		return faultSyntax
	}
	switch c := s.b[s.i]; {
	case c == '"':
		return s.str()
	case c == '{' || c == '[':
		return s.composite(c)
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// composite consumes an object or an array. Its recursion is bounded by maxDepth.
func (s *scanner) composite(open byte) fault {
	s.depth++
	if s.depth > s.maxDepth {
		return faultDepth
	}
	s.i++
	closing := open + 2 // '{'+2 == '}' and '['+2 == ']'
	s.space()
	if s.eat(closing) {
		s.depth--
		return faultNone
	}
	for {
		if open == '{' {
			if f := s.str(); f != faultNone {
				return f
			}
			s.space()
			if !s.eat(':') {
				return faultSyntax
			}
			s.space()
		}
		if f := s.value(); f != faultNone {
			return f
		}
		s.space()
		if s.eat(closing) {
			s.depth--
			return faultNone
		}
		if !s.eat(',') {
			return faultSyntax
		}
		s.space()
	}
}

func (s *scanner) word(w string) fault {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return faultSyntax
	}
	s.i += len(w)
	return faultNone
}

// str consumes a string with its quotes.
func (s *scanner) str() fault {
	if !s.eat('"') {
		return faultSyntax
	}
	for s.i < len(s.b) {
		c := s.b[s.i]
		switch {
		case c == '"':
			s.i++
			return faultNone
		case c == '\\':
			if !s.escape() {
				return faultSyntax
			}
		case c < ' ':
			return faultSyntax
		case c < utf8.RuneSelf:
			s.i++
		default:
			r, n := utf8.DecodeRune(s.b[s.i:])
			if r == utf8.RuneError && n == 1 {
				return faultSyntax
			}
			s.i += n
		}
	}
	return faultSyntax
}

// escape consumes a backslash and what it escapes. Half a surrogate pair passes: it is
// within the grammar, clients do send it, and whoever decodes the string decides.
func (s *scanner) escape() bool {
	if s.i+1 >= len(s.b) {
		return false
	}
	switch s.b[s.i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i += 2
		return true
	case 'u':
		if s.i+6 > len(s.b) {
			return false
		}
		for _, c := range s.b[s.i+2 : s.i+6] {
			if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
				return false
			}
		}
		s.i += 6
		return true
	}
	return false
}

func (s *scanner) number() fault {
	s.eat('-')
	if !s.eat('0') && !s.digits() {
		return faultSyntax
	}
	if s.eat('.') && !s.digits() {
		return faultSyntax
	}
	if s.eat('e') || s.eat('E') {
		if !s.eat('+') {
			s.eat('-')
		}
		if !s.digits() {
			return faultSyntax
		}
	}
	return faultNone
}

// digits consumes digits and reports whether there was at least one.
func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && '0' <= s.b[s.i] && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > start
}

// skip moves past the value at s.i by matching quotes and brackets only. It is for values
// that were checked before, and for passing over one that was refused for its depth.
func (s *scanner) skip() {
	depth := 0
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			s.i++
			for s.i < len(s.b) && s.b[s.i] != '"' {
				if s.b[s.i] == '\\' {
					s.i++
				}
				s.i++
			}
			s.i++
		case '{', '[':
			depth++
			s.i++
			continue
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
			s.i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return
			}
			s.i++
			continue
		default: // a number or a word: up to the next delimiter
			for s.i < len(s.b) && !delimiter(s.b[s.i]) {
				s.i++
			}
		}
		if depth == 0 {
			s.i = min(s.i, len(s.b))
			return
		}
	}
	s.i = min(s.i, len(s.b))
}

func delimiter(c byte) bool {
	switch c {
	case ',', ':', '{', '}', '[', ']', '"', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// Members calls yield for each member of an object until it returns false. The object must
// have been checked before, as the parts of a [Message] are; nothing is checked again.
// The name is unescaped; name and value are valid after the call, as parts of object.
func Members(object jsontext.Value, yield func(name []byte, value jsontext.Value) bool) {
	s := scanner{b: object}
	s.space()
	if !s.eat('{') {
		return
	}
	for {
		s.space()
		if s.i >= len(s.b) || s.b[s.i] != '"' {
			return
		}
		start := s.i
		s.skip()
		name := unquoted(s.b[start:s.i])
		s.space()
		if !s.eat(':') {
			return
		}
		s.space()
		start = s.i
		s.skip()
		if s.i == start || !yield(name, s.b[start:s.i:s.i]) {
			return
		}
		s.space()
		if !s.eat(',') {
			return
		}
	}
}

// unquoted returns the text of a JSON string: a part of it when nothing is escaped.
func unquoted(quoted []byte) []byte {
	if len(quoted) < 2 {
		return nil
	}
	for _, c := range quoted[1 : len(quoted)-1] {
		if c == '\\' {
			// An error can only be half a surrogate pair, by now U+FFFD.
			text, _ := jsontext.AppendUnquote(nil, quoted)
			return text
		}
	}
	return quoted[1 : len(quoted)-1]
}

// Text returns the text of a JSON string that was checked before, and whether v is a
// string. Half a surrogate pair becomes U+FFFD.
func Text(v jsontext.Value) (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	return string(unquoted(v)), true
}

// Valid reports whether v is one JSON value, however deep within reason. Unlike the check
// of the JSON library it takes duplicate names, as a message does.
func Valid(v jsontext.Value) bool {
	s := scanner{b: v, maxDepth: 10_000}
	s.space()
	if s.value() != faultNone {
		return false
	}
	s.space()
	return s.i == len(v)
}
