package live

import (
	"github.com/elyra-go/elyra/database"
)

// queries is a set.
type queries map[*query]struct{}

// index finds the queries that a change affects without asking each.
type index struct {
	byTable    map[string]*tableIndex
	byKey      map[string]queries
	everything queries // those that read all there is
	all        queries // those that have run
	from       map[database.Handle]*followed
}

// followed is a database that queries read, so that commits of others matter.
type followed struct {
	queries queries
	stop    func()
}

// tableIndex finds the queries on one table. A query on single rows is in it once for each
// of its conditions, at the place where a changed row that meets the condition leads to.
type tableIndex struct {
	whole  queries                            // those that depend on any row
	bound  queries                            // the others
	rows   map[int64]queries                  // by rowid
	equal  map[int]map[database.Value]queries // by the value of a column
	ranges queries                            // no condition but a range: asked each time
}

// replace puts q in for d, in place of what it was in for.
func (x *index) replace(q *query, d reads) {
	for name, t := range q.reads.tables {
		x.byTable[name].remove(q, t)
		if x.byTable[name].empty() {
			delete(x.byTable, name)
		}
	}
	for name := range q.reads.keys {
		remove(x.byKey, name, q)
	}
	delete(x.everything, q)
	delete(x.all, q)
	if len(q.subscriptions) == 0 {
		d = reads{}
	}
	x.follow(q, d)
	q.reads = d
	if len(q.subscriptions) == 0 {
		return
	}
	if x.all == nil {
		x.byTable, x.byKey = map[string]*tableIndex{}, map[string]queries{}
		x.everything, x.all = queries{}, queries{}
	}
	x.all[q] = struct{}{}
	for name, t := range d.tables {
		if x.byTable[name] == nil {
			x.byTable[name] = &tableIndex{queries{}, queries{}, map[int64]queries{}, map[int]map[database.Value]queries{}, queries{}}
		}
		x.byTable[name].insert(q, t)
	}
	for name := range d.keys {
		insert(x.byKey, name, q)
	}
	if d.everything {
		x.everything[q] = struct{}{}
	}
}

// follow has the databases watched that queries read, and no others.
func (x *index) follow(q *query, d reads) {
	for h := range d.from {
		if x.from == nil {
			x.from = map[database.Handle]*followed{}
		}
		if x.from[h] == nil {
			x.from[h] = &followed{queries{}, h.Watch()}
		}
		x.from[h].queries[q] = struct{}{}
	}
	for h := range q.reads.from {
		f := x.from[h]
		if _, still := d.from[h]; still || f == nil {
			continue
		}
		if delete(f.queries, q); len(f.queries) == 0 {
			f.stop()
			delete(x.from, h)
		}
	}
}

// end stops watching.
func (x *index) end() {
	for _, f := range x.from {
		f.stop()
	}
	x.from = nil
}

func insert[K comparable](m map[K]queries, key K, q *query) {
	if m[key] == nil {
		m[key] = queries{}
	}
	m[key][q] = struct{}{}
}

func remove[K comparable](m map[K]queries, key K, q *query) {
	delete(m[key], q)
	if len(m[key]) == 0 {
		delete(m, key)
	}
}

func (x *tableIndex) empty() bool { return len(x.whole) == 0 && len(x.bound) == 0 }

func (x *tableIndex) insert(q *query, t *rowsRead) {
	if t.whole {
		x.whole[q] = struct{}{}
		return
	}
	x.bound[q] = struct{}{}
	for _, c := range t.conditions {
		switch term, id := placeOf(c); {
		case term == nil:
			x.ranges[q] = struct{}{}
		case term.Column == database.RowID:
			insert(x.rows, id, q)
		default:
			if x.equal[term.Column] == nil {
				x.equal[term.Column] = map[database.Value]queries{}
			}
			insert(x.equal[term.Column], term.Low, q)
		}
	}
}

func (x *tableIndex) remove(q *query, t *rowsRead) {
	delete(x.whole, q)
	delete(x.bound, q)
	delete(x.ranges, q)
	for _, c := range t.conditions {
		switch term, id := placeOf(c); {
		case term == nil:
		case term.Column == database.RowID:
			remove(x.rows, id, q)
		default:
			if remove(x.equal[term.Column], term.Low, q); len(x.equal[term.Column]) == 0 {
				delete(x.equal, term.Column)
			}
		}
	}
}

// placeOf gives the term by which a condition is found, nil when it has only ranges. For a
// rowid it also gives the number; a rowid that is no whole number is no row's.
func placeOf(c database.Condition) (term *database.Term, id int64) {
	for i := range c {
		if !c[i].IsEqual() {
			continue
		}
		if c[i].Column != database.RowID {
			return &c[i], 0
		}
		if id, ok := c[i].Low.Whole(); ok {
			return &c[i], id
		}
	}
	return nil, 0
}

// affected calls fn for each query that c may have changed, perhaps more than once.
func (x *index) affected(c change, fn func(*query)) {
	if c.everything {
		x.all.each(fn)
		return
	}
	for _, name := range c.tables {
		t := x.byTable[name]
		if t == nil {
			continue
		}
		t.whole.each(fn)
		rows, known := c.rows[name]
		if !known {
			t.bound.each(fn)
			continue
		}
		for _, row := range rows {
			t.affected(name, row, fn)
		}
	}
	if len(c.tables) > 0 {
		x.everything.each(fn)
	}
	for _, name := range c.keys {
		x.byKey[name].each(fn)
	}
}

func (s queries) each(fn func(*query)) {
	for q := range s {
		fn(q)
	}
}

// affected calls fn for each query on single rows that the change of one row concerns.
func (x *tableIndex) affected(name string, change database.RowChange, fn func(*query)) {
	if len(x.bound) == 0 {
		return
	}
	check := func(q *query) {
		if q.reads.tables[name].touched(change) {
			fn(q)
		}
	}
	x.ranges.each(check)
	for _, row := range [...]database.Row{change.Old, change.New} {
		if row.Absent {
			continue
		}
		x.rows[row.ID].each(check)
		for column, values := range x.equal {
			if v := row.Value(column); v.IsKnown() {
				values[v].each(check)
				continue
			}
			for _, set := range values {
				set.each(check)
			}
		}
	}
}
