package streamable

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// flight is a request that waits for its answer.
type flight struct {
	m       wire.Message
	line    []byte
	version string // of a modern request, else ""
	ctx     context.Context
	cancel  context.CancelFunc
	body    io.ReadCloser // of the stream that the answer came in; it may have to be read to its end
}

// start sends a request. The lock is held.
func (c *conn) start(m wire.Message, line []byte) {
	if len(c.flights) >= c.t.o.MaxInFlight {
		c.wg.Go(func() {
			c.fail(m.ID, fmt.Errorf("%w: %d requests are waiting for their answers already", mcpclient.ErrNotSent, c.t.o.MaxInFlight))
		})
		return
	}
	f := &flight{m: m, line: line, version: modernVersion(m.Params)}
	f.ctx, f.cancel = context.WithCancel(c.ctx)
	c.flights[string(m.ID)] = f
	ready := c.ready
	c.wg.Go(func() {
		defer f.cancel()
		select {
		case <-ready:
			c.fly(f)
		case <-f.ctx.Done():
			c.land(f)
		}
	})
}

// fly sends a request and gives the reader its answer.
func (c *conn) fly(f *flight) {
	answer, err := c.exchange(f)
	c.land(f)
	switch {
	case f.ctx.Err() != nil: // Nobody waits any more.
		c.t.freshen()
	case err != nil:
		c.fail(f.m.ID, err)
	case answer != nil:
		c.deliver(answer)
	}
	if f.body != nil {
		drain(f.body)
	}
}

// exchange sends a request in the way that its era wants. No answer and no error: it comes another way.
func (c *conn) exchange(f *flight) ([]byte, error) {
	endpoint := c.endpoints()
	switch {
	case endpoint != nil && f.version != "":
		return wire.AppendError(nil, f.m.ID, wire.Errorf(wire.CodeMethodNotFound, "HTTP+SSE is a transport of older protocol versions")), nil
	case endpoint != nil:
		return c.post(f, endpoint)
	case f.version != "":
		return c.modern(f)
	case f.m.Method == mcp.MethodInitialize:
		return c.initialize(f)
	}
	return c.legacy(f)
}

// land forgets a request that waits no longer.
func (c *conn) land(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[string(f.m.ID)] == f {
		delete(c.flights, string(f.m.ID))
	}
}

// cancelled takes a request back, which gives up its place at once. A modern server is told by the end of its stream, a legacy
// one by the notification; its stream ends all the same, because nobody waits for what it brings. The lock is held.
func (c *conn) cancelled(m wire.Message, line []byte) {
	var p struct {
		ID jsontext.Value `json:"requestId"`
	}
	_ = unmarshal(m.Params, &p) // Without an id there is no such flight.
	f := c.flights[string(p.ID)]
	delete(c.flights, string(p.ID))
	switch {
	case f != nil && f.version != "":
		f.cancel()
	case f != nil:
		c.notify(m, line, c.ready, f.cancel)
	case c.endpoint != nil: // There, a request lands before it is answered.
		c.notify(m, line, c.ready, func() {})
	}
}
