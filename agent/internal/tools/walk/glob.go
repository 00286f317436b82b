package walk

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// maxPattern bounds the pattern that a regular expression is made of.
const maxPattern = 4096

// Glob is a pattern of names: * and ? within a name, ** across folders, [a-z], {a,b}. One without a slash is about the last
// element of a path, another about the whole path, which is relative and has slashes.
type Glob struct {
	match func(path string) bool
}

// Match reports whether a relative path matches.
func (g Glob) Match(path string) bool { return g.match(path) }

// Compile reads a pattern.
func Compile(pattern string) (Glob, error) {
	trimmed := strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if trimmed == "" {
		return Glob{}, errors.New("the pattern is empty")
	}
	match, err := compile(trimmed, true)
	if err != nil {
		return Glob{}, fmt.Errorf("the pattern %q: %w", pattern, err)
	}
	if strings.Contains(trimmed, "/") {
		return Glob{match}, nil
	}
	return Glob{func(p string) bool { return match(path.Base(p)) }}, nil
}

// compile makes a matcher of a pattern; with braces, {a,b} are alternatives.
func compile(pattern string, braces bool) (func(string) bool, error) {
	special := `*?[\`
	if braces {
		special += "{}"
	}
	if !strings.ContainsAny(pattern, special) {
		return func(s string) bool { return s == pattern }, nil
	}
	if rest, ok := strings.CutPrefix(pattern, "*"); ok && !strings.ContainsAny(rest, special+"/") {
		return func(s string) bool { return strings.HasSuffix(s, rest) && !strings.Contains(s, "/") }, nil
	}
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	t := translator{in: pattern, braces: braces}
	expression, err := t.translate()
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, errors.New("it has a wrong [...]")
	}
	return re.MatchString, nil
}

// translator writes a pattern as a regular expression.
type translator struct {
	in     string
	braces bool
	i      int
	depth  int
	out    strings.Builder
}

func (t *translator) translate() (string, error) {
	t.out.WriteString(`(?s)\A`)
	for t.i < len(t.in) {
		c := t.in[t.i]
		switch {
		case c == '*':
			t.stars()
		case c == '?':
			t.out.WriteString(`[^/]`)
			t.i++
		case c == '[':
			if err := t.class(); err != nil {
				return "", err
			}
		case c == '\\':
			if t.i++; t.i == len(t.in) {
				return "", errors.New(`it ends with \`)
			}
			t.literal()
		case t.braces && c == '{':
			t.out.WriteString("(?:")
			t.depth++
			t.i++
		case t.depth > 0 && c == '}':
			t.out.WriteString(")")
			t.depth--
			t.i++
		case t.depth > 0 && c == ',':
			t.out.WriteString("|")
			t.i++
		default:
			t.literal()
		}
	}
	if t.depth > 0 {
		return "", errors.New("it lacks a }")
	}
	t.out.WriteString(`\z`)
	return t.out.String(), nil
}

// literal writes the bytes up to the next that may be special.
func (t *translator) literal() {
	end := t.i + 1
	for end < len(t.in) && !strings.ContainsRune(`*?[\{},`, rune(t.in[end])) {
		end++
	}
	t.out.WriteString(regexp.QuoteMeta(t.in[t.i:end]))
	t.i = end
}

// stars writes * and **. Between slashes or ends, ** is any number of folders.
func (t *translator) stars() {
	start := t.i
	for t.i < len(t.in) && t.in[t.i] == '*' {
		t.i++
	}
	begins := start == 0 || t.in[start-1] == '/'
	ends := t.i == len(t.in)
	switch {
	case t.i-start == 2 && begins && ends:
		t.out.WriteString(`.+`)
	case t.i-start == 2 && begins && t.in[t.i] == '/':
		t.out.WriteString(`(?:.*/)?`)
		t.i++
	default:
		t.out.WriteString(`[^/]*`)
	}
}

// class writes [...]. Neither it nor its opposite matches a slash.
func (t *translator) class() error {
	end := t.i + 1
	if end < len(t.in) && (t.in[end] == '!' || t.in[end] == '^') {
		end++
	}
	if end < len(t.in) && t.in[end] == ']' {
		end++
	}
	for end < len(t.in) && t.in[end] != ']' {
		switch {
		case t.in[end] == '\\':
			end++
		case strings.HasPrefix(t.in[end:], "[:"):
			if n := strings.Index(t.in[end:], ":]"); n > 0 {
				end += n + 1
			}
		}
		end++
	}
	if end >= len(t.in) {
		return errors.New("it lacks a ]")
	}
	body := t.in[t.i+1 : end]
	t.i = end + 1
	negated := strings.HasPrefix(body, "!") || strings.HasPrefix(body, "^")
	if negated {
		body = body[1:]
	}
	if strings.HasPrefix(body, "]") {
		body = `\]` + body[1:]
	}
	// A [ is literal but for [:alpha:] and its like.
	body = strings.ReplaceAll(strings.ReplaceAll(body, "[", `\[`), `\[:`, "[:")
	if negated {
		t.out.WriteString("[^/" + body + "]")
		return nil
	}
	t.out.WriteString("[" + body + "]")
	return nil
}
