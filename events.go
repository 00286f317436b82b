package elyra

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"github.com/elyra-go/elyra/database"
)

// Listener handles the events of one type. Make one with [On] or [OnAsync].
type Listener struct {
	event  reflect.Type
	async  bool
	handle func(ctx context.Context, event any) error
}

// On returns a listener that runs before [Dispatch] returns; its error is returned to the
// dispatcher, and no later listener runs. A listener for any hears every event.
func On[E any](handle func(ctx context.Context, event E) error) Listener {
	return Listener{event: reflect.TypeFor[E](), handle: func(ctx context.Context, e any) error { return handle(ctx, e.(E)) }}
}

// OnAsync returns a listener that runs beside the dispatcher, which does not wait for it; its error
// is logged. Its context has the values of the dispatcher's, and ends when the app closes.
func OnAsync[E any](handle func(ctx context.Context, event E) error) Listener {
	l := On(handle)
	l.async = true
	return l
}

// AgentCalled is dispatched after every call that an agent made to a tool of the app, after every
// resource that it read and every prompt that it got.
type AgentCalled struct {
	// Kind is "tool", "resource" or "prompt".
	Kind string
	// Tool is the name of the command or of the prompt.
	Tool string
	// Client is the agent's name, as it says.
	Client string
	// OK reports whether the call succeeded.
	OK bool
	// Duration is how long it took, without waiting for a confirmation.
	Duration time.Duration
}

// Dispatch gives event to its listeners in the order in which they were registered, and returns the
// first error. It does nothing outside a call.
func Dispatch(ctx context.Context, event any) error {
	c := callOf(ctx)
	if c == nil {
		return fmt.Errorf("dispatch %T: this context belongs to no call; use the one that the command was given", event)
	}
	return c.instance.dispatch(ctx, event)
}

// hears reports whether the listener is one for event.
func (l Listener) hears(event any) bool {
	return l.event == reflect.TypeOf(event) || l.event == reflect.TypeFor[any]()
}

// hears reports whether anybody listens for event.
func (in *Instance) hears(event any) bool {
	return slices.ContainsFunc(in.app.listeners, func(l Listener) bool { return l.hears(event) })
}

func (in *Instance) dispatch(ctx context.Context, event any) error {
	for _, l := range in.app.listeners {
		if !l.hears(event) {
			continue
		}
		if !l.async {
			if err := recovered(func() error { return l.handle(ctx, event) }); err != nil {
				return err
			}
			continue
		}
		// The listener is no part of the call's transaction, which may have ended when it runs.
		detached, cancel := context.WithCancel(database.Detach(context.WithoutCancel(ctx)))
		stop := context.AfterFunc(in.ctx, cancel)
		in.background.Go(func() {
			defer cancel()
			defer stop()
			if err := recovered(func() error { return l.handle(detached, event) }); err != nil {
				in.log.Error("event listener failed", "event", reflect.TypeOf(event).String(), "error", err)
			}
		})
	}
	return nil
}

// recovered runs f and turns a panic into a private error that carries the stack.
func recovered(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &privateError{cause: fmt.Errorf("panic: %v", p), stack: string(debug.Stack())}
		}
	}()
	return f()
}
