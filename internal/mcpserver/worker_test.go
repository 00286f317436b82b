package mcpserver

import (
	"strconv"
	"testing"
	"testing/synctest"
)

// Goroutines that have run a call rest for the next one, a bounded number of them, and none outlives
// its connection: the bubble would not end.
func TestRestingGoroutinesAreBounded(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for round := range 3 {
			var burst []string
			for i := range 3 * maxResting {
				burst = append(burst, call(strconv.Itoa(100*round+i+1), "echo", `{}`))
			}
			if got := c.send(burst...); len(got) != len(burst) {
				t.Errorf("round %d: %d answers to %d calls", round, len(got), len(burst))
			}
			synctest.Wait()
			s.mu.Lock()
			for served := range s.conns {
				served.mu.Lock()
				if served.resting < 1 || served.resting > maxResting {
					t.Errorf("round %d: %d goroutines rest, want between 1 and %d", round, served.resting, maxResting)
				}
				served.mu.Unlock()
			}
			s.mu.Unlock()
		}
	})
}
