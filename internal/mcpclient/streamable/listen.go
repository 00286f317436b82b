package streamable

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// steadyStream is how long a stream lives that a server does not close at once.
const steadyStream = 10 * time.Second

// streamTime is how long requests wait for the first answer to the question for a stream.
const streamTime = time.Second

// listenTo opens the stream in which a legacy server says what belongs to no request, and opens it again whenever it ends,
// more and more seldom when nothing comes of it. It waits a moment for the stream: what a server asks there in the middle of
// a call is lost for ever when nobody listens yet.
func (c *conn) listenTo(s *session) {
	if s == nil || c.endpoints() != nil {
		return
	}
	answered := make(chan struct{})
	c.wg.Go(func() {
		answer := sync.OnceFunc(func() { close(answered) })
		defer answer()
		var lastID string
		for attempt := 1; ; attempt++ {
			opened := time.Now()
			resp, err := c.get(s.ctx, s, lastID)
			answer()
			if e, ok := errors.AsType[*Error](err); ok && e.Status < 500 {
				c.log.Debug("the MCP server has no stream to listen to", "error", err) // Which it need not have.
				return
			}
			pause := backoff(attempt)
			if err == nil {
				events := newEvents(resp.Body, c.t.o.MaxMessage)
				events.lastID = lastID
				if c.hear(events) > 0 || time.Since(opened) > steadyStream {
					attempt = 1
				}
				resp.Body.Close()
				lastID, pause = events.lastID, events.pause(attempt)
			}
			if !sleep(s.ctx, pause) {
				return
			}
			if attempt == maxAttempts {
				c.log.Warn("the stream of the MCP server's notifications ends again and again", "error", err)
			}
		}
	})
	patience := time.NewTimer(streamTime)
	defer patience.Stop()
	select {
	case <-answered:
	case <-patience.C:
	}
}

// hear gives the reader what a stream brings until it ends, and returns how many messages that were.
func (c *conn) hear(s *events) int {
	for n := 0; ; n++ {
		e, err := s.next()
		if err != nil {
			return n
		}
		if e.name != "" && e.name != "message" {
			continue
		}
		c.deliver(e.data) // Of one that is too long, the beginning: the reader finds out whose answer it was.
	}
}

// get opens a stream of a session, after an event when lastID names one.
func (c *conn) get(ctx context.Context, s *session, lastID string) (*http.Response, error) {
	h := s.header(http.Header{"Accept": {acceptEvents}})
	if lastID != "" {
		h.Set(headerLastEvent, lastID)
	}
	resp, err := c.t.send(ctx, outgoing{method: http.MethodGet, url: c.t.url, header: h})
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK || mediaType(resp) != acceptEvents {
		return nil, refusedStatus(resp)
	}
	return resp, nil
}
