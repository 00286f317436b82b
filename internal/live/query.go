package live

import (
	"bytes"
	"context"
	"time"

	"github.com/elyra-go/elyra/database"
)

// state is where a query is between two results.
type state int

const (
	idle    state = iota // nothing to do
	waiting              // to be run when its pace allows
	queued               // to be run by the next worker
	running
)

// query is one live query and those who subscribed to it. The registry's mu guards it.
type query struct {
	registry      *Registry
	key           Key
	run           Run
	subscriptions map[*Subscription]struct{}

	state   state
	outcome *Update       // of the last run, nil before the first
	reads   reads         // of the last run, as it is in the index
	started time.Time     // when the last run began
	took    time.Duration // how long it took
	asked   int           // how many statements it made outside of transactions

	timer   *time.Timer // for the next run, or for the time a run asked for
	armed   int         // tells a timer that was stopped too late from the newest
	now     *recording  // of the run that is under way
	cancel  context.CancelFunc
	dropped bool // the run under way was cancelled, because nobody was left
}

// begin starts a run.
func (q *query) begin() context.Context {
	q.state = running
	q.started = q.registry.o.Now()
	q.now = &recording{started: q.started}
	q.now.views.several = q.asked > 1 || q.outcome == nil && q.registry.several[q.key.Command]
	ctx := context.WithValue(q.registry.ctx, recordingKey{}, q.now)
	ctx = database.WithRecorder(ctx, q.now)
	ctx, q.cancel = context.WithCancel(ctx)
	return ctx
}

// finish takes what a run gave. since is the number of the last change before it began.
func (q *query) finish(value []byte, err error, since uint64) {
	r := q.registry
	now := r.o.Now()
	q.took = now.Sub(q.started)
	got, again := q.now.close()
	q.warnVolatile(q.now.volatile, again)
	mixed := q.now.views.mixed()
	if q.asked = q.now.views.asked; q.asked > 1 {
		r.several[q.key.Command] = true
	}
	q.now, q.state = nil, idle
	dropped := q.dropped
	q.dropped = false
	switch {
	case r.closed:
		return
	case len(q.subscriptions) == 0:
		r.forget(q)
		return
	case dropped:
		// Someone subscribed after the run was cancelled.
		r.enqueue(q)
		return
	}
	if err != nil {
		// It may have stopped before it read all that the value it keeps depends on.
		got.add(q.reads)
	}
	r.index.replace(q, got)
	stale := r.log.affects(since, got)
	if !stale || !mixed { // else its parts may not belong together, and the next run's will
		q.settle(value, err)
	}
	if stale {
		r.schedule(q)
		return
	}
	q.sleepUntil(again)
}

// warnVolatile tells a developer once that a command's result goes stale by itself.
func (q *query) warnVolatile(function string, again time.Time) {
	r := q.registry
	if function == "" || !again.IsZero() || !r.o.Development || r.warned[q.key.Command] {
		return
	}
	r.warned[q.key.Command] = true
	r.o.Log.Warn("a live command depends on the time or on chance, and nothing runs it again when that changes: call elyra.RerunAt, or pass the value as an argument",
		"command", q.key.Command, "function", function)
}

// settle delivers the outcome of a run if it differs from the last.
func (q *query) settle(value []byte, err error) {
	last := q.outcome
	next := &Update{Value: value, Err: err}
	if err != nil {
		next.Value = nil
		if last != nil {
			next.Value = last.Value
		}
	}
	q.outcome = next
	if last != nil && same(*last, *next) {
		return
	}
	for s := range q.subscriptions {
		s.deliver(*next)
	}
}

func same(a, b Update) bool {
	if a.Err != nil || b.Err != nil {
		return a.Err != nil && b.Err != nil && a.Err.Error() == b.Err.Error()
	}
	return bytes.Equal(a.Value, b.Value)
}

// longestSleep bounds a timer: timers stand still while a computer sleeps, the clock does not.
const longestSleep = time.Minute

// sleepUntil has an idle query run again at t, unless it runs before. A zero t does nothing.
func (q *query) sleepUntil(t time.Time) {
	if t.IsZero() {
		return
	}
	r := q.registry
	if left := t.Sub(r.o.Now()); left > 0 {
		q.arm(min(left, longestSleep), func() { q.sleepUntil(t) })
		return
	}
	r.schedule(q)
}

// arm has fn called after d with mu held. It replaces what was armed before.
func (q *query) arm(d time.Duration, fn func()) {
	q.disarm()
	r, armed := q.registry, q.armed
	r.wg.Add(1)
	q.timer = time.AfterFunc(d, func() {
		defer r.wg.Done()
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.closed && q.armed == armed {
			q.timer = nil
			fn()
		}
	})
}

func (q *query) disarm() {
	q.armed++
	if q.timer != nil && q.timer.Stop() {
		q.registry.wg.Done()
	}
	q.timer = nil
}

// forget takes a query without subscriptions out.
func (r *Registry) forget(q *query) {
	q.disarm()
	r.index.replace(q, reads{})
	delete(r.queries, q.key)
}

// Subscription is one subscriber's view of a live query.
type Subscription struct {
	query   *query
	updates chan Update
	ended   bool // guarded by the registry's mu
}

// Updates gives results as they change. It holds one: a subscriber that is slow misses those
// in between and always gets the latest. It is closed by Close and by the registry's Close.
func (s *Subscription) Updates() <-chan Update { return s.updates }

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	q := s.query
	r := q.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.ended {
		return
	}
	s.end()
	delete(q.subscriptions, s)
	r.total--
	if r.principals[q.key.Principal]--; r.principals[q.key.Principal] == 0 {
		delete(r.principals, q.key.Principal)
	}
	if len(q.subscriptions) > 0 || r.closed {
		return
	}
	if q.state == running {
		// It stays known until the run ends, so that a new subscriber cannot start another
		// beside it.
		q.dropped = true
		q.cancel()
		return
	}
	r.forget(q)
}

// end closes the channel. mu is held.
func (s *Subscription) end() {
	if !s.ended {
		s.ended = true
		close(s.updates)
	}
}

// deliver puts u in the place of what was not received yet. mu is held, so nobody else
// sends.
func (s *Subscription) deliver(u Update) {
	if s.ended {
		return
	}
	select {
	case <-s.updates:
	default:
	}
	s.updates <- u
}
