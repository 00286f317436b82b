package postgres

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// watch sees commits, of whoever made them, as long as somebody watches. It costs one
// connection and a quarter of a millisecond four times a second.
//
// With a capture it is told instead: see follower.
type watch struct {
	mu       sync.Mutex
	watchers int
	stop     context.CancelFunc // nil when nobody watches
	woken    chan struct{}
	done     sync.WaitGroup

	tables map[string]struct{} // that live queries have read: it only grows
}

// read notes which tables live queries read.
func (w *watch) read(names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := len(w.tables)
	for _, name := range names {
		if w.tables == nil {
			w.tables = map[string]struct{}{}
		}
		w.tables[name] = struct{}{}
	}
	if len(w.tables) > before && w.stop != nil {
		select {
		case w.woken <- struct{}{}:
		default:
		}
	}
}

// names gives the tables that live queries have read.
func (w *watch) names() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.tables))
}

// Watch has commits told to OnCommit until stop is called. It is not told whose commits they
// are, so this is how the app's own come too.
func (h *handle) Watch() (stop func()) {
	w := &h.store.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watchers++; w.watchers == 1 {
		ctx, cancel := context.WithCancel(context.Background())
		w.stop, w.woken = cancel, make(chan struct{}, 1)
		woken := w.woken
		w.done.Go(func() { h.store.follow(ctx, woken) })
	}
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.watchers--; w.watchers == 0 && w.stop != nil {
			w.stop()
			w.stop = nil
		}
	})
}

// wake asks at once, because we have just committed something.
func (w *watch) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop == nil {
		return
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// end stops the goroutine and waits for it.
func (w *watch) end() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	w.mu.Unlock()
	w.done.Wait()
}
