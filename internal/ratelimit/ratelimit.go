// Package ratelimit counts events in an exact sliding window: at most n of them in any span of the
// given length, however they fall. It owns no clock and imports only the standard library.
package ratelimit

import (
	"sync"
	"time"
)

// Limiter admits at most a fixed number of events per key in any window. It is safe for concurrent
// use. Its memory is bounded by the events that one window admits for the keys in use.
type Limiter struct {
	n   int
	per time.Duration

	mu   sync.Mutex
	keys map[string]*window
}

// window is a ring of the moments of the latest admitted events, oldest at next.
type window struct {
	at   []time.Time
	next int
}

// New returns a Limiter of n events per window of length per; n ≤ 0 admits nothing.
func New(n int, per time.Duration) *Limiter {
	return &Limiter{n: n, per: per, keys: map[string]*window{}}
}

// Allow counts one event of key at now and reports whether it is admitted. A refused event is not
// counted; wait is how long until the next one would be admitted.
func (l *Limiter) Allow(key string, now time.Time) (ok bool, wait time.Duration) {
	if l.n <= 0 {
		return false, l.per
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.keys[key]
	if w == nil {
		w = &window{}
		l.keys[key] = w
	}
	if len(w.at) < l.n {
		w.at = append(w.at, now)
		return true, 0
	}
	// The window is full of admitted events: the oldest of them must have left it.
	if age := now.Sub(w.at[w.next]); age < l.per {
		return false, min(l.per-age, l.per) // the clock may have been set back
	}
	w.at[w.next] = now
	w.next = (w.next + 1) % l.n
	return true, 0
}
