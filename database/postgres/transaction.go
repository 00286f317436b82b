package postgres

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"sync"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/bind"
)

const repeatableRead = sqldriver.IsolationLevel(sql.LevelRepeatableRead)

// transaction keeps a connection until it ends. Statements come from the connection that began
// it and, with the ctx of database.Transact, from any other.
type transaction struct {
	conn     *conn
	raw      *stdlib.Conn
	server   sqldriver.Tx
	readOnly bool
	call     *database.Call // counted in the store, nil when it is not
	release  func()         // frees what binding the context took

	mu    sync.Mutex // held while the connection is used
	ended bool
}

func (c *conn) Begin() (sqldriver.Tx, error) {
	return c.BeginTx(context.Background(), sqldriver.TxOptions{})
}

// BeginTx begins a transaction. A live command's is read-only, with one view of the data.
func (c *conn) BeginTx(given context.Context, o sqldriver.TxOptions) (_ sqldriver.Tx, err error) {
	ctx, release := bind.Contexts(given, c.bound)
	defer func() {
		if err != nil {
			release()
		}
	}()
	j := database.JoiningOf(ctx, c.store.handle)
	open, err := c.joined(ctx)
	if err != nil {
		return nil, err
	}
	if open != nil || c.store.waitsForItself(ctx) {
		return nil, database.ErrTransactionOpen
	}
	raw, err := c.server(ctx)
	if err != nil {
		return nil, err
	}
	if database.ReadOnlyFrom(ctx) != nil {
		o = sqldriver.TxOptions{ReadOnly: true, Isolation: repeatableRead}
	}
	server, err := raw.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	t := &transaction{conn: c, raw: raw, server: server, readOnly: o.ReadOnly, release: release}
	if !t.readOnly {
		t.call = database.CallOf(ctx)
		c.store.count(t.call, 1)
	}
	c.tx = t
	if j != nil {
		j.Attach(t)
	}
	return t, nil
}

// count notes that a call has a transaction open, or no longer has.
func (s *store) count(call *database.Call, n int) {
	if call == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[call] += n; s.calls[call] == 0 {
		delete(s.calls, call)
	}
}

func (t *transaction) Commit() error {
	return t.end(func() error { return t.server.Commit() })
}

func (t *transaction) Rollback() error {
	return t.end(func() error { return t.server.Rollback() })
}

func (t *transaction) end(finish func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conn.tx = nil
	if t.ended {
		return database.ErrTransactionEnded
	}
	t.ended = true
	err := finish()
	t.conn.store.count(t.call, -1)
	t.release()
	if !t.readOnly {
		t.conn.store.watch.wake()
	}
	return err
}

func (t *transaction) exec(ctx context.Context, text string, args []sqldriver.NamedValue) (result sqldriver.Result, err error) {
	err = t.run(ctx, func() (err error) {
		result, err = t.raw.ExecContext(ctx, text, args)
		return err
	})
	return result, err
}

// query reads all rows at once, because another statement may come before they are read.
func (t *transaction) query(ctx context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	var kept *keptRows
	err := t.run(ctx, func() (err error) {
		kept, err = keep(t.raw.QueryContext(ctx, text, args))
		return err
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

func (t *transaction) run(ctx context.Context, statement func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return database.ErrTransactionEnded
	}
	r := database.RecorderFrom(ctx)
	if r != nil {
		r.From(t.conn.store.handle)
	}
	err := statement()
	if err == nil && r != nil {
		err = t.conn.store.recordLocks(ctx, t.raw, r)
	}
	if err != nil && r != nil {
		r.ReadEverything()
	}
	return refuse(ctx, err)
}
