package elyra

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elyra-go/elyra/internal/ability"
)

// MCP says what an agent may do in the app. Make one with [NewMCP]: it grants nothing until it is
// told to. Mistakes are reported by [App.Start].
type MCP struct {
	grants   ability.Set
	confirms ability.Set
	limits   []limitRule
	errs     []error
}

type limitRule struct {
	pattern string
	n       int
	per     time.Duration
}

// The limit of every tool that no RateLimit covers.
const (
	defaultLimit    = 60
	defaultLimitPer = time.Minute
)

// NewMCP returns an MCP that exposes no command.
func NewMCP() *MCP { return &MCP{} }

// AllowAbilities grants abilities to agents: a command whose ability is granted is a tool. An
// ability is exact ("customers.view"), a namespace ("customers.*") or "*". The grant is separate
// from what windows may call.
func (m *MCP) AllowAbilities(abilities ...string) *MCP {
	m.grants = append(m.grants, abilities...)
	return m
}

// AllowAbility is AllowAbilities of one.
func (m *MCP) AllowAbility(a string) *MCP { return m.AllowAbilities(a) }

// Confirm has the user asked, in the MCP client, before a tool with this ability (or pattern) runs.
// A client that cannot ask gets an error; the tool never runs unasked.
func (m *MCP) Confirm(pattern string) *MCP {
	m.confirms = append(m.confirms, pattern)
	return m
}

// RateLimit admits at most n calls in any span of length per to each tool that the pattern covers,
// over all connections. The last limit that covers a tool wins. Default: 60 a minute.
func (m *MCP) RateLimit(pattern string, n int, per time.Duration) *MCP {
	if n < 1 || per <= 0 {
		m.errs = append(m.errs, fmt.Errorf("rate limit %q: want at least 1 call in a positive duration, got %d in %v", pattern, n, per))
	}
	m.limits = append(m.limits, limitRule{pattern, n, per})
	return m
}

// check reports patterns that cover none of the declared abilities.
func (m *MCP) check(declared []string) error {
	errs := slices.Clone(m.errs)
	add := func(what, pattern string) {
		if err := ability.CheckPattern(pattern, declared); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", what, err))
		}
	}
	for _, p := range m.grants {
		add("mcp: allow ability", p)
	}
	for _, c := range m.confirms {
		add("mcp: confirm", c)
	}
	for _, l := range m.limits {
		add("mcp: rate limit", l.pattern)
	}
	return errors.Join(errs...)
}

// limitOf returns the limit of a tool of ability a.
func (m *MCP) limitOf(a string) (n int, per time.Duration) {
	for _, l := range slices.Backward(m.limits) {
		if ability.Match(l.pattern, a) {
			return l.n, l.per
		}
	}
	return defaultLimit, defaultLimitPer
}
