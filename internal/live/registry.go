// Package live runs live queries again when what they read has changed, and gives their new
// results to those who subscribed.
//
// It owns the subscriptions, the record of what each run read, and the time between runs. It
// promises that equal subscriptions share one run, that only a result that differs is
// delivered, that one query never runs twice at a time, and that a commit during a run is not
// missed: it is compared with what that run turned out to have read. A run of several
// statements sees one state of the data.
//
// Results are bytes to it: it knows no commands, no windows and no protocol. It must not
// import anything of this module but package database.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/elyra-go/elyra/database"
)

// Options are the settings of a Registry. The zero value is ready to use.
type Options struct {
	// Now is the clock. Nil means time.Now.
	Now func() time.Time

	// MinInterval is the least time from the start of one run of a query to the start of its
	// next. Zero means 16 ms. A query that takes long also waits for four times what its
	// last run took.
	MinInterval time.Duration

	// PerPrincipal says how many subscriptions a principal may have at a time. Nil means
	// 1,000 for each.
	PerPrincipal func(principal string) int

	// Max is how many subscriptions there may be at a time altogether. Zero means 10,000.
	Max int

	// Workers is how many queries run at a time. Zero means 8.
	Workers int

	// Development has the log say when a query depends on the time or on chance and does not
	// say with RerunAt when it is to run again.
	Development bool

	// Log is told of runs that panicked. Nil discards it.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MinInterval == 0 {
		o.MinInterval = 16 * time.Millisecond
	}
	if o.PerPrincipal == nil {
		o.PerPrincipal = func(string) int { return 1000 }
	}
	if o.Max == 0 {
		o.Max = 10_000
	}
	if o.Workers == 0 {
		o.Workers = 8
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Key says which subscriptions are equal.
type Key struct {
	Command   string
	Args      string // canonical: equal arguments are equal text
	Principal string // who asks, because what a query shows may depend on it
}

// Run makes a result. Its ctx records what database statements, [Reads] and [RerunAt] say, and
// ends when the registry closes or when nobody waits for the result any more. It must not
// depend on the life of the subscriber that brought it, because it serves later ones too.
type Run func(ctx context.Context) ([]byte, error)

// Update is what a subscriber gets.
type Update struct {
	// Value is the newest result: that of the last run that went well, nil if none did.
	// Subscribers share it, so it must not be changed.
	Value []byte

	// Err is why the last run failed.
	Err error
}

// ErrClosed is the error of Subscribe after Close.
var ErrClosed = errors.New("subscribe: the live queries are closed")

// LimitError is the error of a subscription that is one too many.
type LimitError struct {
	Principal string // empty for the limit of the whole process
	Limit     int
}

func (e *LimitError) Error() string {
	if e.Principal == "" {
		return fmt.Sprintf("subscribe: the app has its limit of %d live queries open: close some that are not shown", e.Limit)
	}
	return fmt.Sprintf("subscribe: %s has its limit of %d live queries open: close some that are not shown", e.Principal, e.Limit)
}

// Registry holds the live queries of one app.
type Registry struct {
	o    Options
	ctx  context.Context // of all runs
	stop context.CancelFunc
	wg   sync.WaitGroup // workers and timers

	mu         sync.Mutex
	closed     bool
	queries    map[Key]*query
	total      int
	principals map[string]int
	index      index
	log        changeLog
	ready      []*query // to be run, oldest first
	workers    int
	warned     map[string]bool // commands that the log was told of
	several    map[string]bool // commands of which a run made more than one statement
}

// New makes a Registry. Close ends it.
func New(o Options) *Registry {
	r := &Registry{o: o.withDefaults(), queries: map[Key]*query{}, principals: map[string]int{}, warned: map[string]bool{}, several: map[string]bool{}}
	r.ctx, r.stop = context.WithCancel(context.Background())
	return r
}

// Subscribe delivers the result of run now and whenever it changes. A subscription with a key
// that is there already shares its runs, and gets its newest result at once.
func (r *Registry) Subscribe(key Key, run Run) (*Subscription, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, ErrClosed
	}
	if r.total >= r.o.Max {
		return nil, &LimitError{Limit: r.o.Max}
	}
	if limit := r.o.PerPrincipal(key.Principal); r.principals[key.Principal] >= limit {
		return nil, &LimitError{key.Principal, limit}
	}
	r.total++
	r.principals[key.Principal]++
	q := r.queries[key]
	if q == nil {
		q = &query{registry: r, key: key, subscriptions: map[*Subscription]struct{}{}}
		r.queries[key] = q
	}
	s := &Subscription{query: q, updates: make(chan Update, 1)}
	q.subscriptions[s] = struct{}{}
	if len(q.subscriptions) == 1 {
		q.run = run
	}
	if q.outcome != nil {
		s.deliver(*q.outcome)
	}
	if q.outcome == nil && q.state == idle {
		r.enqueue(q)
	}
	return s, nil
}

