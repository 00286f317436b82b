package database

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/pressly/goose/v3"
)

// checkTransaction refuses a migration for PostgreSQL that ends the transaction it runs in: the
// server obeys, and what comes later would not be undone with the rest. SQLite's driver refuses such
// statements itself.
func (m *migrator) checkTransaction(s *goose.Source) error {
	if m.handle.Dialect() != "postgres" {
		return nil
	}
	text, err := fs.ReadFile(m.fsys, s.Path)
	if err != nil {
		return err
	}
	if annotated(text, "NO TRANSACTION") {
		return nil
	}
	if line, words := ownTransaction(string(text)); line > 0 {
		return fmt.Errorf("%s, line %d: %s does not go into a migration, which is a transaction already: "+
			"take it out, or say \"-- +goose NO TRANSACTION\"", s.Path, line, words)
	}
	return nil
}

// control is how a statement begins that begins or ends a transaction. The one to a savepoint does neither.
var control = regexp.MustCompile(`(?i)^(begin|commit|end|abort|rollback|start\s+transaction|prepare\s+transaction)\b(\s+(work|transaction))?(\s+to\b)?`)

// atomic is how the body of a function in standard SQL begins, which has an END of its own.
var atomic = regexp.MustCompile(`(?i)\bbegin\s+atomic\b`)

// ownTransaction finds the first statement that begins or ends a transaction: its line, counted
// from 1, and its first words. The line is 0 when there is none.
func ownTransaction(text string) (line int, words string) {
	inBody := false
	start, plain := 0, plainSQL(text)
	for statement := range strings.SplitAfterSeq(plain, ";") {
		trimmed := strings.TrimSpace(statement)
		found := control.FindStringSubmatch(trimmed)
		switch {
		case inBody:
			inBody = found == nil || !strings.EqualFold(found[1], "end")
		case atomic.MatchString(trimmed):
			inBody = true
		case found != nil && found[4] == "":
			at := start + strings.Index(statement, trimmed)
			return 1 + strings.Count(text[:at], "\n"), strings.ToUpper(found[1])
		}
		start += len(statement)
	}
	return 0, ""
}

// plainSQL puts spaces in place of comments, strings, quoted names and dollar quotes, of the same
// length in bytes, so that what is left are words and semicolons. Line feeds stay.
func plainSQL(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		n := quoted(text[i:], i > 0 && isWordByte(text[i-1]))
		for j := i; j < i+n; j++ {
			if out[j] != '\n' {
				out[j] = ' '
			}
		}
		i += max(n, 1)
	}
	return string(out)
}

// dollar is the tag of a dollar quote.
var dollar = regexp.MustCompile(`^\$([A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)?\$`)

// quoted gives the length of the comment, string, quoted name or dollar quote that s begins with, or 0.
// One that is not closed goes on to the end. inWord says that s is the rest of a word.
func quoted(s string, inWord bool) int {
	switch {
	case (s[0] == 'e' || s[0] == 'E') && !inWord && strings.HasPrefix(s[1:], "'"):
		return 1 + closed(s[1:], "'", true)
	case s[0] == '\'', s[0] == '"':
		return closed(s, s[:1], false) // a doubled quote reads as two strings side by side
	case strings.HasPrefix(s, "--"):
		return closed(s, "\n", false)
	case strings.HasPrefix(s, "/*"):
		return comment(s)
	case s[0] == '$' && !inWord:
		if tag := dollar.FindString(s); tag != "" {
			if end := strings.Index(s[len(tag):], tag); end >= 0 {
				return end + 2*len(tag)
			}
			return len(s)
		}
	}
	return 0
}

// closed gives the length up to and with the first end after the first byte of s.
func closed(s, end string, backslash bool) int {
	for i := 1; i < len(s); i++ {
		if backslash && s[i] == '\\' {
			i++
		} else if strings.HasPrefix(s[i:], end) {
			return i + len(end)
		}
	}
	return len(s)
}

// comment gives the length of a comment between slashes and stars, which may hold others.
func comment(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func isWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
