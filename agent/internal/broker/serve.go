package broker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elyra-go/elyra/internal/wire"
)

// unread is how many times as many answers as requests may be under way.
const unread = 4

var errUnread = errors.New("the other side does not read its answers")

// job is a request of the other side's that is to be served.
type job struct {
	ctx     context.Context
	cancel  context.CancelFunc
	message wire.Message
}

// begin serves a request.
func (c *Conn) begin(m wire.Message) error {
	if c.o.Serve == nil {
		return c.refuse(m, "nothing is served here")
	}
	id := string(m.ID)
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	_, twice := c.serving[id]
	full := len(c.serving) >= c.o.AtOnce
	if !twice && !full {
		c.serving[id] = cancel
	}
	c.mu.Unlock()
	switch {
	case twice:
		cancel()
		return fmt.Errorf("two requests at the same time have the id %s", id)
	case full:
		cancel()
		return c.refuse(m, fmt.Sprintf("more than %d calls at the same time: wait for the others first", c.o.AtOnce))
	}
	return c.assign(job{ctx, cancel, m})
}

// refuse answers a request with an error.
func (c *Conn) refuse(m wire.Message, text string) error {
	err := c.out.Send(wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInternal, "%s", text)))
	if errors.Is(err, wire.ErrFull) {
		return errUnread
	}
	return err
}

// assign gives a request to a worker. Workers stay, because their stacks have grown to what a call needs by then. There are
// more than calls at a time only when answers are not read.
func (c *Conn) assign(j job) error {
	select {
	case c.jobs <- j:
		return nil
	default:
	}
	if c.workers >= unread*c.o.AtOnce {
		return c.wait(j)
	}
	c.workers++
	c.served.Go(func() {
		for {
			c.finish(j)
			select {
			case j = <-c.jobs:
			case <-c.ctx.Done():
				return
			}
		}
	})
	return nil
}

// wait gives a request to the next worker that is done. When none is for a while, their answers are not read.
func (c *Conn) wait(j job) error {
	late := time.NewTimer(flushTime)
	defer late.Stop()
	select {
	case c.jobs <- j:
		return nil
	case <-late.C:
	case <-c.ctx.Done():
	}
	j.cancel()
	return errUnread
}

// finish serves a request and sends its answer.
func (c *Conn) finish(j job) {
	defer j.cancel()
	line := c.serve(j.ctx, j.message)
	c.mu.Lock()
	delete(c.serving, string(j.message.ID))
	c.mu.Unlock()
	c.out.SendWait(c.ctx, line) //nolint:errcheck // Who asked is gone then.
}

// serve makes the line that answers a request. What serves it may fail in any way without ending this process.
func (c *Conn) serve(ctx context.Context, m wire.Message) (line []byte) {
	defer func() {
		if r := recover(); r != nil {
			line = wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInternal, "it failed: %v", r))
		}
	}()
	progress := func(text string) {
		c.Notify(noticeProgress, progressParams{ID: m.ID, Text: text}) //nolint:errcheck // Progress may be lost.
	}
	got, err := c.o.Serve(ctx, m.Method, m.Params, progress)
	if err != nil {
		return wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInternal, "%s", err.Error()))
	}
	text, err := encode(got)
	if err != nil {
		return wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInternal, "the answer cannot be written: %v", err))
	}
	return wire.AppendResult(nil, m.ID, text)
}
