package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// session is what initialize has opened. It does not change; a new one takes its place.
type session struct {
	id      string         // "" when the server has none
	version string         // "" before initialize was answered
	params  jsontext.Value // of initialize
	ctx     context.Context
	cancel  context.CancelFunc // ends the stream that listens to the server
}

// header adds what each message of a session has.
func (s *session) header(h http.Header) http.Header {
	if s == nil {
		return h
	}
	if s.id != "" {
		h.Set(headerSession, s.id)
	}
	if mcp.AtLeast(s.version, mcp.V2025_06_18) { // Before, there was no such header.
		h.Set(headerVersion, s.version)
	}
	return h
}

func (c *conn) current() *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// initialize opens a session. A server that refuses the POST like one that has never heard of it may be one of HTTP+SSE.
func (c *conn) initialize(f *flight) ([]byte, error) {
	a, s, err := c.open(f, f.m.ID, f.line, f.m.Params)
	if e, ok := errors.AsType[*Error](err); ok && e.maybeSSE() {
		if failed := c.openEndpoints(f.ctx); failed != nil {
			return nil, fmt.Errorf("%w (as a server of HTTP+SSE: %v)", err, failed)
		}
		return c.post(f, c.endpoints())
	}
	if err != nil {
		return nil, err
	}
	if s != nil {
		c.replace(s)
	}
	return a.as(f.m.ID), nil
}

// open sends initialize and returns the session that the answer opens, nil when it is an error.
func (c *conn) open(f *flight, id jsontext.Value, line []byte, params jsontext.Value) (answer, *session, error) {
	resp, err := c.t.send(f.ctx, outgoing{http.MethodPost, c.t.url, postHeader(), line})
	if err != nil {
		return answer{}, nil, err
	}
	s := &session{id: resp.Header.Get(headerSession), params: params}
	if !visible(s.id) {
		c.log.Warn("ignored the id of the MCP server's session, which has characters that are not allowed")
		s.id = ""
	}
	l := listener{c: c, f: f, id: id, legacy: s}
	a, err := l.answer(resp)
	if err != nil || a.Error != nil {
		return a, nil, err
	}
	var result struct {
		Version jsontext.Value `json:"protocolVersion"`
	}
	_ = unmarshal(a.Result, &result) // The client judges the result.
	s.version, _ = wire.Text(result.Version)
	if !visible(s.version) {
		s.version = ""
	}
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	return a, s, nil
}

// visible reports whether s has visible ASCII characters alone.
func visible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// replace makes s the session.
func (c *conn) replace(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != nil {
		c.session.cancel()
	}
	c.session = s
}

// legacy sends a request in the session. A session that has ended is opened again once.
func (c *conn) legacy(f *flight) ([]byte, error) {
	s := c.current()
	for renewed := false; ; renewed = true {
		resp, err := c.t.send(f.ctx, outgoing{http.MethodPost, c.t.url, s.header(postHeader()), f.line})
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusNotFound && s != nil && s.id != "" && !renewed {
			drain(resp.Body)
			if s, err = c.renew(f, s); err != nil {
				return nil, fmt.Errorf("%w: the MCP session has ended, and opening another failed: %w", mcpclient.ErrNotSent, err)
			}
			continue
		}
		if s == nil {
			s = &session{}
		}
		l := listener{c: c, f: f, id: f.m.ID, legacy: s}
		a, err := l.answer(resp)
		if err != nil {
			return nil, err
		}
		return a.as(f.m.ID), nil
	}
}

// renew opens a session in the place of one that has ended. Of several requests that noticed, one does it.
func (c *conn) renew(f *flight, ended *session) (*session, error) {
	select {
	case <-c.renewal:
		defer func() { c.renewal <- struct{}{} }()
	case <-f.ctx.Done():
		return nil, context.Cause(f.ctx)
	}
	if s := c.current(); s != ended {
		return s, nil
	}
	c.log.Info("the session of the MCP server has ended; it is opened again")
	id := c.t.newID()
	a, s, err := c.open(f, id, wire.AppendRequest(nil, id, mcp.MethodInitialize, ended.params), ended.params)
	switch {
	case err != nil:
		return nil, err
	case a.Error != nil:
		return nil, a.Error
	case s.version != ended.version:
		s.cancel()
		return nil, fmt.Errorf("the server now answers with version %q instead of %q", s.version, ended.version)
	}
	if f.body != nil {
		drain(f.body)
		f.body = nil
	}
	resp, err := c.t.send(f.ctx, outgoing{http.MethodPost, c.t.url, s.header(postHeader()), wire.AppendRequest(nil, nil, mcp.NotifyInitialized, nil)})
	if err == nil && resp.StatusCode/100 != 2 {
		err = refusedStatus(resp)
	}
	if err != nil {
		s.cancel()
		return nil, err
	}
	drain(resp.Body)
	c.replace(s)
	c.listenTo(s)
	return s, nil
}

// endSession tells the server that the session is over. That it may not want to know is its own business.
func (c *conn) endSession() {
	s := c.current()
	if s == nil {
		return
	}
	s.cancel()
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, deleteGrace)
	defer cancel()
	start := time.Now()
	resp, _, err := c.t.once(ctx, outgoing{method: http.MethodDelete, url: c.t.url, header: s.header(http.Header{})})
	if err != nil {
		c.log.Debug("the MCP server was not told of the end of its session", "error", err, "after", time.Since(start))
		return
	}
	drain(resp.Body)
}
