package elyra

import (
	"context"
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
	confirms []confirmRule
	limits   []limitRule
	prompts  []Prompt
	errs     []error

	continueHeadless bool
}

type confirmRule struct {
	pattern string
	options ConfirmOptions
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

// ConfirmOptions refine how a confirmation is asked. The zero value asks in the MCP client.
type ConfirmOptions struct {
	// Describe returns what the call would do, as a sentence for the user: "Delete customer #12,
	// Ada Lovelace?". Default: the first sentence of the command's Doc. It must only read. It runs
	// again when the user has agreed: another sentence then asks again. Its error refuses the call.
	Describe func(ctx context.Context, r *Request) (string, error)
	// InApp asks in a native dialog of the running app, which neither the client nor a page can
	// answer. Without an open window the call is refused; it is never asked in the client instead.
	InApp bool
}

// Confirm has the user asked before a tool with this ability (or pattern) runs: in the MCP client,
// or as the options say. A client that cannot ask gets an error; the tool never runs unasked. Where
// several calls of Confirm cover a tool, InApp of any of them holds, and the last Describe.
func (m *MCP) Confirm(pattern string, options ...ConfirmOptions) *MCP {
	r := confirmRule{pattern: pattern}
	switch len(options) {
	case 0:
	case 1:
		r.options = options[0]
	default:
		m.errs = append(m.errs, fmt.Errorf("mcp: confirm %q: want at most one ConfirmOptions, got %d", pattern, len(options)))
	}
	m.confirms = append(m.confirms, r)
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

// ContinueHeadless lets an agent that was connected when the user closed the app go on changing
// things without a window. Default: until the app is open again, only tools that read work.
func (m *MCP) ContinueHeadless() *MCP {
	m.continueHeadless = true
	return m
}

// check reports patterns that cover none of the declared abilities.
func (m *MCP) check(declared []string) error {
	errs := append(slices.Clone(m.errs), m.checkPrompts())
	declared = slices.Concat(declared, m.promptAbilities())
	add := func(what, pattern string) {
		if err := ability.CheckPattern(pattern, declared); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", what, err))
		}
	}
	for _, p := range m.grants {
		add("mcp: allow ability", p)
	}
	for _, c := range m.confirms {
		add("mcp: confirm", c.pattern)
	}
	for _, l := range m.limits {
		add("mcp: rate limit", l.pattern)
	}
	return errors.Join(errs...)
}

// confirmationOf returns how a tool of ability a is confirmed; nil is not at all.
func (m *MCP) confirmationOf(a string) *ConfirmOptions {
	var found *ConfirmOptions
	for _, c := range m.confirms {
		if !ability.Match(c.pattern, a) {
			continue
		}
		if found == nil {
			found = &ConfirmOptions{}
		}
		found.InApp = found.InApp || c.options.InApp
		if c.options.Describe != nil {
			found.Describe = c.options.Describe
		}
	}
	return found
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
