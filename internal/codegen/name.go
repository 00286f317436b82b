package codegen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mixedWords are words whose capitals would otherwise split them in two.
var mixedWords = [...]string{"OAuth", "GraphQL", "IPv4", "IPv6"}

// CommandName is the name of a command whose directive gives none: the package and the function in snake
// case, without the package for a program's own functions.
func CommandName(pkg, function string) string {
	if pkg == "main" {
		return snake(function)
	}
	return pkg + "_" + snake(function)
}

// snake turns a Go identifier into snake case. A run of capitals is one word (ExportCSV is
// export_csv, HTTPServer is http_server), also with a plural s (ListIDs is list_ids), and digits
// belong to the word before them (Top10Customers is top10_customers).
func snake(identifier string) string {
	var words []string
	for rest := identifier; rest != ""; {
		if rest[0] == '_' {
			rest = rest[1:]
			continue
		}
		n := wordLength(rest)
		words = append(words, strings.ToLower(rest[:n]))
		rest = rest[n:]
	}
	return strings.Join(words, "_")
}

// wordLength gives the length in bytes of the word that s, which is not empty, starts with.
func wordLength(s string) int {
	for _, w := range mixedWords {
		if tail, ok := strings.CutPrefix(s, w); ok && !startsWith(tail, unicode.IsLower) {
			return len(w) + digits(tail)
		}
	}
	capitals := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsUpper(r) })
	if capitals < 0 {
		return len(s)
	}
	lower := leading(s[capitals:], func(r rune) bool { return !unicode.IsUpper(r) && !unicode.IsDigit(r) && r != '_' })
	last := lastRuneSize(s[:capitals])
	switch {
	case capitals > last && lower == 1 && s[capitals] == 's':
		capitals++ // the plural of an acronym
	case capitals > last && lower > 0:
		return capitals - last // the last capital starts the next word
	default:
		capitals += lower
	}
	return capitals + digits(s[capitals:])
}

func digits(s string) int { return leading(s, unicode.IsDigit) }

// leading counts the bytes at the start of s that are runes of which is says true.
func leading(s string, is func(rune) bool) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !is(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

func startsWith(s string, is func(rune) bool) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && is(r)
}

func lastRuneSize(s string) int {
	_, size := utf8.DecodeLastRuneInString(s)
	return size
}

// fieldName makes the exported Go field name that carries an argument.
func fieldName(parameter string) string {
	first, size := utf8.DecodeRuneInString(parameter)
	if upper := unicode.ToUpper(first); unicode.IsUpper(upper) {
		return string(upper) + parameter[size:]
	}
	return "Arg_" + parameter // _x and letters without case cannot be exported as they are
}
