package tools

import (
	"bytes"
	"regexp/syntax"
	"strings"
)

// literal is a text without which a regular expression cannot match. Most files do not have it, and to see that is much
// faster than to try the expression.
type literal struct {
	text []byte // lower case with fold; empty: nothing is known
	fold bool   // letter case does not count
	rare int    // the place in text of a byte that is rare
}

// requiredLiteral returns the longest literal that every match of a pattern contains.
func requiredLiteral(pattern string) literal {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return literal{}
	}
	l := required(re.Simplify())
	l.rare = rarest(l.text)
	return l
}

func required(re *syntax.Regexp) literal {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return literal{text: foldable(re.Rune), fold: true}
		}
		return literal{text: []byte(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best literal
		for _, sub := range re.Sub {
			if l := required(sub); len(l.text) > len(best.text) {
				best = l
			}
		}
		return best
	}
	return literal{}
}

// foldable returns the longest part that has only ASCII characters, and none that another character is a form of: k and s have
// such forms outside of ASCII.
func foldable(runes []rune) []byte {
	text := strings.ToLower(string(runes))
	var best string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r >= 0x80 || r == 'k' || r == 's' }) {
		if len(part) > len(best) {
			best = part
		}
	}
	return []byte(best)
}

// rarest returns the place of a byte that seldom stands in text.
func rarest(text []byte) int {
	const frequent = " etaoinsrhldcumfpgwybv,.()_\t=\"k"
	best, rank := 0, -1
	for i, b := range bytes.ToLower(text) {
		r := strings.IndexByte(frequent, b)
		if r < 0 {
			return i
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// in reports whether the literal stands in data, or nothing is known of it.
func (l literal) in(data []byte) bool {
	switch {
	case len(l.text) == 0:
		return true
	case !l.fold:
		return bytes.Contains(data, l.text)
	}
	lower := l.text[l.rare]
	upper := lower
	if 'a' <= lower && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	return l.around(data, lower) || upper != lower && l.around(data, upper)
}

// around looks for the literal where its rare byte is b.
func (l literal) around(data []byte, b byte) bool {
	for at := l.rare; at < len(data); at++ {
		i := bytes.IndexByte(data[at:], b)
		if i < 0 {
			return false
		}
		at += i
		if start := at - l.rare; start+len(l.text) <= len(data) && bytes.EqualFold(data[start:start+len(l.text)], l.text) {
			return true
		}
	}
	return false
}
