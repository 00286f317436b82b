package sqlite

import (
	"context"
	"io"

	"github.com/elyra-go/elyra/database"
)

// viewer is a recorder that may have all statements of a run see one state of the data. View
// gives what open gave first, and closes it when the run ends; or nil for a statement that is
// on its own.
type viewer interface {
	View(h database.Handle, open func() (io.Closer, error)) (io.Closer, error)
}

// view gives the transaction that a statement of a live command reads in, or nil.
func (v *conn) view(ctx context.Context) (*transaction, error) {
	r, ok := database.RecorderFrom(ctx).(viewer)
	if !ok {
		return nil, nil
	}
	held, err := r.View(v.store.handle, func() (io.Closer, error) { return v.store.openView(ctx) })
	t, _ := held.(*transaction)
	return t, err
}

// openView begins a transaction that only reads, and that belongs to no virtual connection.
func (s *store) openView(ctx context.Context) (*transaction, error) {
	p, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	t := &transaction{conn: &conn{store: s}, p: p, readOnly: true, release: func() {}, open: map[*rows]struct{}{}}
	// BEGIN reads nothing, so there is nothing to cancel.
	if err := t.begin(context.WithoutCancel(ctx)); err != nil {
		t.giveBack()
		return nil, err
	}
	return t, nil
}

// Close ends a view.
func (t *transaction) Close() error { return t.rollback() }
