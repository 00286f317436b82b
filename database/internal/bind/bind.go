// Package bind puts two contexts together: the one that a statement was given, and the one
// that Handle.Bind was given. It knows no database and imports nothing of this module.
package bind

import (
	"context"
	"time"
)

// Contexts gives a context that is given with the values of bound behind its own, and that ends
// when either of them does. release must be called when the statement, its rows or its
// transaction are done with.
func Contexts(given, bound context.Context) (ctx context.Context, release func()) {
	if bound == nil || given == bound {
		return given, func() {}
	}
	both := &valuesOf{given, bound}
	switch {
	case bound.Done() == nil || bound.Done() == given.Done():
		return both, func() {}
	case given.Done() == nil:
		return &endsWith{both, bound}, func() {}
	}
	merged, cancel := context.WithCancelCause(both)
	if bound.Err() != nil {
		cancel(context.Cause(bound))
	}
	stop := context.AfterFunc(bound, func() { cancel(context.Cause(bound)) })
	return merged, func() {
		stop()
		cancel(nil)
	}
}

// valuesOf is a context with the values of a second one behind its own.
type valuesOf struct {
	context.Context
	bound context.Context
}

func (c *valuesOf) Value(key any) any {
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.bound.Value(key)
}

// endsWith has the values of its first context and the end of its second.
type endsWith struct {
	context.Context
	end context.Context
}

func (c *endsWith) Deadline() (time.Time, bool) { return c.end.Deadline() }
func (c *endsWith) Done() <-chan struct{}       { return c.end.Done() }
func (c *endsWith) Err() error                  { return c.end.Err() }
