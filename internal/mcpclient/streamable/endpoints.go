package streamable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/elyra-go/elyra/internal/wire"
)

// HTTP+SSE has two endpoints: a stream of events, in which everything comes that the server says, and an address for the
// client's messages, which the first event tells. The stream is the connection: when it ends, so does the session.

// endpointTimeout is how long the first event may take.
const endpointTimeout = 30 * time.Second

// openEndpoints opens the stream and reads where messages go.
func (c *conn) openEndpoints(ctx context.Context) error {
	ctx, done := context.WithTimeoutCause(ctx, endpointTimeout, errors.New("the server did not name its endpoint in time"))
	defer done()
	streamCtx, cancel := context.WithCancel(c.ctx)
	stop := context.AfterFunc(ctx, cancel)
	var s *events
	var target *url.URL
	resp, err := c.get(streamCtx, nil, "")
	if err == nil {
		s = newEvents(resp.Body, c.t.o.MaxMessage)
		target, err = c.readEndpoint(s, resp.Request.URL)
	}
	if !stop() { // The time is over, and with it the stream.
		err = context.Cause(ctx)
	}
	if err != nil {
		cancel()
		if resp != nil {
			resp.Body.Close()
		}
		return err
	}
	c.mu.Lock()
	c.endpoint = target
	c.mu.Unlock()
	c.wg.Go(func() {
		defer cancel()
		defer resp.Body.Close()
		c.hear(s)
		c.out.CloseWithError(io.EOF)
	})
	return nil
}

// readEndpoint waits for the event that says where messages go. It must be at the configured origin: a server must not make
// us send messages, and the credentials with them, to somebody else.
func (c *conn) readEndpoint(s *events, base *url.URL) (*url.URL, error) {
	for {
		e, err := s.next()
		if err != nil {
			return nil, fmt.Errorf("the stream ended before the server named its endpoint: %w", err)
		}
		if e.name != "endpoint" {
			continue
		}
		target, err := base.Parse(string(e.data))
		switch {
		case err != nil || e.tooLong:
			return nil, errors.New("the server's endpoint is no address")
		case !sameOrigin(target, c.t.url) || target.User != nil:
			return nil, fmt.Errorf("the server's endpoint is at another origin, %s://%s", target.Scheme, firstText("", []byte(target.Host)))
		}
		target.Fragment, target.RawFragment = "", ""
		return target, nil
	}
}

// post sends a message to the endpoint. The answer comes in the stream; some servers give it here.
func (c *conn) post(f *flight, endpoint *url.URL) ([]byte, error) {
	resp, err := c.t.send(f.ctx, outgoing{http.MethodPost, endpoint, postHeader(), f.line})
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		return nil, refusedStatus(resp)
	}
	body, err := c.t.readBody(resp)
	if err != nil { // The message was taken, which is all that matters.
		return nil, nil
	}
	if m, refused := wire.Parse(body, limits); refused == nil && m.Method == "" && string(m.ID) == string(f.m.ID) {
		return body, nil
	}
	return nil, nil
}
