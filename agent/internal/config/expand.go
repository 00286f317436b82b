package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxExpanded = 1 << 20 // bytes of a text with its variables
	maxNesting  = 8       // of defaults that hold variables
)

// expander replaces ${…} in the texts of one project.
type expander struct {
	getenv   func(string) (string, bool)
	project  string
	userHome string
	goos     string
}

// variable is one that a text used, with its value.
type variable struct{ name, value string }

// expand replaces the variables of a text:
//
//	${VAR} ${env:VAR}          from the environment; unset is an error
//	${VAR:-default}            default if VAR is unset or empty, as in a shell
//	${workspaceFolder} ${workspaceFolderBasename} ${userHome} ${pathSeparator} ${/}
//
// What VS Code would ask the user for (${input:…}) or take from itself (${config:…}) is an error. A value is not expanded
// again.
func (x expander) expand(s string) (string, []variable, error) {
	if !strings.Contains(s, "${") {
		return s, nil, nil
	}
	var used []variable
	var out strings.Builder
	err := x.write(&out, &used, s, 0)
	return out.String(), used, err
}

func (x expander) write(out *strings.Builder, used *[]variable, s string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("variables nest deeper than %d levels", maxNesting)
	}
	for {
		start := strings.Index(s, "${")
		end := -1
		if start >= 0 {
			end = closing(s[start+2:])
		}
		if end < 0 { // no variable, or one that does not end
			out.WriteString(s)
			s = ""
		} else {
			out.WriteString(s[:start])
		}
		if out.Len() > maxExpanded {
			return fmt.Errorf("the text is longer than %d bytes with its variables", maxExpanded)
		}
		if end < 0 {
			return nil
		}
		if err := x.variable(out, used, s[start+2:start+2+end], depth); err != nil {
			return err
		}
		s = s[start+2+end+1:]
	}
}

// closing returns the offset of the brace that ends a variable, whose default may hold braces.
func closing(s string) int {
	open := 1
	for i, c := range []byte(s) {
		switch c {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// variable writes the value of what stands between the braces.
func (x expander) variable(out *strings.Builder, used *[]variable, inner string, depth int) error {
	name, fallback, hasFallback := strings.Cut(inner, ":-")
	if value, ok := x.predefined(name); ok {
		out.WriteString(value)
		return nil
	}
	kind, rest, prefixed := strings.Cut(name, ":")
	switch {
	case prefixed && kind == "input":
		return fmt.Errorf("it needs the input %q, which VS Code asks for and elyra does not: use ${NAME} and set that variable", clip(rest, 60))
	case prefixed && kind == "env":
		name = rest
	case prefixed:
		return fmt.Errorf("${%s} is not known: elyra expands ${NAME}, ${env:NAME}, ${workspaceFolder} and ${userHome}", clip(inner, 60))
	}
	if name == "" {
		return errors.New("${} names no variable")
	}
	value, set := x.getenv(name)
	switch {
	case hasFallback && value == "":
		return x.write(out, used, fallback, depth+1)
	case !set:
		return fmt.Errorf("the environment variable %s is not set", clip(name, 100))
	}
	*used = append(*used, variable{name, value})
	out.WriteString(value)
	return nil
}

func (x expander) predefined(name string) (string, bool) {
	switch name {
	case "workspaceFolder":
		return x.project, x.project != ""
	case "workspaceFolderBasename":
		return filepath.Base(x.project), x.project != ""
	case "userHome":
		return x.userHome, true
	case "pathSeparator", "/":
		if x.goos == "windows" {
			return `\`, true
		}
		return "/", true
	}
	return "", false
}

// secret reports whether a variable looks like one: by its name, or because it is a URL with a password.
func (v variable) secret() bool {
	if v.value == "" {
		return false
	}
	if u, err := url.Parse(v.value); err == nil && u.User != nil {
		if _, has := u.User.Password(); has {
			return true
		}
	}
	return secretName(v.name)
}

// secretName reports whether a name says that the value is a secret: GITHUB_TOKEN, apiKey, X-Api-Key, Authorization.
func secretName(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "PASS", "PAT", "PWD", "AUTH", "COOKIE", "CREDS", "DSN", "AUTHORIZATION":
			return true
		}
		for _, end := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
		return false
	})
}
