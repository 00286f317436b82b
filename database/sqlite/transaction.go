package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/bind"
)

// transaction keeps a reader, or the writer, until it ends. Statements come from the virtual
// connection that began it and, with the ctx of database.Transact, from any other.
type transaction struct {
	conn     *conn
	p        *physical
	raw      sqldriver.Tx
	readOnly bool
	release  func() // frees what binding the context took

	// p.mu guards these.
	ended bool
	open  map[*rows]struct{}
}

func (v *conn) Begin() (sqldriver.Tx, error) {
	return v.BeginTx(context.Background(), sqldriver.TxOptions{})
}

// BeginTx begins a transaction on the writer, or on a reader when it must only read. SQLite's
// transactions are serializable, which is at least what any isolation level asks.
func (v *conn) BeginTx(given context.Context, o sqldriver.TxOptions) (_ sqldriver.Tx, err error) {
	ctx, release := bind.Contexts(given, v.bound)
	defer func() {
		if err != nil {
			release()
		}
	}()
	j := database.JoiningOf(ctx, v.store.handle)
	open, err := v.transactionOf(ctx)
	if err != nil {
		return nil, err
	}
	if open != nil {
		return nil, database.ErrTransactionOpen
	}
	t := &transaction{
		conn: v, release: release, open: map[*rows]struct{}{},
		readOnly: o.ReadOnly || database.ReadOnlyFrom(ctx) != nil,
	}
	if t.readOnly {
		t.p, err = v.store.reader(ctx)
	} else {
		t.p, err = v.store.takeTurn(ctx, true)
	}
	if err != nil {
		return nil, err
	}
	if err := t.begin(ctx); err != nil {
		t.giveBack()
		return nil, fmt.Errorf("begin: %w", err)
	}
	v.tx = t
	if j != nil {
		j.Attach(t)
	}
	if v.bound != nil {
		// database/sql rolls back when the context given to it ends, and knows nothing of
		// this one. Without that, whoever drops both would keep the writer for ever.
		stop := context.AfterFunc(v.bound, func() { _ = t.rollback() })
		t.release = func() {
			stop()
			release()
		}
	}
	return t, nil
}

func (t *transaction) begin(ctx context.Context) (err error) {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	t.p.ours = true
	t.raw, err = t.p.raw.BeginTx(ctx, sqldriver.TxOptions{ReadOnly: t.readOnly})
	t.p.ours = false
	t.p.inTx, t.p.rolledBack = err == nil, false
	return err
}

// giveBack frees the connection.
func (t *transaction) giveBack() {
	if t.readOnly {
		t.conn.store.giveReader(t.p)
	} else {
		t.conn.store.endTurn(t.p)
	}
}

func (t *transaction) Commit() error {
	t.conn.tx = nil
	return t.end(func() error {
		if t.p.rolledBack {
			return errRolledBack
		}
		t.p.several = false
		return aboutDisk(t.raw.Commit())
	})
}

func (t *transaction) Rollback() error {
	t.conn.tx = nil
	return t.rollback()
}

func (t *transaction) rollback() error {
	return t.end(func() error {
		if t.p.rolledBack {
			return nil
		}
		err := t.raw.Rollback()
		if err != nil && !t.readOnly {
			// Whether a transaction is still open is not known. Closing the connection
			// takes it back in any case.
			t.conn.store.drop(t.p)
		}
		return err
	})
}

// end closes what is open in the transaction, lets finish end it, frees the connection and
// publishes what was committed.
func (t *transaction) end(finish func() error) error {
	t.p.mu.Lock()
	if t.ended {
		t.p.mu.Unlock()
		return database.ErrTransactionEnded
	}
	t.ended = true
	for r := range t.open {
		r.ended = database.ErrTransactionEnded
		_ = r.cursor.close()
	}
	t.p.ours = true
	err := finish()
	t.p.ours, t.p.inTx, t.p.rolledBack = false, false, false
	done := t.p.takeCommitted()
	t.p.pending = changes{}
	t.p.mu.Unlock()
	t.giveBack()
	t.release()
	t.conn.store.publish(done)
	return err
}

// usable reports why a statement cannot run in the transaction. p.mu is held.
func (t *transaction) usable() error {
	switch {
	case t.ended:
		return database.ErrTransactionEnded
	case t.p.rolledBack:
		return errRolledBack
	}
	return nil
}

// may tells whether a statement is allowed in the transaction.
func (t *transaction) may(ctx context.Context) func(access) error {
	return func(a access) error {
		if a.readOnly {
			return nil
		}
		if refusal := database.ReadOnlyFrom(ctx); refusal != nil {
			return refusal
		}
		if t.readOnly {
			return errReadOnlyTx
		}
		return nil
	}
}

// reason puts words in place of an error that only says that a reader cannot do it.
func (t *transaction) reason(ctx context.Context, err error) error {
	if err != nil && t.readOnly && (errors.Is(err, errNeedsWriter) || refusedByReader(err)) {
		if refusal := database.ReadOnlyFrom(ctx); refusal != nil {
			return refusal
		}
		return errReadOnlyTx
	}
	return plain(err)
}

func (t *transaction) exec(ctx context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	if err := t.usable(); err != nil {
		return nil, err
	}
	result, a, err := t.p.exec(ctx, text, args, t.may(ctx))
	t.conn.record(ctx, a, args, err)
	return result, t.reason(ctx, err)
}

func (t *transaction) query(ctx context.Context, text string, args []sqldriver.NamedValue, release func()) (sqldriver.Rows, error) {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	err := t.usable()
	var c *cursor
	if err == nil {
		var a access
		c, a, err = t.p.query(ctx, text, args, t.may(ctx))
		t.conn.record(ctx, a, args, err)
	}
	if err != nil {
		release()
		return nil, t.reason(ctx, err)
	}
	r := &rows{cursor: c, ctx: ctx}
	r.done = func() {
		t.p.mu.Lock()
		delete(t.open, r)
		t.p.mu.Unlock()
		release()
	}
	t.open[r] = struct{}{}
	return r, nil
}
