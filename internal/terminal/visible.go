package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Visible replaces what a terminal would act upon or not show, like escape sequences and characters
// that turn the direction of text, by its code. The codes are those of JSON, so that JSON stays JSON.
func Visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || unicode.IsGraphic(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// FirstLine is the first line of a text that is not empty.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return OneLine(line)
}

// OneLine folds spaces, so that a text cannot break the columns.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
