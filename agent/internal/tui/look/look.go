// Package look owns the styles of the terminal interface.
//
// It promises that meaning never hangs on colour alone: without colours the same text is there, told apart by signs and by
// bold and dim. It must import nothing of the agent but tui/cells.
package look

import (
	"strings"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// Colors is how many colours a terminal has.
type Colors int

// The numbers of colours that make a difference.
const (
	None Colors = 0
	ANSI Colors = 16
	Many Colors = 256
)

// Detect reads the number of colours from an environment (lines of NAME=value).
func Detect(environ []string) Colors {
	get := func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	term := get("TERM")
	switch {
	case get("NO_COLOR") != "" || term == "dumb":
		return None
	case get("COLORTERM") != "" || get("WT_SESSION") != "" || strings.Contains(term, "256color") || strings.Contains(term, "kitty") ||
		strings.Contains(term, "ghostty") || strings.Contains(term, "direct") || strings.Contains(term, "alacritty"):
		return Many
	}
	return ANSI
}

// Look is a set of styles.
type Look struct {
	Accent, Dim, Bold, Italic, Strike cells.Style

	Good, Bad, Warn cells.Style

	User cells.Style // what the user said

	Heading, Code, Link, Quote cells.Style // of text

	Keyword, String, Comment, Number, Name cells.Style // of code

	Added, Removed, Hunk cells.Style // of differences

	Selected cells.Style // in a list
}

// New returns the styles for a dark or light background.
func New(colors Colors, dark bool) Look {
	l := Look{
		Dim: "2", Bold: "1", Italic: "3", Strike: "9", Accent: "1", Bad: "1", User: "1", Heading: "1", Link: "4", Quote: "3",
		Comment: "2", Keyword: "1", Hunk: "2", Selected: "7",
	}
	if colors == None {
		return l
	}
	l.Accent, l.Good, l.Bad, l.Warn = "36", "32", "31", "33"
	l.Heading, l.Code, l.Link = "1;36", "36", "4;34"
	l.Keyword, l.String, l.Number, l.Name, l.Comment = "35", "32", "33", "34", "2"
	l.Added, l.Removed, l.Hunk = "32", "31", "36"
	l.Selected = "1;36"
	if colors == ANSI {
		return l
	}
	if dark {
		l.Dim, l.Comment, l.Quote = "38;5;245", "3;38;5;245", "3;38;5;250"
		l.Accent, l.Code, l.Heading, l.Selected = "38;5;80", "38;5;116", "1;38;5;80", "1;38;5;80"
		l.Good, l.Bad, l.Warn, l.Link = "38;5;114", "38;5;210", "38;5;221", "4;38;5;111"
		l.Keyword, l.String, l.Number, l.Name, l.Hunk = "38;5;176", "38;5;150", "38;5;215", "38;5;111", "38;5;80"
		l.User, l.Added, l.Removed = "48;5;237", "38;5;157;48;5;22", "38;5;224;48;5;52"
		return l
	}
	l.Dim, l.Comment, l.Quote = "38;5;243", "3;38;5;243", "3;38;5;239"
	l.Accent, l.Code, l.Heading, l.Selected = "38;5;30", "38;5;24", "1;38;5;30", "1;38;5;30"
	l.Good, l.Bad, l.Warn, l.Link = "38;5;28", "38;5;160", "38;5;130", "4;38;5;26"
	l.Keyword, l.String, l.Number, l.Name, l.Hunk = "38;5;90", "38;5;28", "38;5;130", "38;5;26", "38;5;30"
	l.User, l.Added, l.Removed = "48;5;254", "38;5;22;48;5;194", "38;5;88;48;5;224"
	return l
}
