package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// conn is one connection. One goroutine reads and dispatches it; calls run in goroutines
// of their own; the writer has its own.
type conn struct {
	s    *Server
	name string
	log  *slog.Logger
	out  *wire.Writer

	calls  context.Context // parent of every call's context
	cancel context.CancelCauseFunc

	reading  context.Context // ends when nothing more is read
	stopRead context.CancelCauseFunc

	peers peers // of the reading goroutine

	running sync.WaitGroup // the calls' goroutines
	next    chan *flight   // to one of them that rests

	mu       sync.Mutex
	session  *Peer // what initialize said; nil before it
	ready    bool  // the client has confirmed the session
	closing  bool  // nothing is accepted any more
	flights  map[string]*flight
	active   int       // calls at work
	waiting  int       // calls that wait for a human
	resting  int       // goroutines that wait for a call to run
	listens  []*listen // in the order they were opened
	watches  watches
	logs     logs
	asks     map[string]chan wire.Message // our own requests, by their id
	askCount uint64
}

func newConn(ctx context.Context, s *Server, name string, w io.Writer) *conn {
	c := &conn{
		s: s, name: name, log: s.o.Log.With("connection", name), out: wire.NewWriter(w, s.o.Queue),
		next: make(chan *flight), flights: map[string]*flight{}, asks: map[string]chan wire.Message{},
	}
	// Accepted calls outlive the end of ctx for as long as they may be finished.
	c.calls, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	c.reading, c.stopRead = context.WithCancelCause(ctx)
	return c
}

// read dispatches lines until the stream ends. No line ends it.
func (c *conn) read(r io.Reader) error {
	lines := wire.NewReader(r, c.s.o.Limits)
	for c.reading.Err() == nil {
		line, err := lines.Next()
		var refused *wire.Error
		switch {
		case err == nil:
			c.line(line)
		case errors.As(err, &refused):
			c.fail(wire.RequestID(line), nil, refused)
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
	return context.Cause(c.reading)
}

// line handles one line: a message, or a batch where the revision has batches.
func (c *conn) line(line []byte) {
	m, refused := wire.Parse(line, c.s.o.Limits)
	if refused == nil {
		c.message(m, nil)
		return
	}
	if c.batches() {
		if elements, ok := wire.ParseBatch(line, c.s.o.Limits); ok {
			c.batch(elements)
			return
		}
	}
	c.log.Debug("refused a line", "reason", refused.Message)
	c.fail(m.ID, nil, refused)
}

// message handles one message.
func (c *conn) message(m wire.Message, b *batch) {
	switch {
	case m.Method == "":
		c.answered(m)
	case m.ID == nil:
		c.notified(m)
	default:
		c.request(m, b)
	}
}

// request finds out the era of a request and dispatches it.
func (c *conn) request(m wire.Message, b *batch) {
	r := &request{id: m.ID, method: m.Method, batch: b}
	if err := c.open(r, m.Params); err != nil {
		c.fail(r.id, b, err)
		return
	}
	if err := c.dispatch(r); err != nil {
		c.fail(r.id, b, err)
	}
}

// open reads what every request has and decides for whom it is served. A modern request
// never depends on the connection, a legacy one always does.
func (c *conn) open(r *request, raw jsontext.Value) *wire.Error {
	if err := r.parseParams(raw); err != nil {
		return err
	}
	opening := r.method == mcp.MethodInitialize
	if opening && r.params.get("protocolVersion") != nil {
		return nil // accepted at any time, whatever else the request says about itself
	}
	rawMeta, err := r.params.object("_meta")
	if err != nil {
		return err
	}
	m, err := readMeta(rawMeta)
	if err != nil {
		return err
	}
	if opening && !m.modern() {
		return nil // a legacy one that forgot its version, and is told so
	}
	r.token, r.trace = m.token, m.trace
	modernOnly := r.method == mcp.MethodDiscover || r.method == mcp.MethodListen
	c.mu.Lock()
	session := c.session
	c.mu.Unlock()
	switch {
	case m.modern() || modernOnly && session != nil:
		r.peer, err = c.peers.modern(c.name, m)
		if err == nil && m.level != nil && c.s.o.Logging {
			r.level, err = severityOf(m.level)
		}
	case session != nil:
		r.peer = *session
	case r.method == mcp.MethodPing: // the one request legacy clients may send first
		r.peer = Peer{Connection: c.name, Version: mcp.V2025_11_25}
	default:
		return errNotOpened()
	}
	return err
}

// dispatch hands a request to its method. A returned error is the answer; otherwise the
// method has answered or will.
func (c *conn) dispatch(r *request) *wire.Error {
	switch r.method {
	case mcp.MethodListTools:
		return c.listTools(r)
	case mcp.MethodCallTool:
		return c.callTool(r)
	}
	if r.peer.Modern() {
		switch r.method {
		case mcp.MethodDiscover:
			return c.discover(r)
		case mcp.MethodListen:
			return c.listen(r)
		}
	} else {
		switch r.method {
		case mcp.MethodInitialize:
			return c.initialize(r)
		case mcp.MethodPing:
			return c.ping(r)
		}
	}
	return c.optional(r)
}

// optional dispatches the methods of what a server need not offer.
func (c *conn) optional(r *request) *wire.Error {
	o := &c.s.o
	switch {
	case o.Resources != nil && r.method == mcp.MethodListResources:
		return c.listResources(r)
	case o.Resources != nil && r.method == mcp.MethodListTemplates:
		return c.listTemplates(r)
	case o.Resources != nil && r.method == mcp.MethodReadResource:
		return c.readResource(r)
	case o.Resources != nil && r.method == mcp.MethodSubscribe && !r.peer.Modern():
		return c.subscribe(r)
	case o.Resources != nil && r.method == mcp.MethodUnsubscribe && !r.peer.Modern():
		return c.unsubscribe(r)
	case o.Prompts != nil && r.method == mcp.MethodListPrompts:
		return c.listPrompts(r)
	case o.Prompts != nil && r.method == mcp.MethodGetPrompt:
		return c.getPrompt(r)
	case o.Completer != nil && r.method == mcp.MethodComplete:
		return c.completion(r)
	case o.Logging && r.method == mcp.MethodSetLevel && !r.peer.Modern():
		return c.setLevel(r)
	}
	return wire.Errorf(wire.CodeMethodNotFound, "there is no method %q", clip(r.method))
}

// notified handles a notification. None is ever answered, not even a malformed one.
func (c *conn) notified(m wire.Message) {
	switch m.Method {
	case mcp.NotifyInitialized:
		c.mu.Lock()
		c.ready = c.session != nil
		c.mu.Unlock()
	case mcp.NotifyCancelled:
		c.cancelled(m.Params)
	}
}

// complete answers a request with a result whose members are given without braces.
func (c *conn) complete(r *request, members []byte) *wire.Error {
	line := append(c.s.openResult(r.id, r.peer, len(members)), members...)
	c.reply(r.batch, append(line, closeResult...))
	return nil
}

// fail answers with an error.
func (c *conn) fail(id jsontext.Value, b *batch, err *wire.Error) {
	c.reply(b, wire.AppendError(nil, id, err))
}

// reply sends an answer of the reading goroutine. When the peer does not read its answers
// this waits, and with it the reading: the peer is slowed down, nobody else is.
func (c *conn) reply(b *batch, line []byte) {
	if b != nil {
		b.add(line)
		return
	}
	if err := c.out.SendWait(c.reading, line); err != nil {
		c.log.Debug("dropped an answer", "reason", err)
	}
}
