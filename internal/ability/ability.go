// Package ability matches declared abilities ("customers.delete") against the patterns that grant,
// confirm or limit them ("customers.delete", "customers.*", "*"). It owns the grammar of both and
// imports only internal/nearest, for its error messages.
package ability

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/elyra-go/elyra/internal/nearest"
)

var grammar = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)

// Check reports whether a is a well-formed ability: lower-case words joined by dots.
func Check(a string) error {
	if !grammar.MatchString(a) {
		return fmt.Errorf("ability %q: want lower-case words joined by dots, like customers.view", a)
	}
	return nil
}

// Match reports whether pattern covers a. A pattern is an exact ability, a namespace ("customers.*"
// covers customers.view and customers.notes.view, not customers itself), or "*". The empty ability,
// that of a command that declares none, is covered by nothing.
func Match(pattern, a string) bool {
	if a == "" {
		return false
	}
	if pattern == "*" {
		return true
	}
	if ns, ok := strings.CutSuffix(pattern, ".*"); ok {
		return strings.HasPrefix(a, ns+".")
	}
	return pattern == a
}

// Set is a list of patterns that grants what any of them covers. The nil Set grants nothing.
type Set []string

// Covers reports whether any pattern of the set covers a.
func (s Set) Covers(a string) bool {
	for _, p := range s {
		if Match(p, a) {
			return true
		}
	}
	return false
}

// CheckPattern reports whether pattern is well-formed and covers at least one of the declared
// abilities; the error names the nearest one. A grant that matches nothing is a misspelling that
// would otherwise show only as a missing tool.
func CheckPattern(pattern string, declared []string) error {
	if p := strings.TrimSuffix(pattern, ".*"); pattern != "*" && !grammar.MatchString(p) {
		return fmt.Errorf("%q is no ability pattern: want customers.view, customers.* or *", pattern)
	}
	for _, a := range declared {
		if Match(pattern, a) {
			return nil
		}
	}
	return fmt.Errorf("%q matches no command's ability%s", pattern, nearest.Hint(pattern, declared))
}
