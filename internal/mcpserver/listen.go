package mcpserver

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// listen is an open subscription of a modern client.
type listen struct {
	id    jsontext.Value
	tools bool
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
	granted, failed := json.Marshal(mcp.SubscriptionFilter{ToolsListChanged: wanted.ToolsListChanged})
	if failed != nil {
		return wire.Errorf(wire.CodeInternal, "the subscription cannot be acknowledged")
	}
	l := &listen{id: r.id, tools: wanted.ToolsListChanged}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.admit(r.id); err != nil {
		return err
	}
	if len(c.listens) >= c.s.o.MaxListens {
		return wire.Errorf(mcp.CodeBusy, "%d subscriptions are open, which is the limit", len(c.listens))
	}
	c.listens = append(c.listens, l)
	c.notify(l.notification(mcp.NotifyAcknowledged, append([]byte(`"notifications":`), granted...)))
	return nil
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

// notify queues a notification. A peer whose queue is full has stopped reading; since it
// must not miss the notification and nobody may wait for it, it loses its connection.
func (c *conn) notify(line []byte) {
	if err := c.out.Send(line); err != nil {
		c.stopRead(errStalled)
	}
}

// toolsChanged tells the client, in each era it uses, that the list of tools has changed.
func (c *conn) toolsChanged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	for _, l := range c.listens {
		if l.tools {
			c.notify(l.notification(mcp.NotifyToolsChanged, nil))
		}
	}
	if c.ready {
		c.notify(wire.AppendRequest(nil, nil, mcp.NotifyToolsChanged, nil))
	}
}

// endListens tells, under c.mu, the client of every open subscription that it is over:
// with the cancellation that the protocol requires and the result that says it ended well.
func (c *conn) endListens() {
	open := c.listens
	c.listens = nil
	for _, l := range open {
		params := append(append([]byte(`{"requestId":`), l.id...), `,"reason":"the server is going away"}`...)
		end := c.s.appendSubscriptionEnd(nil, l.id)
		if c.out.Send(wire.AppendRequest(nil, nil, mcp.NotifyCancelled, params)) != nil || c.out.Send(end) != nil {
			return
		}
	}
}
