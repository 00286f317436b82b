package mcpclient

import (
	"context"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// pending is a request in flight. Both channels have room, so the reader never waits for the caller.
type pending struct {
	id       jsontext.Value
	method   string
	reply    chan wire.Message
	progress chan mcp.Progress
}

// progressRoom is how many progress reports wait for a busy caller; further ones are dropped.
const progressRoom = 16

// begin sends a request and returns what waits for its answer. Build makes the parameters, given the request's id.
func (l *link) begin(ctx context.Context, method string, build func(id jsontext.Value) (jsontext.Value, error)) (*pending, error) {
	p := &pending{
		id: strconv.AppendInt(nil, l.lastID.Add(1), 10), method: method,
		reply: make(chan wire.Message, 1), progress: make(chan mcp.Progress, progressRoom),
	}
	params, err := build(p.id)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	if l.down != nil {
		l.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", ErrNotSent, l.down)
	}
	l.pending[string(p.id)] = p
	l.mu.Unlock()
	if err := l.send(ctx, wire.AppendRequest(nil, p.id, method, params)); err != nil {
		l.drop(p)
		return nil, err
	}
	return p, nil
}

// answer gives a response to the request that waits for it. Responses to requests that were given up come late and find none.
func (l *link) answer(m wire.Message) {
	if f, ok := l.conn.(Failer); ok && m.Error != nil {
		if cause := f.Failure(m.ID); cause != nil {
			m.Error.Data = cause
		}
	}
	p := l.take(m.ID)
	if p == nil {
		l.log.Debug("ignored an MCP response that no request waits for", "id", string(m.ID))
		return
	}
	p.reply <- m
}

// take removes and returns the pending request with that id. An error without an id answers a message that the server could
// not read; when a single request is in flight, it is that one.
func (l *link) take(id jsontext.Value) *pending {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id == nil && len(l.pending) == 1 {
		for _, p := range l.pending {
			id = p.id
		}
	}
	p := l.pending[string(id)]
	delete(l.pending, string(id))
	return p
}

// report hands a progress notification to its request.
func (l *link) report(params jsontext.Value) {
	progress, err := decodeProgress(params)
	if err != nil {
		l.log.Debug("ignored a malformed progress notification", "error", err)
		return
	}
	l.mu.Lock()
	p := l.pending[string(progress.Token)]
	l.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case p.progress <- progress:
	default: // The caller is busy with earlier reports; those keep the request alive as well.
	}
}

// drop forgets a request, and reports whether it was still waiting.
func (l *link) drop(p *pending) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[string(p.id)] != p {
		return false
	}
	delete(l.pending, string(p.id))
	return true
}

// cancel forgets a request and tells the server to stop working on it. Initialize must not be cancelled, and neither is the
// probe: a server of unknown era might take the notification for a second unknown message.
func (l *link) cancel(p *pending, reason string) {
	if !l.drop(p) || p.method == mcp.MethodInitialize || p.method == mcp.MethodDiscover {
		return
	}
	params := append(append([]byte(`{"requestId":`), p.id...), `,"reason":`...)
	params = append(wire.AppendString(params, reason), '}')
	if err := l.notify(mcp.NotifyCancelled, params); err != nil {
		l.log.Warn("could not tell the MCP server that a request was cancelled", "method", p.method, "error", err)
	}
}
