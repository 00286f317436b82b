package elyra

import "context"

// Request is one call on its way to a command, as middleware sees it: its arguments have been
// checked, and what had to be confirmed has been.
type Request struct {
	// Name is the command's name.
	Name string
	// Args are the decoded arguments as canonical JSON: an object with an entry for each given
	// argument. Changing it does not change what the command is given.
	Args []byte
	// Origin is who calls.
	Origin Origin
	// TraceParent and TraceState are the W3C trace context that an agent's client sent along, ""
	// when it sent none that is valid.
	TraceParent, TraceState string
	// Live is set for the runs of a live query, Rerun for those after the first.
	Live, Rerun bool
}

// Handler runs a request and returns the command's result.
type Handler func(ctx context.Context, r *Request) (any, error)

// Middleware wraps the handling of every call, whoever makes it. The first one registered is the
// outermost. It may refuse a call by returning an error without calling next.
type Middleware func(next Handler) Handler
