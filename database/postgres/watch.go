package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elyra-go/elyra/database"
)

// pollEvery is how often the server is asked whether anything was committed.
const pollEvery = 250 * time.Millisecond

// longestRetry bounds the pause between attempts to reach a server that does not answer.
const longestRetry = 10 * time.Second

// watch sees commits, of whoever made them, as long as somebody watches. It costs one
// connection and a quarter of a millisecond four times a second.
//
// The whole snapshot is compared: an old transaction that commits late moves neither of its
// ends but only the list of those under way in the middle. What was changed it does not tell.
type watch struct {
	mu       sync.Mutex
	watchers int
	stop     context.CancelFunc // nil when nobody watches
	woken    chan struct{}
	done     sync.WaitGroup
}

// Watch has commits told to OnCommit until stop is called. As it cannot be told whose commits
// they are, this is how the app's own come too.
func (h *handle) Watch() (stop func()) {
	w := &h.store.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watchers++; w.watchers == 1 {
		ctx, cancel := context.WithCancel(context.Background())
		w.stop, w.woken = cancel, make(chan struct{}, 1)
		woken := w.woken
		w.done.Go(func() { h.store.poll(ctx, woken) })
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

// poll compares snapshots until ctx ends.
func (s *store) poll(ctx context.Context, woken <-chan struct{}) {
	var c *stdlib.Conn
	defer func() {
		if c != nil {
			_ = c.Close()
		}
	}()
	// Whatever was read before the first snapshot may be old already.
	last, pause := "", pollEvery
	for {
		if c == nil {
			if fresh, err := s.connect(ctx); err == nil {
				c, pause = fresh, pollEvery
			} else if ctx.Err() == nil {
				s.log.Warn("the database cannot be watched for changes", "database", s.name, "error", err)
				pause = min(2*pause, longestRetry)
			}
		}
		if c != nil {
			var now string
			if err := c.Conn().QueryRow(ctx, "select pg_current_snapshot()::text").Scan(&now); err != nil {
				_ = c.Close()
				c = nil
			} else if now != last {
				last = now
				s.listeners.Tell(database.Writes{Everything: true})
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-woken:
		case <-time.After(pause):
		}
	}
}
