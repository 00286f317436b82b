package live

import (
	"errors"
	"io"
	"sync"

	"github.com/elyra-go/elyra/database"
)

// views has a run that makes more than one statement see one state of each database, so that
// what it gives belongs together. Whether it will make more than one is known from the last
// time: a single statement needs no transaction and does not pay for one.
type views struct {
	several bool // as far as is known before the run

	mu    sync.Mutex
	asked int // statements that could be in a view
	open  map[database.Handle]io.Closer
	ended bool
}

// View is for database drivers. They ask it before a statement of a live command that is in no
// transaction of the command's own, and read in what it gives: what open gave first, until the
// run ends. It gives nil when the statement is to be on its own.
func (n *recording) View(h database.Handle, open func() (io.Closer, error)) (io.Closer, error) {
	v := &n.views
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return nil, nil
	}
	v.asked++
	if !v.several || v.open[h] != nil {
		return v.open[h], nil
	}
	one, err := open()
	if err != nil {
		return nil, err
	}
	if v.open == nil {
		v.open = map[database.Handle]io.Closer{}
	}
	v.open[h] = one
	return one, nil
}

// end lets go of what was opened. The registry's mu must not be held.
func (v *views) end() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	var errs []error
	for _, one := range v.open {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// mixed reports whether the statements of the run may have seen different states.
func (v *views) mixed() bool { return v.asked > 1 && !v.several }
