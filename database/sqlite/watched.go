package sqlite

import (
	"maps"
	"sync"
	"sync/atomic"

	lib "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/elyra-go/elyra/database"
)

// watched says of which tables single rows matter to somebody, and how many of their columns.
// For the other tables a write costs no more than the table's name. A table stays watched
// until the schema changes: to forget it would save little, and could come too early.
//
// Nothing is missed by a transaction that wrote before its table was watched: what it wrote
// until then counts as the whole table.
type watched struct {
	mu     sync.Mutex
	tables atomic.Pointer[map[string]interest] // replaced, never changed in place
}

// interest is what of a table's rows is kept.
type interest struct {
	columns int // how many of the first columns matter; 0: only the rowid
	stored  int // how many columns the table has
}

// want has the first columns columns of the rows of table kept from now on.
func (w *watched) want(table string, columns, stored int) {
	if have, ok := w.find(table); ok && have.columns >= columns && have.stored == stored {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	next := map[string]interest{}
	if all := w.tables.Load(); all != nil {
		maps.Copy(next, *all)
	}
	if have := next[table]; have.stored == stored {
		columns = max(columns, have.columns)
	}
	next[table] = interest{columns, stored}
	w.tables.Store(&next)
}

func (w *watched) find(table string) (interest, bool) {
	all := w.tables.Load()
	if all == nil {
		return interest{}, false
	}
	i, ok := (*all)[table]
	return i, ok
}

func (w *watched) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tables.Store(nil)
}

// changing is the preupdate hook: a row is about to change.
func (p *physical) changing(d lib.SQLitePreUpdateData) {
	switch d.DatabaseName {
	case "main":
	case "temp":
		return // seen by this connection alone
	default:
		p.pending.everything = true
		return
	}
	if p.pending.everything || p.pending.isWhole(d.TableName) {
		p.pending.add(d.TableName)
		return
	}
	want, ok := p.watched.find(d.TableName)
	if !ok {
		p.pending.add(d.TableName)
		return
	}
	change := database.RowChange{Old: database.Row{ID: d.OldRowID}, New: database.Row{ID: d.NewRowID}}
	switch d.Op {
	case codes.SQLITE_INSERT:
		change.Old = database.Row{Absent: true}
	case codes.SQLITE_DELETE:
		change.New = database.Row{Absent: true}
	}
	if want.columns > 0 && !p.readRow(d, want, &change) {
		p.pending.add(d.TableName)
		return
	}
	p.pending.addRow(d.TableName, change)
}

// readRow adds the values that somebody depends on. It is false when they cannot be told.
func (p *physical) readRow(d lib.SQLitePreUpdateData, want interest, change *database.RowChange) bool {
	// A table that is not the one that was looked at, or events of a statement that was
	// compiled again, mean that another process has changed the schema.
	if d.Count() != want.stored || len(p.events) > 0 {
		return false
	}
	p.row = append(p.row[:0], make([]any, want.columns)...)
	if !change.Old.Absent {
		if d.Old(p.row...) != nil {
			return false
		}
		change.Old.Values = keptValues(p.row)
	}
	if !change.New.Absent {
		clear(p.row)
		if d.New(p.row...) != nil {
			return false
		}
		change.New.Values = keptValues(p.row)
	}
	return true
}

func keptValues(row []any) []database.Value {
	values := make([]database.Value, len(row))
	for i, v := range row {
		if b, ok := v.([]byte); ok && len(b) == 0 {
			continue // the library makes no difference between an empty blob and none
		}
		values[i], _ = database.ValueOf(v)
	}
	return values
}
