package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// queue is how many messages one HTTP response may be behind. The suites read what they ask for; a reader that does not
// must not stop the others.
const queue = 256

// closing is how long a connection may take to send what is left.
const closing = 2 * time.Second

// link is one connection to the server.
type link struct {
	conn   mcpclient.Conn
	out    *wire.Writer
	modern bool
	log    *slog.Logger
	done   chan struct{} // closed when nothing more is read

	mu       sync.Mutex
	count    uint64
	requests []*request // in the order they came
	unasked  *request   // the stream of a GET, nil without one
}

// request is one HTTP request and what the server has said about it.
type request struct {
	ours      jsontext.Value // the id, and the progress token, towards the server
	id, token jsontext.Value // what the client called them
	logs      bool           // it asks for messages to the client's log
	lines     chan []byte
}

func newLink(conn mcpclient.Conn, modern bool, log *slog.Logger) *link {
	l := &link{conn: conn, out: wire.NewWriter(conn, queue), modern: modern, log: log, done: make(chan struct{})}
	go l.read()
	return l
}

func (l *link) dead() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// close ends the connection.
func (l *link) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	err := errors.Join(l.out.Close(ctx), l.conn.Close())
	<-l.done
	return err
}

// begin sends a request under an id of the link's own. The caller ends it.
func (l *link) begin(m wire.Message) (*request, error) {
	l.mu.Lock()
	l.count++
	r := &request{
		ours: jsontext.Value(strconv.AppendQuote(nil, fmt.Sprintf("http-%d", l.count))), id: m.ID,
		token: get(m.Params, "_meta", mcp.MetaProgressToken), lines: make(chan []byte, queue),
		logs: get(m.Params, "_meta", mcp.MetaLogLevel).Kind() == '"',
	}
	l.requests = append(l.requests, r)
	l.mu.Unlock()
	params := m.Params
	if r.token != nil {
		params = set(params, r.ours, "_meta", mcp.MetaProgressToken)
	}
	err := l.out.Send(wire.AppendRequest(nil, r.ours, m.Method, params))
	if err != nil {
		l.end(r)
	}
	return r, err
}

// end forgets a request, and cancels it if it was not answered.
func (l *link) end(r *request) {
	l.mu.Lock()
	open := l.remove(r)
	l.mu.Unlock()
	if open {
		params := append(append([]byte(`{"requestId":`), r.ours...), '}')
		if err := l.out.Send(wire.AppendRequest(nil, nil, mcp.NotifyCancelled, params)); err != nil {
			l.log.Debug("could not cancel a request", "error", err)
		}
	}
}

// remove takes a request from the list, under l.mu, and reports whether it was there.
func (l *link) remove(r *request) bool {
	for i, other := range l.requests {
		if other == r {
			l.requests = append(l.requests[:i:i], l.requests[i+1:]...)
			return true
		}
	}
	return false
}

// pass sends a notification or a response of the client, which answers a request of the server, as it is. Only the id
// of a cancelled request needs to become ours.
func (l *link) pass(m wire.Message) error {
	switch {
	case m.Method == mcp.NotifyCancelled:
		l.mu.Lock()
		r := l.find(get(m.Params, "requestId"), func(r *request) jsontext.Value { return r.id })
		l.mu.Unlock()
		if r == nil {
			return nil
		}
		return l.out.Send(wire.AppendRequest(nil, nil, m.Method, set(m.Params, r.ours, "requestId")))
	case m.Method != "":
		return l.out.Send(wire.AppendRequest(nil, nil, m.Method, m.Params))
	case m.Error != nil:
		return l.out.Send(wire.AppendError(nil, m.ID, m.Error))
	}
	return l.out.Send(wire.AppendResult(nil, m.ID, m.Result))
}

// find returns the open request with that key, under l.mu, or nil.
func (l *link) find(value jsontext.Value, key func(*request) jsontext.Value) *request {
	for _, r := range l.requests {
		if value != nil && string(key(r)) == string(value) {
			return r
		}
	}
	return nil
}

// read hands what the server says to the HTTP requests until it says no more.
func (l *link) read() {
	defer close(l.done)
	lines := wire.NewReader(l.conn, wire.Limits{})
	for {
		line, err := lines.Next()
		if err != nil {
			return
		}
		m, refused := wire.Parse(line, wire.Limits{})
		if refused != nil {
			l.log.Error("the server sent a line that is no message", "line", string(line))
			continue
		}
		l.said(m)
	}
}

// said finds the HTTP request that a message of the server belongs to and puts the client's own id back into it.
func (l *link) said(m wire.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ours := func(r *request) jsontext.Value { return r.ours }
	switch {
	case m.Method == "" && m.ID != nil:
		if r := l.find(m.ID, ours); r != nil {
			l.remove(r)
			l.give(r, answer(r, m))
			close(r.lines)
		}
	case m.Method == mcp.NotifyProgress:
		if r := l.find(get(m.Params, mcp.MetaProgressToken), ours); r != nil {
			l.give(r, wire.AppendRequest(nil, nil, m.Method, set(m.Params, r.token, mcp.MetaProgressToken)))
		}
	case m.Method == mcp.NotifyCancelled && l.find(get(m.Params, "requestId"), ours) != nil:
		r := l.find(get(m.Params, "requestId"), ours)
		l.give(r, wire.AppendRequest(nil, nil, m.Method, set(m.Params, r.id, "requestId")))
	case get(m.Params, "_meta", mcp.MetaSubscriptionID) != nil:
		if r := l.find(get(m.Params, "_meta", mcp.MetaSubscriptionID), ours); r != nil {
			l.give(r, wire.AppendRequest(nil, m.ID, m.Method, set(m.Params, r.id, "_meta", mcp.MetaSubscriptionID)))
		}
	default:
		l.unclaimed(wire.AppendRequest(nil, m.ID, m.Method, m.Params), m)
	}
}

// unclaimed hands out, under l.mu, a message that names no request. Questions to the user, and a modern server's messages
// to the log, go with the request that is most likely the cause; a modern server says nothing else of that kind, so should
// it do so everybody hears of it.
func (l *link) unclaimed(line []byte, m wire.Message) {
	question := m.ID != nil
	switch {
	case l.modern && m.Method == mcp.NotifyMessage && slices.ContainsFunc(l.requests, func(r *request) bool { return r.logs }):
		for _, r := range slices.Backward(l.requests) {
			if r.logs {
				l.give(r, line)
				return
			}
		}
	case l.modern:
		l.log.Error("a modern server sent what belongs to no request", "line", string(line))
		for _, r := range l.requests {
			l.give(r, line)
		}
	case len(l.requests) > 0 && (question || l.unasked == nil):
		l.give(l.requests[len(l.requests)-1], line)
	case l.unasked != nil:
		l.give(l.unasked, line)
	default:
		l.log.Debug("nobody listens to a message of the server", "line", string(line))
	}
}

// give hands a line to a request, under l.mu.
func (l *link) give(r *request, line []byte) {
	select {
	case r.lines <- line:
	default:
		l.log.Error("dropped a message, because its HTTP client does not read")
	}
}

// answer is the response to a request under its own id.
func answer(r *request, m wire.Message) []byte {
	if m.Error != nil {
		return wire.AppendError(nil, r.id, m.Error)
	}
	result := m.Result
	if get(result, "_meta", mcp.MetaSubscriptionID) != nil {
		result = set(result, r.id, "_meta", mcp.MetaSubscriptionID)
	}
	return wire.AppendResult(nil, r.id, result)
}
