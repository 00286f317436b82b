package serve

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// maxWaiting is how many calls may wait for their turn.
const maxWaiting = 32

// line lets one call work at a time, in the order in which they came. Its zero value is empty.
type line struct {
	mu      sync.Mutex
	waiting []*place // the first one works
}

type place struct {
	turn  chan struct{} // closed when it may work
	moved func(before int)
}

// enter waits until it is the caller's turn. Moved is told at once how many are before it, and again whenever that changes; it
// must not block. The caller calls leave when it has worked.
func (l *line) enter(ctx context.Context, moved func(before int)) (leave func(), err error) {
	p := &place{turn: make(chan struct{}), moved: moved}
	l.mu.Lock()
	before := len(l.waiting)
	if before > maxWaiting {
		l.mu.Unlock()
		return nil, fmt.Errorf("%d tasks are waiting already: try again when one of them is done", maxWaiting)
	}
	l.waiting = append(l.waiting, p)
	if before == 0 {
		close(p.turn)
	}
	moved(before)
	l.mu.Unlock()
	select {
	case <-p.turn:
		return func() { l.leave(p) }, nil
	case <-ctx.Done():
		l.leave(p)
		return nil, context.Cause(ctx)
	}
}

// leave gives up a place, wherever in the line it is.
func (l *line) leave(p *place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.Index(l.waiting, p)
	l.waiting = slices.Delete(l.waiting, at, at+1)
	for i, next := range l.waiting[at:] {
		if at+i == 0 {
			close(next.turn)
		}
		next.moved(at + i)
	}
}
