package mcpclient

import (
	"sync"
	"time"
)

// Hold stops the idle timers of requests while our user is waited for: a person may take longer than any timeout of a
// machine. A legacy server does not say for which request it asks, so all of them stand still. The zero value holds nothing.
type Hold struct {
	mu    sync.Mutex
	open  int       // what the user is waited for
	ended time.Time // when that ended last
}

// Begin says that the user is waited for, until End is called as often.
func (h *Hold) Begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open++
}

// End says that something the user was waited for is over.
func (h *Hold) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	h.ended = time.Now()
}

// Left returns how much longer a request whose idle timer ran out may stay idle; zero or less means that its time is over.
func (h *Hold) Left(idle time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open > 0 {
		return idle
	}
	return idle - time.Since(h.ended)
}
