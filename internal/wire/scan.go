package wire

import "unicode/utf8"

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
