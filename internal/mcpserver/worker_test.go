package mcpserver

import (
	"strconv"
	"testing"
	"testing/synctest"
)

// Goroutines that have run a call rest for the next one, a bounded number of them, and none outlives
// its connection: the bubble would not end.
func TestRestingGoroutinesAreBounded(t *testing.T) {
	const limit = 8
	bubble(t, func(o *Options) { o.MaxInFlight = limit }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for round := range 3 {
			var burst []string
			for i := range 3 * limit { // those above the limit are refused, which is an answer, too
				burst = append(burst, call(strconv.Itoa(100*round+i+1), "echo", `{}`))
			}
			if got := c.send(burst...); len(got) != len(burst) {
				t.Errorf("round %d: %d answers to %d calls", round, len(got), len(burst))
			}
			synctest.Wait()
			s.mu.Lock()
			for served := range s.conns {
				served.mu.Lock()
				if served.resting < 1 || served.resting > limit {
					t.Errorf("round %d: %d goroutines rest, want between 1 and %d", round, served.resting, limit)
				}
				served.mu.Unlock()
			}
			s.mu.Unlock()
		}
	})
}
