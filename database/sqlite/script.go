package sqlite

import "strings"

// isScript reports whether text may hold more than one statement: whether anything but
// space, comments and semicolons follows a semicolon. Semicolons in strings, quoted names
// and comments do not count. It errs towards true, for text that SQLite would refuse and for
// CREATE TRIGGER with its inner statements.
func isScript(text string) bool {
	ended := false
	for i := 0; i < len(text); {
		n := skip(text[i:])
		switch c := text[i]; {
		case n > 0 && (c == '-' || c == '/'):
			// a comment
		case c == ';':
			ended, n = true, 1
		case strings.IndexByte(" \t\n\r\f", c) >= 0:
			n = 1
		case ended:
			return true
		case n == 0:
			n = 1
		}
		i += n
	}
	return false
}

// skip gives the length of the string, quoted name or comment that s begins with, or 0. One
// that is not closed goes on to the end of s.
func skip(s string) int {
	until := func(open int, end string) int {
		if i := strings.Index(s[open:], end); i >= 0 {
			return open + i + len(end)
		}
		return len(s)
	}
	switch {
	case s[0] == '\'' || s[0] == '"' || s[0] == '`':
		// A doubled quote inside reads as two strings side by side, which comes to the same.
		return until(1, s[:1])
	case s[0] == '[':
		return until(1, "]")
	case strings.HasPrefix(s, "--"):
		return until(2, "\n")
	case strings.HasPrefix(s, "/*"):
		return until(2, "*/")
	}
	return 0
}

// numbersAreOrdinals reports whether the parameter that SQLite numbers n is the argument with
// ordinal n. It is so for ?, for ?5, and for $1, $2 that first come in that order; names are
// another matter.
func numbersAreOrdinals(text string) bool {
	seen := 0
	for i := 0; i < len(text); {
		if n := skip(text[i:]); n > 0 {
			i += n
			continue
		}
		switch c := text[i]; c {
		case ':', '@':
			return false
		case '$':
			n := 0
			for i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9' && n < 1<<20 {
				i++
				n = 10*n + int(text[i]-'0')
			}
			if n < 1 || n > seen+1 || i+1 < len(text) && isNamePart(text[i+1]) {
				return false
			}
			seen = max(seen, n)
		case '?':
			if seen > 0 {
				return false // mixed
			}
		}
		i++
	}
	return true
}

// isNamePart reports whether c can go on a parameter's name.
func isNamePart(c byte) bool {
	return c == '_' || c == '$' || c == ':' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
