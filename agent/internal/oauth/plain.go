package oauth

import (
	"strings"
	"unicode"
)

// maxQuote is how much of a server's text an error quotes, in characters.
const maxQuote = 200

// plain makes a server's text fit for one line of an error: nothing that moves a cursor, colours, or hides, and not much.
func plain(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == maxQuote {
			b.WriteString("…")
			break
		}
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			r = ' '
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}
