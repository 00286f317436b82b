package elyra

import (
	"context"
	"strings"
	"unicode"
)

// Origin says who calls a command: [Frontend], [Agent] or [Internal].
type Origin interface {
	// principal is the identity under which live queries are shared: equal principals may be given
	// the same result.
	principal() string
}

// Frontend is the page of one of the app's windows.
type Frontend struct {
	// Window is the window's id.
	Window string
}

// Agent is an MCP client.
type Agent struct {
	// Client and Version are what the client says of itself, cut to 64 visible characters. Nothing
	// proves them: use them in a log or a message, not to decide what is allowed.
	Client, Version string
	// Connection tells two connections of one client apart.
	Connection string
}

// Internal is the app itself or a test of it: it needs no ability.
type Internal struct{}

// windowPrincipal begins the principal of every window.
const windowPrincipal = "window:"

func (f Frontend) principal() string { return windowPrincipal + f.Window }
func (a Agent) principal() string    { return "agent:" + a.Connection + ":" + a.Client }
func (Internal) principal() string   { return "internal" }

// OriginOf returns who made the call that ctx belongs to; outside a call that is [Internal].
func OriginOf(ctx context.Context) Origin {
	if c := callOf(ctx); c != nil {
		return c.request.Origin
	}
	return Internal{}
}

// visible makes a self-reported text fit for a line of a log or a question: what cannot be seen is
// shown as its code point, and it is cut at limit characters.
func visible(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		writeVisible(&b, r)
	}
	return b.String()
}

// writeVisible writes r, or its code point in brackets when it is a control, a bidirectional or a
// zero-width character or invalid UTF-8: those can hide or reorder what a person reads.
func writeVisible(b *strings.Builder, r rune) {
	const hex = "0123456789ABCDEF"
	if r != unicode.ReplacementChar && unicode.IsPrint(r) {
		b.WriteRune(r)
		return
	}
	b.WriteString("[U+")
	for shift := 20; shift >= 0; shift -= 4 {
		if d := r >> shift & 15; shift < 16 || r>>16 != 0 && (shift == 16 || r>>20 != 0) {
			b.WriteByte(hex[d])
		}
	}
	b.WriteByte(']')
}
