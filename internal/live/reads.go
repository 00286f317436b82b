package live

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/elyra-go/elyra/database"
)

// reads is what a run depends on.
type reads struct {
	tables     map[string]struct{}
	keys       map[string]struct{} // of Reads
	everything bool                // all that is in a database
}

func (d *reads) table(name string) {
	if d.tables == nil {
		d.tables = map[string]struct{}{}
	}
	d.tables[name] = struct{}{}
}

func (d *reads) key(name string) {
	if d.keys == nil {
		d.keys = map[string]struct{}{}
	}
	d.keys[name] = struct{}{}
}

func (d *reads) add(b reads) {
	for name := range b.tables {
		d.table(name)
	}
	for name := range b.keys {
		d.key(name)
	}
	d.everything = d.everything || b.everything
}

// hit reports whether c may have changed what d depends on.
func (d *reads) hit(c change) bool {
	if c.everything || d.everything && len(c.tables) > 0 {
		return true
	}
	for _, name := range c.tables {
		if _, ok := d.tables[name]; ok {
			return true
		}
	}
	for _, name := range c.keys {
		if _, ok := d.keys[name]; ok {
			return true
		}
	}
	return false
}

// change is one commit, or one call of Changed.
type change struct {
	tables     []string
	keys       []string
	everything bool
}

func tablesChange(w database.Writes) change {
	return change{tables: w.Tables, everything: w.Everything}
}

func keysChange(keys []string) change { return change{keys: append([]string(nil), keys...)} }

// changeLog remembers the newest changes, for runs that were under way.
type changeLog struct {
	seq  uint64 // of the newest change
	ring [logSize]change
}

// logSize is how many changes are remembered. A run in which more happen is run again.
const logSize = 256

func (l *changeLog) add(c change) {
	l.seq++
	l.ring[l.seq%logSize] = c
}

// affects reports whether a change after since may have changed what d depends on.
func (l *changeLog) affects(since uint64, d reads) bool {
	if l.seq-since > logSize {
		return true
	}
	for seq := since + 1; seq <= l.seq; seq++ {
		if d.hit(l.ring[seq%logSize]) {
			return true
		}
	}
	return false
}

// index finds the queries that a change affects without asking each.
type index struct {
	byTable    map[string]map[*query]struct{}
	byKey      map[string]map[*query]struct{}
	everything map[*query]struct{} // those that read all there is
	all        map[*query]struct{} // those that have run
}

// replace puts q in for d, in place of what it was in for.
func (x *index) replace(q *query, d reads) {
	for name := range q.reads.tables {
		remove(x.byTable, name, q)
	}
	for name := range q.reads.keys {
		remove(x.byKey, name, q)
	}
	delete(x.everything, q)
	delete(x.all, q)
	q.reads = d
	if len(q.subscriptions) == 0 {
		return
	}
	if x.all == nil {
		*x = index{map[string]map[*query]struct{}{}, map[string]map[*query]struct{}{}, map[*query]struct{}{}, map[*query]struct{}{}}
	}
	x.all[q] = struct{}{}
	for name := range d.tables {
		insert(x.byTable, name, q)
	}
	for name := range d.keys {
		insert(x.byKey, name, q)
	}
	if d.everything {
		x.everything[q] = struct{}{}
	}
}

func insert(m map[string]map[*query]struct{}, name string, q *query) {
	if m[name] == nil {
		m[name] = map[*query]struct{}{}
	}
	m[name][q] = struct{}{}
}

func remove(m map[string]map[*query]struct{}, name string, q *query) {
	delete(m[name], q)
	if len(m[name]) == 0 {
		delete(m, name)
	}
}

// affected calls fn for each query that c may have changed, perhaps more than once.
func (x *index) affected(c change, fn func(*query)) {
	each := func(set map[*query]struct{}) {
		for q := range set {
			fn(q)
		}
	}
	if c.everything {
		each(x.all)
		return
	}
	for _, name := range c.tables {
		each(x.byTable[name])
	}
	if len(c.tables) > 0 {
		each(x.everything)
	}
	for _, name := range c.keys {
		each(x.byKey[name])
	}
}

// recording notes what one run reads. Its methods may be called from any goroutine; after the
// run has ended they do nothing.
type recording struct {
	started time.Time

	mu    sync.Mutex
	reads reads
	again time.Time // the earliest that was asked for, zero for none
	ended bool
}

type recordingKey struct{}

// Read implements database.Recorder.
func (n *recording) Read(table string) { n.note(func() { n.reads.table(table) }) }

// ReadEverything implements database.Recorder.
func (n *recording) ReadEverything() { n.note(func() { n.reads.everything = true }) }

func (n *recording) note(fn func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.ended {
		fn()
	}
}

// close gives what was noted.
func (n *recording) close() (reads, time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	return reads{maps.Clone(n.reads.tables), maps.Clone(n.reads.keys), n.reads.everything}, n.again
}

// Reads says that the run of ctx depends on something that is in no database.
// [Registry.Changed] with the same key runs it again. Outside a live run it does nothing.
func Reads(ctx context.Context, key string) {
	if n, ok := ctx.Value(recordingKey{}).(*recording); ok {
		n.note(func() { n.reads.key(key) })
	}
}

// RerunAt has the query of ctx run again at t, for a result that depends on the time. Of
// several times the earliest counts; a later run has to ask anew. A time before the run began
// is ignored. Outside a live run it does nothing.
func RerunAt(ctx context.Context, t time.Time) {
	if n, ok := ctx.Value(recordingKey{}).(*recording); ok {
		n.note(func() {
			if t.After(n.started) && (n.again.IsZero() || t.Before(n.again)) {
				n.again = t
			}
		})
	}
}
