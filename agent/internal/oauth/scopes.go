package oauth

import (
	"slices"
	"strings"
)

// splitScopes reads a scope parameter. Words that are no scopes (RFC 6749, appendix A.4) are left out, and so is what
// exceeds a sane number. The result is sorted and never nil.
func splitScopes(s string) []string { return scopeSet(strings.Split(s, " ")) }

// scopeSet returns the valid scopes of all lists, each once, sorted.
func scopeSet(lists ...[]string) []string {
	set := []string{}
	for _, list := range lists {
		for _, s := range list {
			if validScope(s) && len(set) < maxScopes && !slices.Contains(set, s) {
				set = append(set, s)
			}
		}
	}
	slices.Sort(set)
	return set
}

func validScope(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// covers reports whether have holds all of want.
func covers(have, want []string) bool {
	for _, s := range want {
		if !slices.Contains(have, s) {
			return false
		}
	}
	return true
}
