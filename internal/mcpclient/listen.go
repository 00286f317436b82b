package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Subscription is an open subscriptions/listen request of a modern server.
type Subscription struct {
	c       *Client
	pending *pending
	on      func(method string, params jsontext.Value)

	acknowledged chan struct{}
	filter       mcp.SubscriptionFilter // readable once acknowledged is closed

	stop     chan struct{} // closed by Close or by the server's teardown
	stopOnce sync.Once
	torndown bool // The server ended it; written before stop is closed.
	done     chan struct{}
	err      error // readable once done is closed
}

// subscriptions are the open ones by the raw id of their request.
type subscriptions struct {
	mu   sync.Mutex
	open map[string]*Subscription
}

// Listen opens a subscription and returns once the server has acknowledged it. On gets its notifications, one at a time, in
// the goroutine that also calls Options.OnNotification, and under the same limit. A legacy server has no subscriptions: its
// notifications arrive unasked at Options.OnNotification, and Listen returns an error.
//
// A subscription does not survive its connection. Whoever connects again listens again.
func (c *Client) Listen(ctx context.Context, filter mcp.SubscriptionFilter, on func(method string, params jsontext.Value)) (*Subscription, error) {
	fail := func(err error) (*Subscription, error) { return nil, fmt.Errorf("%s: %w", mcp.MethodListen, err) }
	if !c.modern {
		return fail(fmt.Errorf("a server that speaks %s has no subscriptions", c.version))
	}
	members, err := objectOf(map[string]any{"notifications": filter})
	if err != nil {
		return fail(err)
	}
	s := &Subscription{
		c: c, on: on, acknowledged: make(chan struct{}), stop: make(chan struct{}), done: make(chan struct{}),
	}
	build := c.builder(members, false)
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.CallTimeout, fmt.Errorf("%w: the subscription was not acknowledged", ErrTimeout))
	defer cancel()
	p, err := c.link.begin(ctx, mcp.MethodListen, func(id jsontext.Value) (jsontext.Value, error) {
		c.subs.add(id, s) // Before anything is sent: the acknowledgement may be faster than the return.
		return build(id)
	})
	if err != nil {
		c.subs.remove(s)
		return fail(err)
	}
	s.pending = p
	c.wg.Go(s.wait)
	select {
	case <-s.acknowledged:
		return s, nil
	case <-s.done:
		if s.err == nil {
			return fail(errors.New("the server ended the subscription at once"))
		}
		return fail(s.err)
	case <-ctx.Done():
		s.Close()
		return fail(ended(ctx))
	}
}

// Filter returns what the server agreed to report, which may be less than what was asked for.
func (s *Subscription) Filter() mcp.SubscriptionFilter { return s.filter }

// Done is closed when the subscription has ended.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Err returns why the subscription has ended: nil while it has not, and when Close or the server ended it in good order.
func (s *Subscription) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Close ends the subscription and tells the server.
func (s *Subscription) Close() {
	s.end(false)
	<-s.done
}

func (s *Subscription) end(torndown bool) {
	s.stopOnce.Do(func() {
		s.torndown = torndown
		close(s.stop)
	})
}

// wait is the subscription's goroutine: it ends with the answer to the request, the connection or Close.
func (s *Subscription) wait() {
	defer close(s.done)
	defer s.c.subs.remove(s)
	select {
	case m := <-s.pending.reply:
		if m.Error != nil {
			s.err = failureOf(m)
		}
	case <-s.c.link.dead:
		s.err = s.c.link.reason()
	case <-s.stop:
		if s.torndown { // There is nothing to tell the server. Its result may follow and is ignored then.
			s.c.link.drop(s.pending)
			return
		}
		s.c.link.cancel(s.pending, "the subscription is no longer needed")
	}
}

func (s *subscriptions) add(id jsontext.Value, sub *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]*Subscription{}
	}
	s.open[string(id)] = sub
}

func (s *subscriptions) remove(sub *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, other := range s.open {
		if other == sub {
			delete(s.open, id)
		}
	}
}

func (s *subscriptions) find(id jsontext.Value) *Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[string(id)]
}

// notification sorts a notification to the subscription or the question that it names, or to OnNotification.
func (c *Client) notification(m wire.Message) {
	if m.Method == mcp.NotifyCancelled {
		c.cancelled(m.Params)
		return
	}
	c.opts.Cache.heard(m)
	if id := subscriptionID(m.Params); id != nil {
		s := c.subs.find(id)
		switch {
		case s == nil: // It ended a moment ago.
		case m.Method == mcp.NotifyAcknowledged:
			s.acknowledge(m.Params)
		default:
			c.queue.put(c, m, s.on)
		}
		return
	}
	if c.opts.OnNotification != nil {
		c.queue.put(c, m, c.opts.OnNotification)
	}
}

// cancelled handles what a server takes back: a subscription (modern) or a question of its own (legacy).
func (c *Client) cancelled(params jsontext.Value) {
	var p struct {
		ID     jsontext.Value `json:"requestId"`
		Reason jsontext.Value `json:"reason"`
	}
	if unmarshal(params, &p) != nil || p.ID == nil {
		return
	}
	reason, _ := wire.Text(p.Reason)
	c.opts.Log.Debug("the MCP server cancelled", "id", string(p.ID), "reason", printable(reason))
	if c.asking.withdraw(p.ID) {
		return
	}
	if s := c.subs.find(p.ID); s != nil {
		s.end(true)
	}
}

// acknowledge takes the filter of the first acknowledgement. Only the reader calls it.
func (s *Subscription) acknowledge(params jsontext.Value) {
	select {
	case <-s.acknowledged:
		return
	default:
	}
	var p struct {
		Filter mcp.SubscriptionFilter `json:"notifications"`
	}
	if err := unmarshal(params, &p); err != nil {
		s.c.opts.Log.Warn("the MCP server acknowledged a subscription in an unreadable way", "error", err)
	}
	s.filter = p.Filter
	close(s.acknowledged)
}

// subscriptionID returns the id of the subscription that a notification belongs to, nil when it belongs to none.
func subscriptionID(params jsontext.Value) jsontext.Value {
	if params.Kind() != '{' {
		return nil
	}
	var p struct {
		Meta map[string]jsontext.Value `json:"_meta"`
	}
	if unmarshal(params, &p) != nil {
		return nil
	}
	return p.Meta[mcp.MetaSubscriptionID]
}

// queueRoom is how many notifications wait for a busy callback.
const queueRoom = 256

// queue runs the callbacks for notifications in one goroutine, so that a slow one never stops the reader.
type queue struct {
	calls   chan func()
	dropped int64 // only used by the reader
}

func (q *queue) start(c *Client) {
	q.calls = make(chan func(), queueRoom)
	c.wg.Go(func() {
		for {
			select {
			case call := <-q.calls:
				call()
			case <-c.ctx.Done():
				return
			}
		}
	})
}

// put queues a notification or drops it. Log messages may fill half of the queue only: a server that floods them must not
// push out the notification that its tools have changed.
func (q *queue) put(c *Client, m wire.Message, to func(string, jsontext.Value)) {
	room := queueRoom
	if m.Method == "notifications/message" {
		room /= 2
	}
	if len(q.calls) < room {
		select {
		case q.calls <- func() { to(m.Method, m.Params) }:
			return
		default:
		}
	}
	q.dropped++
	if sometimes(q.dropped) {
		c.opts.Log.Warn("dropped a notification of the MCP server, its receiver is too slow", "dropped", q.dropped, "method", printable(m.Method))
	}
}
