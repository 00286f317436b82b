package tui

import (
	"sync"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxWaiting is how many things may wait to be shown; whoever brings more waits.
const maxWaiting = 4096

// queue holds what happens until it is shown. Steps of a text that follow each other become one.
type queue struct {
	mu     sync.Mutex
	space  *sync.Cond
	items  []any
	wake   chan struct{} // holds a token when there is something
	closed bool
}

func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1)}
	q.space = sync.NewCond(&q.mu)
	return q
}

// put adds something, and reports whether somebody will take it.
func (q *queue) put(item any) bool {
	q.mu.Lock()
	for len(q.items) >= maxWaiting && !q.closed {
		q.space.Wait()
	}
	if !q.closed && !q.join(item) {
		q.items = append(q.items, item)
	}
	taken := !q.closed
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return taken
}

// join makes a step of a text part of the one before it, if that goes on in it. The caller holds mu.
func (q *queue) join(item any) bool {
	e, ok := item.(loop.Event)
	if !ok || e.Kind != loop.KindStream || len(q.items) == 0 {
		return false
	}
	last, ok := q.items[len(q.items)-1].(loop.Event)
	if !ok || last.Kind != loop.KindStream || last.Stream.Kind != e.Stream.Kind || last.Stream.Block != e.Stream.Block {
		return false
	}
	switch e.Stream.Kind {
	case model.EventText, model.EventThinking, model.EventCallArgs:
		joined := *last.Stream
		joined.Text += e.Stream.Text
		last.Stream = &joined
		q.items[len(q.items)-1] = last
		return true
	}
	return false
}

// take returns all that waits.
func (q *queue) take() []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items = nil
	q.space.Broadcast()
	return items
}

// close drops what waits and what comes.
func (q *queue) close() []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items, q.closed = nil, true
	q.space.Broadcast()
	return items
}
