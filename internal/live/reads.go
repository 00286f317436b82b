package live

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/elyra-go/elyra/database"
)

// reads is what a run depends on.
type reads struct {
	tables     map[string]*rowsRead
	keys       map[string]struct{} // of Reads
	from       map[database.Handle]struct{}
	everything bool // all that is in a database
}

// rowsRead is what a run read of one table: the rows that meet one of the conditions, or any.
type rowsRead struct {
	whole      bool
	conditions []database.Condition
}

// maxConditions is how many conditions on one table a query keeps. With more, it depends on
// the whole table.
const maxConditions = 256

func (d *reads) rowsOf(table string) *rowsRead {
	if d.tables == nil {
		d.tables = map[string]*rowsRead{}
	}
	t := d.tables[table]
	if t == nil {
		t = &rowsRead{}
		d.tables[table] = t
	}
	return t
}

func (d *reads) table(name string) {
	t := d.rowsOf(name)
	t.whole, t.conditions = true, nil
}

func (d *reads) rows(table string, conditions []database.Condition) {
	t := d.rowsOf(table)
	for _, c := range conditions {
		if t.whole {
			return
		}
		if slices.ContainsFunc(t.conditions, func(have database.Condition) bool { return slices.Equal(have, c) }) {
			continue
		}
		if len(c) == 0 || len(t.conditions) >= maxConditions {
			t.whole, t.conditions = true, nil
			return
		}
		t.conditions = append(t.conditions, c)
	}
}

func (d *reads) key(name string) {
	if d.keys == nil {
		d.keys = map[string]struct{}{}
	}
	d.keys[name] = struct{}{}
}

func (d *reads) source(h database.Handle) {
	if d.from == nil {
		d.from = map[database.Handle]struct{}{}
	}
	d.from[h] = struct{}{}
}

func (d *reads) add(b reads) {
	for h := range b.from {
		d.source(h)
	}
	for name, t := range b.tables {
		if t.whole {
			d.table(name)
		} else {
			d.rows(name, t.conditions)
		}
	}
	for name := range b.keys {
		d.key(name)
	}
	d.everything = d.everything || b.everything
}

func (d *reads) clone() reads {
	c := reads{everything: d.everything, keys: maps.Clone(d.keys), from: maps.Clone(d.from)}
	for name, t := range d.tables {
		*c.rowsOf(name) = rowsRead{t.whole, slices.Clone(t.conditions)}
	}
	return c
}

// touched reports whether the change of one row may concern what was read of its table.
func (t *rowsRead) touched(change database.RowChange) bool {
	if t.whole {
		return true
	}
	for _, c := range t.conditions {
		if c.Touches(change) {
			return true
		}
	}
	return false
}

// hit reports whether c may have changed what d depends on.
func (d *reads) hit(c change) bool {
	if c.everything || d.everything && len(c.tables) > 0 {
		return true
	}
	for _, name := range c.tables {
		t, ok := d.tables[name]
		if !ok {
			continue
		}
		rows, known := c.rows[name]
		if !known || slices.ContainsFunc(rows, t.touched) {
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
	rows       map[string][]database.RowChange // of those tables of which single rows are known
	keys       []string
	everything bool
}

func tablesChange(w database.Writes) change {
	return change{tables: w.Tables, rows: w.Rows, everything: w.Everything}
}

func keysChange(keys []string) change { return change{keys: slices.Clone(keys)} }

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

// recording notes what one run reads. Its methods may be called from any goroutine; after the
// run has ended they do nothing.
type recording struct {
	started time.Time
	views   views

	mu    sync.Mutex
	reads reads
	again time.Time // the earliest that was asked for, zero for none
	ended bool

	volatile string // a function that depends on the time or on chance
}

type recordingKey struct{}

// From implements database.Recorder.
func (n *recording) From(h database.Handle) { n.note(func() { n.reads.source(h) }) }

// Read implements database.Recorder.
func (n *recording) Read(table string) { n.note(func() { n.reads.table(table) }) }

// ReadRows implements database.Recorder.
func (n *recording) ReadRows(table string, conditions []database.Condition) {
	n.note(func() { n.reads.rows(table, conditions) })
}

// Volatile implements database.Recorder.
func (n *recording) Volatile(function string) { n.note(func() { n.volatile = function }) }

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
	return n.reads.clone(), n.again
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
