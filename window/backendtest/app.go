package backendtest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// patience is how long a page may take for one thing before a test fails. It bounds a failing test only.
const patience = 30 * time.Second

// app is one Run of the backend.
type app struct {
	*host
	t       *testing.T
	backend window.Backend
	user    User
	stop    context.CancelFunc
	done    chan error // Run's result
}

func start(t *testing.T, s Setup, windows ...window.Options) *app {
	t.Helper()
	return startKnowing(t, s, nil, windows...)
}

// startKnowing is start for an app that will open windows of more ids.
func startKnowing(t *testing.T, s Setup, later []window.Options, windows ...window.Options) *app {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	a := &app{host: newHost(slices.Concat(windows, later)), t: t, backend: s.New(), user: s.User, stop: stop, done: make(chan error, 1)}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		s.Main(func() { a.done <- a.backend.Run(ctx, a.host, windows) })
	}()
	t.Cleanup(func() {
		stop()
		receive(t, finished, "the end of Run")
	})
	return a
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited %v for %s", patience, what)
		panic("unreachable")
	}
}

// do has the page of a window carry out an order.
func (a *app) do(id string, o order) result {
	a.t.Helper()
	select {
	case a.orders[id] <- o:
	case <-time.After(patience):
		a.t.Fatalf("the page of window %q does not ask for orders", id)
	}
	r := receive(a.t, a.results[id], "the page to report on "+o.Op)
	if r.Error != "" {
		a.t.Fatalf("%s: the page says %s", o.Op, r.Error)
	}
	return r
}
