package sqlite

import (
	"maps"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/database"
)

// changes gathers what a transaction wrote.
type changes struct {
	tables     map[string]struct{}
	last       string // the table added last: rows of one table come in a row
	everything bool
}

func (c *changes) add(table string) {
	if table == c.last {
		return
	}
	if c.tables == nil {
		c.tables = map[string]struct{}{}
	}
	c.tables[table], c.last = struct{}{}, table
}

func (c *changes) merge(b changes) {
	for table := range b.tables {
		c.add(table)
	}
	c.everything = c.everything || b.everything
}

func (c *changes) empty() bool { return len(c.tables) == 0 && !c.everything }

func (c *changes) writes() database.Writes {
	if c.everything {
		return database.Writes{Everything: true}
	}
	return database.Writes{Tables: slices.Sorted(maps.Keys(c.tables))}
}

// listeners are those who want to hear of commits.
type listeners struct {
	mu   sync.Mutex
	list []*listener // replaced, never changed in place
}

type listener struct{ fn func(database.Writes) }

func (l *listeners) add(fn func(database.Writes)) (stop func()) {
	one := &listener{fn}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(slices.Clip(l.list), one)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.list = slices.DeleteFunc(slices.Clone(l.list), func(o *listener) bool { return o == one })
	}
}

func (l *listeners) tell(w database.Writes) {
	l.mu.Lock()
	list := l.list
	l.mu.Unlock()
	for _, one := range list {
		one.fn(w)
	}
}
