package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// errCancelled is the cause of the context of a call that its client cancelled, errEnded
// that of a call which outlived its connection.
var (
	errCancelled = errors.New("the client cancelled the call")
	errEnded     = errors.New("the connection has ended")
)

// flight is a call from its acceptance to its answer. Its state is guarded by conn.mu.
type flight struct {
	c      *conn
	r      *request
	run    func(*flight) []byte // its result is the answer's line
	ctx    context.Context
	cancel context.CancelCauseFunc

	cancelled bool // by the client: nothing more is sent
	answering bool // its answer is on the way: the id may be used again, progress is over
	progress  progress
}

// launch accepts r as a call and has a goroutine run it.
func (c *conn) launch(r *request, run func(*flight) []byte) *wire.Error {
	f := &flight{c: c, r: r, run: run}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.admit(r.id); err != nil {
		return err
	}
	if c.active >= c.s.o.MaxInFlight {
		return wire.Errorf(mcp.CodeBusy, "%d calls are in flight, which is the limit; repeat this one when another has been answered", c.active)
	}
	f.ctx, f.cancel = context.WithCancelCause(c.calls)
	c.active++
	c.flights[string(r.id)] = f
	c.hand(f)
	return nil
}

// admit decides, under c.mu, whether a request that stays open may use the id.
func (c *conn) admit(id jsontext.Value) *wire.Error {
	if c.closing {
		return wire.Errorf(mcp.CodeUnavailable, "the server is going away")
	}
	f := c.flights[string(id)]
	if f != nil && !f.answering || c.listening(string(id)) >= 0 {
		return wire.Errorf(wire.CodeInvalidRequest, "a request with this id is still in flight")
	}
	return nil
}

// fly runs the call and answers it.
func (f *flight) fly() {
	defer f.cancel(nil)
	f.answer(f.run(f))
}

// answer sends the line, unless the call needs none any more, and gives its slot back.
func (f *flight) answer(line []byte) {
	f.send(line)
	c := f.c
	c.mu.Lock()
	c.active--
	c.forget(f)
	c.mu.Unlock()
}

// send sends the line unless the call was cancelled or has been answered.
func (f *flight) send(line []byte) {
	c := f.c
	c.mu.Lock()
	silent := f.cancelled || f.answering
	f.answering = true
	c.mu.Unlock()
	switch {
	case silent:
	case f.r.batch != nil:
		f.r.batch.add(line)
	default:
		// A cancel that arrives while this waits ends f.ctx, and nothing is sent.
		if err := c.out.SendWait(f.ctx, line); err != nil {
			c.log.Debug("dropped an answer", "reason", err)
		}
	}
}

// forget takes f out of the table, under c.mu, unless its id has a new owner already.
func (c *conn) forget(f *flight) {
	if c.flights[string(f.r.id)] == f {
		delete(c.flights, string(f.r.id))
	}
}

// cancelled handles the client's wish to cancel a request. Malformed wishes and unknown
// ids are ignored: the request may just have been answered.
func (c *conn) cancelled(raw jsontext.Value) {
	var r request
	if r.parseParams(raw) != nil {
		return
	}
	key := string(r.params.get("requestId"))
	reason, _ := r.params.text("reason")
	c.mu.Lock()
	f := c.flights[key]
	if f != nil {
		f.cancelled = true
		f.cancel(errCancelled)
		c.forget(f)
	}
	listening := c.listening(key)
	var watching []*watch
	if listening >= 0 {
		watching = c.unlisten(listening)
	}
	answering := f != nil && f.answering
	c.mu.Unlock()
	c.leave(watching...)
	if f != nil && f.r.batch != nil && !answering {
		f.r.batch.add(nil)
	}
	if f != nil || listening >= 0 {
		c.log.Debug("the client cancelled a request", "id", clip(key), "reason", clip(reason))
	}
}

// endInput stops accepting: open subscriptions end gracefully, and calls that wait for an
// answer of the client stop waiting.
func (c *conn) endInput() {
	c.stopRead(nil)
	c.mu.Lock()
	c.closing = true
	watching := append(c.endListens(), c.forgetLegacy()...)
	c.mu.Unlock()
	c.leave(watching...)
}

// drain lets accepted calls finish within patience, answers the others, and closes the
// writer. A call that ignores the end of its context is left behind, answered and logged.
func (c *conn) drain(patience time.Duration) {
	deadline := time.Now().Add(patience)
	finished := make(chan struct{})
	go func() {
		c.running.Wait()
		close(finished)
	}()
	if !within(finished, patience) {
		c.abandon()
		if !within(finished, interruptGrace) {
			c.log.Error("a call ignores the end of its context and was left behind")
		}
	}
	c.cancel(errEnded)
	// What was just queued gets a moment to be written even after the deadline.
	ctx, cancel := context.WithTimeout(context.Background(), max(time.Until(deadline), interruptGrace))
	defer cancel()
	if err := c.out.Close(ctx); err != nil {
		c.log.Debug("closed the connection", "reason", err)
	}
}

// within reports whether done is closed within d, or is already.
func within(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// abandon answers the calls that did not finish in time, and ends their contexts.
func (c *conn) abandon() {
	c.mu.Lock()
	var late []*flight
	for _, f := range c.flights {
		if !f.answering {
			f.answering = true
			late = append(late, f)
		}
	}
	c.mu.Unlock()
	c.cancel(errEnded)
	for _, f := range late {
		line := wire.AppendError(nil, f.r.id, wire.Errorf(mcp.CodeUnavailable,
			"the server stopped before this call finished; it is not known whether it took effect"))
		if f.r.batch != nil {
			f.r.batch.add(line)
		} else if err := c.out.Send(line); err != nil {
			c.log.Debug("dropped an answer", "reason", err)
		}
	}
}
