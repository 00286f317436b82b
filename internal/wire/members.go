package wire

import "github.com/go-json-experiment/json/jsontext"

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
