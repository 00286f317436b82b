// Package commits tells those who want to hear of commits. It imports nothing of this module but
// package database.
package commits

import (
	"slices"
	"sync"

	"github.com/elyra-go/elyra/database"
)

// Listeners are those who want to hear of commits. The zero value has none.
type Listeners struct {
	mu   sync.Mutex
	list []*listener // replaced, never changed in place
}

type listener struct{ fn func(database.Writes) }

// Add has fn called by each Tell, until stop is called.
func (l *Listeners) Add(fn func(database.Writes)) (stop func()) {
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

// Tell calls the listeners, in the order in which they were added.
func (l *Listeners) Tell(w database.Writes) {
	l.mu.Lock()
	list := l.list
	l.mu.Unlock()
	for _, one := range list {
		one.fn(w)
	}
}
