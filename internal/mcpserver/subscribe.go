package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// settleTime is how long a client waits for what it wants to watch to settle. It is told of
// the first state of a resource that takes longer, because that may be a change.
const settleTime = 2 * time.Second

// watch is one resource of one subscription. Its state is guarded by conn.mu.
type watch struct {
	uri string
	of  *listen // nil: of resources/subscribe
	ctx context.Context
	end context.CancelFunc
	Watch

	ended   bool // nothing more is told
	open    bool // the client knows that it is watching
	changed bool // the client is to be told
}

// watches are the resources that the client of a connection watches, guarded by conn.mu.
type watches struct {
	count   int               // of both eras, with those that are being opened
	legacy  map[string]*watch // by URI
	changed []*watch          // whose client is to be told, in that order
	telling bool              // a goroutine does
}

// reserve takes places, under c.mu, for up to n more resources and returns how many.
func (c *conn) reserve(n int) int {
	n = min(n, c.s.o.MaxWatched-c.watches.count)
	c.watches.count += n
	return n
}

func (c *conn) newWatch(uri string, of *listen) *watch {
	w := &watch{uri: uri, of: of}
	w.ctx, w.end = context.WithCancel(c.reading)
	return w
}

// begin asks the catalog to watch. The watch has a place, and keeps it until it is left.
func (c *conn) begin(w *watch, peer Peer) (err error) {
	w.Watch, err = guarded(func() (Watch, error) {
		return c.s.o.Resources.SubscribeResource(&Subscription{Peer: peer, URI: w.uri, Updated: func() { c.updated(w) }})
	})
	return err
}

// leave ends watches of the client and gives their places back. It must not be called under
// c.mu, since the catalog may wait for something that waits for it.
func (c *conn) leave(list ...*watch) {
	c.mu.Lock()
	for _, w := range list {
		w.ended = true
	}
	c.watches.count -= len(list)
	c.mu.Unlock()
	for _, w := range list {
		w.end()
		if w.Stop != nil {
			w.Stop()
		}
	}
}

// settle waits until every later change will be told, but not long.
func settle(ctx context.Context, list ...*watch) {
	late := time.NewTimer(settleTime)
	defer late.Stop()
	for _, w := range list {
		if w.settled() {
			continue
		}
		select {
		case <-w.Settled:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// opened has the client told, under c.mu, of changes from now on.
func (c *conn) opened(w *watch) {
	w.open = true
	if w.changed {
		c.queueUpdate(w)
	}
	if w.settled() || c.closing {
		return
	}
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		select {
		case <-w.Settled:
			c.updated(w)
		case <-w.ctx.Done():
		}
	}()
}

// settled reports whether every later change will be told.
func (w *watch) settled() bool {
	if w.Settled == nil {
		return true
	}
	select {
	case <-w.Settled:
		return true
	default:
		return false
	}
}

// updated notes that the client is to be told of a change.
func (c *conn) updated(w *watch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.ended || w.changed {
		return
	}
	w.changed = true
	if w.open {
		c.queueUpdate(w)
	}
}

// queueUpdate has, under c.mu, a goroutine tell the client. There is one at a time, so a
// client that does not read keeps nobody but itself waiting, and is told of what changed
// meanwhile once.
func (c *conn) queueUpdate(w *watch) {
	if c.closing {
		return
	}
	c.watches.changed = append(c.watches.changed, w)
	if c.watches.telling {
		return
	}
	c.watches.telling = true
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		for c.tellUpdate() {
		}
	}()
}

// tellUpdate tells the client of one change, and returns false when none is left.
func (c *conn) tellUpdate() bool {
	c.mu.Lock()
	list := &c.watches
	if len(list.changed) == 0 || c.closing {
		list.changed, list.telling = nil, false
		c.mu.Unlock()
		return false
	}
	w := list.changed[0]
	list.changed[0], list.changed = nil, list.changed[1:]
	w.changed = false
	ended := w.ended
	c.mu.Unlock()
	if !ended {
		if err := c.out.SendWait(w.ctx, w.notification()); err != nil {
			c.log.Debug("dropped the notice of a change", "reason", err)
		}
	}
	return true
}

func (w *watch) notification() []byte {
	members := wire.AppendString([]byte(`"uri":`), w.uri)
	if w.of != nil {
		return w.of.notification(mcp.NotifyResourceUpdated, members)
	}
	params := append(append([]byte{'{'}, members...), '}')
	return wire.AppendRequest(nil, nil, mcp.NotifyResourceUpdated, params)
}

// subscribe answers resources/subscribe of a legacy client once the resource is watched.
func (c *conn) subscribe(r *request) *wire.Error {
	uri, err := r.uri()
	if err != nil {
		return err
	}
	return c.launch(r, func(f *flight) []byte {
		return c.answerFor(f, asked{"subscription", uri, func(ctx context.Context) ([]byte, error) {
			return nil, c.watchLegacy(ctx, r.peer, uri)
		}})
	})
}

// watchLegacy watches a resource for a legacy client, unless it does already.
func (c *conn) watchLegacy(ctx context.Context, peer Peer, uri string) error {
	c.mu.Lock()
	if c.watches.legacy[uri] != nil {
		c.mu.Unlock()
		return nil
	}
	if c.closing || c.reserve(1) == 0 {
		c.mu.Unlock()
		return wire.Errorf(mcp.CodeBusy, "%d resources are watched, which is the limit; unsubscribe from some", c.s.o.MaxWatched)
	}
	w := c.newWatch(uri, nil)
	if c.watches.legacy == nil {
		c.watches.legacy = map[string]*watch{}
	}
	c.watches.legacy[uri] = w
	c.mu.Unlock()
	err := c.begin(w, peer)
	if err == nil {
		settle(ctx, w)
		err = ctx.Err()
	}
	c.mu.Lock()
	replaced := c.watches.legacy[uri] != w // somebody unsubscribed meanwhile
	switch {
	case err != nil && !replaced:
		delete(c.watches.legacy, uri)
	case err == nil && !replaced:
		c.opened(w)
	}
	c.mu.Unlock()
	if err != nil || replaced {
		c.leave(w)
	}
	return err
}

// unsubscribe answers resources/unsubscribe. What was not watched needs no end.
func (c *conn) unsubscribe(r *request) *wire.Error {
	uri, err := r.uri()
	if err != nil {
		return err
	}
	c.mu.Lock()
	w := c.watches.legacy[uri]
	delete(c.watches.legacy, uri)
	settled := w != nil && w.open
	c.mu.Unlock()
	if settled { // otherwise the request that still opens it will leave it
		c.leave(w)
	}
	return c.complete(r, nil)
}

// forgetLegacy ends, under c.mu, what a legacy client watches and returns what is to be left.
func (c *conn) forgetLegacy() (open []*watch) {
	for _, w := range c.watches.legacy {
		if w.open {
			open = append(open, w)
		}
	}
	clear(c.watches.legacy)
	return open
}

// errNotWatched is why a resource is missing in an acknowledgement.
var errNotWatched = errors.New("the connection watches as many resources as it may")
