package mcpserver

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// listen is an open subscription of a modern client. Its state is guarded by conn.mu.
type listen struct {
	id     jsontext.Value
	filter mcp.SubscriptionFilter // what is honoured
	ctx    context.Context        // ends with the subscription
	cancel context.CancelFunc

	acknowledged bool // nothing may be told before
	watches      []*watch
}

// listen opens a subscription. Registering it and queueing the acknowledgement happen
// under one lock, so no notification can come before the acknowledgement or get lost after.
func (c *conn) listen(r *request) *wire.Error {
	raw, err := r.params.object("notifications")
	if err != nil {
		return err
	}
	var wanted mcp.SubscriptionFilter
	if raw == nil || decode(raw, &wanted) != nil {
		return wire.Errorf(wire.CodeInvalidParams, "%s needs params.notifications, an object of the wanted kinds", mcp.MethodListen)
	}
	if r.batch != nil {
		return wire.Errorf(wire.CodeInvalidRequest, "%s cannot be part of a batch", mcp.MethodListen)
	}
	l := &listen{id: r.id, filter: c.s.honoured(wanted)}
	uris := l.filter.ResourceSubscriptions
	l.filter.ResourceSubscriptions = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.admit(r.id); err != nil {
		return err
	}
	if len(c.listens) >= c.s.o.MaxListens {
		return wire.Errorf(mcp.CodeBusy, "%d subscriptions are open, which is the limit", len(c.listens))
	}
	l.ctx, l.cancel = context.WithCancel(c.reading)
	c.listens = append(c.listens, l)
	if places := c.reserve(len(uris)); places < len(uris) {
		c.log.Debug("does not watch", "resources", len(uris)-places, "reason", errNotWatched)
		uris = uris[:places]
	}
	if len(uris) == 0 {
		c.acknowledge(l)
		return nil
	}
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		c.openListen(l, r.peer, uris)
	}()
	return nil
}

// honoured returns the part of a filter that this server serves.
func (s *Server) honoured(f mcp.SubscriptionFilter) mcp.SubscriptionFilter {
	if s.o.Prompts == nil {
		f.PromptsListChanged = false
	}
	if s.o.Resources == nil {
		f.ResourcesListChanged, f.ResourceSubscriptions = false, nil
	}
	var once []string
	seen := map[string]bool{}
	for _, uri := range f.ResourceSubscriptions {
		if !seen[uri] {
			seen[uri] = true
			once = append(once, uri)
		}
	}
	f.ResourceSubscriptions = once
	return f
}

// openListen watches resources, which have their places, and acknowledges the subscription
// with those that can be watched.
func (c *conn) openListen(l *listen, peer Peer, uris []string) {
	var watching []*watch
	for _, uri := range uris {
		w := c.newWatch(uri, l)
		if err := c.begin(w, peer); err != nil {
			c.log.Debug("does not watch", "resource", clip(uri), "reason", err)
			c.leave(w)
			continue
		}
		watching = append(watching, w)
	}
	settle(l.ctx, watching...)
	c.mu.Lock()
	if l.ctx.Err() != nil {
		c.mu.Unlock()
		c.leave(watching...)
		return
	}
	l.watches = watching
	for _, w := range watching {
		l.filter.ResourceSubscriptions = append(l.filter.ResourceSubscriptions, w.uri)
	}
	c.acknowledge(l)
	for _, w := range watching {
		c.opened(w)
	}
	c.mu.Unlock()
}

// acknowledge tells the client, under c.mu, what it will be told.
func (c *conn) acknowledge(l *listen) {
	granted, err := json.Marshal(l.filter, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		granted = jsontext.Value(`{}`)
	}
	l.acknowledged = true
	c.notify(l.notification(mcp.NotifyAcknowledged, append([]byte(`"notifications":`), granted...)))
}

// notification encodes a notification of this subscription. Members, which may be nil, are
// its further params without braces.
func (l *listen) notification(method string, members []byte) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","method":"`), method...)
	line = append(line, `","params":{"_meta":{"`+mcp.MetaSubscriptionID+`":`...)
	line = append(append(line, l.id...), '}')
	if members != nil {
		line = append(append(line, ','), members...)
	}
	return append(line, `}}`...)
}

// listening returns the place, under c.mu, of the subscription with the id, or -1.
func (c *conn) listening(id string) int {
	return slices.IndexFunc(c.listens, func(l *listen) bool { return string(l.id) == id })
}

// unlisten takes a subscription out, under c.mu, and returns what is to be left.
func (c *conn) unlisten(at int) []*watch {
	l := c.listens[at]
	c.listens = slices.Delete(c.listens, at, at+1)
	l.cancel()
	for _, w := range l.watches {
		w.ended = true
	}
	return l.watches
}

// notify queues a notification. A peer whose queue is full has stopped reading; since it
// must not miss the notification and nobody may wait for it, it loses its connection.
func (c *conn) notify(line []byte) {
	if err := c.out.Send(line); err != nil {
		c.stopRead(errStalled)
	}
}

// listChanged tells the client, in each era it uses, that a list has changed.
func (c *conn) listChanged(method string, wanted func(mcp.SubscriptionFilter) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	for _, l := range c.listens {
		if l.acknowledged && wanted(l.filter) {
			c.notify(l.notification(method, nil))
		}
	}
	if c.ready {
		c.notify(wire.AppendRequest(nil, nil, method, nil))
	}
}

// endListens tells, under c.mu, the client of every open subscription that it is over: with
// the cancellation that the protocol requires and the result that says it ended well. It
// returns what is to be left.
func (c *conn) endListens() (watching []*watch) {
	full := false
	for _, l := range c.listens {
		l.cancel()
		watching = append(watching, l.watches...)
		if full {
			continue
		}
		params := append(append([]byte(`{"requestId":`), l.id...), `,"reason":"the server is going away"}`...)
		end := c.s.appendSubscriptionEnd(nil, l.id)
		if !l.acknowledged { // nothing may carry its id before the acknowledgement
			end = wire.AppendError(nil, l.id, wire.Errorf(mcp.CodeUnavailable, "the server is going away"))
		}
		full = c.out.Send(wire.AppendRequest(nil, nil, mcp.NotifyCancelled, params)) != nil || c.out.Send(end) != nil
	}
	c.listens = nil
	return watching
}