// Committed says that a transaction was committed. It is quick and never blocks, so it can be
// what a database calls.
func (r *Registry) Committed(w database.Writes) {
	if !w.Everything && len(w.Tables) == 0 {
		return
	}
	r.note(tablesChange(w))
}

// Changed says that something that is in no database has changed: what runs called [Reads]
// with.
func (r *Registry) Changed(keys ...string) {
	if len(keys) > 0 {
		r.note(keysChange(keys))
	}
}

func (r *Registry) note(c change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.log.add(c)
	r.index.affected(c, func(q *query) {
		// A run that is under way is compared with the log when it ends.
		if q.state == idle {
			r.schedule(q)
		}
	})
}

// Close ends all subscriptions and runs, and waits for the runs to return. It must not be
// called from one.
func (r *Registry) Close() {
	r.mu.Lock()
	r.closed = true
	r.stop()
	for _, q := range r.queries {
		q.disarm()
		for s := range q.subscriptions {
			s.end()
		}
	}
	r.index.end()
	r.ready = nil
	clear(r.queries)
	r.mu.Unlock()
	r.wg.Wait()
}

// schedule runs q as soon as its pace allows. q is idle; mu is held.
func (r *Registry) schedule(q *query) {
	pause := max(r.o.MinInterval, 4*q.took)
	if wait := q.started.Add(pause).Sub(r.o.Now()); wait > 0 && !q.started.IsZero() {
		q.state = waiting
		q.arm(wait, func() { r.enqueue(q) })
		return
	}
	r.enqueue(q)
}

// enqueue hands q to a worker. mu is held.
func (r *Registry) enqueue(q *query) {
	q.disarm()
	q.state = queued
	r.ready = append(r.ready, q)
	if r.workers < r.o.Workers {
		r.workers++
		r.wg.Go(r.work)
	}
}

// work runs what is ready and returns when nothing is.
func (r *Registry) work() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.ready) > 0 {
		q := r.ready[0]
		r.ready[0], r.ready = nil, r.ready[1:]
		if len(q.subscriptions) == 0 {
			continue // it was dropped while it waited
		}
		ctx, started := q.begin(), r.log.seq
		run, cancel, views := q.run, q.cancel, &q.now.views
		r.mu.Unlock()
		value, err := r.safely(q.key, run, ctx)
		cancel() // also what the run has left behind
		if e := views.end(); e != nil {
			r.o.Log.Error("a live query's view of the database could not be closed", "command", q.key.Command, "error", e)
		}
		r.mu.Lock()
		q.finish(value, err, started)
	}
	r.workers--
}

// safely runs run and makes an error of a panic, whose cause goes to the log alone.
func (r *Registry) safely(key Key, run Run, ctx context.Context) (value []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.o.Log.Error("a live query panicked", "command", key.Command, "panic", p, "stack", string(debug.Stack()))
			value, err = nil, fmt.Errorf("the live query %s failed inside", key.Command)
		}
	}()
	return run(ctx)
}
