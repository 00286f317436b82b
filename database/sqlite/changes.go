package sqlite

import (
	"maps"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/database"
)

// maxRows is how many changed rows of one table a transaction tells one by one. Above it,
// every query on the table is asked to look again, which is cheaper than comparing so many.
const maxRows = 256

// changes gathers what a transaction wrote.
type changes struct {
	tables     map[string]tableChanges
	last       string // the table added whole last: rows of one table come in a row
	everything bool
	savepoints []savepoint
}

// tableChanges is what is known of the rows of one table. The rows are only ever added to,
// so that a copy of the header stays what it is.
type tableChanges struct {
	whole bool
	rows  []database.RowChange
}

// savepoint remembers what had changed when it was set.
type savepoint struct {
	name       string
	tables     map[string]tableChanges
	everything bool
}

// add says that any row of table may have changed.
func (c *changes) add(table string) {
	if table == c.last {
		return
	}
	c.set(table, tableChanges{whole: true})
	c.last = table
}

// addRow adds the change of one row.
func (c *changes) addRow(table string, row database.RowChange) {
	t := c.tables[table]
	if t.whole {
		return
	}
	if len(t.rows) >= maxRows {
		c.add(table)
		return
	}
	t.rows = append(t.rows, row)
	c.set(table, t)
}

func (c *changes) isWhole(table string) bool { return c.tables[table].whole }

func (c *changes) set(table string, t tableChanges) {
	if c.tables == nil {
		c.tables = map[string]tableChanges{}
	}
	c.tables[table] = t
}

func (c *changes) merge(b changes) {
	for table, t := range b.tables {
		if t.whole {
			c.add(table)
		}
		for _, row := range t.rows {
			c.addRow(table, row)
		}
	}
	c.everything = c.everything || b.everything
}

// mark follows the savepoints of the transaction, so that one that is rolled back takes with
// it what was written in it. action is the authorizer's: BEGIN, RELEASE or ROLLBACK.
func (c *changes) mark(action, name string) {
	if action == "BEGIN" {
		c.savepoints = append(c.savepoints, savepoint{name, maps.Clone(c.tables), c.everything})
		return
	}
	for i, s := range slices.Backward(c.savepoints) {
		if !strings.EqualFold(s.name, name) {
			continue
		}
		if action == "RELEASE" {
			c.savepoints = c.savepoints[:i]
			return
		}
		// The savepoint stays open, so it keeps its own copy.
		c.tables, c.everything, c.last = maps.Clone(s.tables), s.everything, ""
		for table, t := range c.tables {
			t.rows = slices.Clip(t.rows)
			c.tables[table] = t
		}
		c.savepoints = c.savepoints[:i+1]
		return
	}
}

func (c *changes) empty() bool { return len(c.tables) == 0 && !c.everything }

func (c *changes) writes() database.Writes {
	if c.everything {
		return database.Writes{Everything: true}
	}
	w := database.Writes{Tables: slices.Sorted(maps.Keys(c.tables))}
	for table, t := range c.tables {
		if t.whole {
			continue
		}
		if w.Rows == nil {
			w.Rows = map[string][]database.RowChange{}
		}
		w.Rows[table] = t.rows
	}
	return w
}
