package postgres

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/bind"
	"github.com/elyra-go/elyra/database/internal/sqlconn"
)

// conn is a connection to the server that is made when it is first needed: a statement that
// joins a transaction needs none of its own.
type conn struct {
	store *store
	bound context.Context // nil, or what Bind was given
	raw   *stdlib.Conn    // nil until the first use
	tx    *transaction    // begun on this connection and not ended
}

var _ interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	sqldriver.ExecerContext
	sqldriver.QueryerContext
	sqldriver.Pinger
	sqldriver.SessionResetter
	sqldriver.NamedValueChecker
} = (*conn)(nil)

func (c *conn) server(ctx context.Context) (*stdlib.Conn, error) {
	if c.raw == nil {
		raw, err := c.store.connect(ctx)
		if err != nil {
			return nil, err
		}
		c.raw = raw
	}
	return c.raw, nil
}

// Ping connects.
func (c *conn) Ping(ctx context.Context) error {
	raw, err := c.server(ctx)
	if err != nil {
		return err
	}
	return raw.Ping(ctx)
}

func (c *conn) ResetSession(ctx context.Context) error {
	if c.raw == nil {
		return nil
	}
	return c.raw.ResetSession(ctx)
}

// CheckNamedValue lets pgx convert values: it knows the server's types.
func (c *conn) CheckNamedValue(*sqldriver.NamedValue) error { return nil }

func (c *conn) Close() error {
	if c.raw == nil {
		return nil
	}
	return c.raw.Close()
}

func (c *conn) Prepare(text string) (sqldriver.Stmt, error) {
	return c.PrepareContext(context.Background(), text)
}

// PrepareContext gives a statement that pgx prepares when it first runs, and keeps.
func (c *conn) PrepareContext(ctx context.Context, text string) (sqldriver.Stmt, error) {
	return sqlconn.Prepare(ctx, c, text)
}

// joined gives the transaction that a statement with ctx belongs to, or nil.
func (c *conn) joined(ctx context.Context) (*transaction, error) {
	if c.tx != nil {
		return c.tx, nil
	}
	return sqlconn.Transaction[*transaction](ctx, c.store.handle)
}

func (c *conn) ExecContext(given context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	ctx, release := bind.Contexts(given, c.bound)
	defer release()
	t, err := c.joined(ctx)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return t.exec(ctx, text, args)
	}
	if c.store.waitsForItself(ctx) {
		return nil, database.ErrTransactionOpen
	}
	raw, err := c.server(ctx)
	if err != nil {
		return nil, err
	}
	if database.ReadOnlyFrom(ctx) != nil || database.RecorderFrom(ctx) != nil {
		var result sqldriver.Result
		err := c.reading(ctx, raw, func() (err error) {
			result, err = raw.ExecContext(ctx, text, args)
			return err
		})
		return result, err
	}
	defer c.store.watch.wake()
	return raw.ExecContext(ctx, text, args)
}

func (c *conn) QueryContext(given context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	ctx, release := bind.Contexts(given, c.bound)
	t, err := c.joined(ctx)
	if err != nil {
		release()
		return nil, err
	}
	if t != nil {
		defer release()
		return t.query(ctx, text, args)
	}
	raw, err := c.server(ctx)
	if err != nil {
		release()
		return nil, err
	}
	if database.ReadOnlyFrom(ctx) != nil || database.RecorderFrom(ctx) != nil {
		defer release()
		var kept *keptRows
		err := c.reading(ctx, raw, func() (err error) {
			kept, err = keep(raw.QueryContext(ctx, text, args))
			return err
		})
		if err != nil {
			return nil, err
		}
		return kept, nil
	}
	rows, err := raw.QueryContext(ctx, text, args)
	if err != nil {
		release()
		return nil, err
	}
	return &openRows{rows.(*stdlib.Rows), func() {
		c.store.watch.wake() // it may have been INSERT … RETURNING
		release()
	}}, nil
}

// reading runs one statement in a read-only transaction of its own, and tells what it read.
func (c *conn) reading(ctx context.Context, raw *stdlib.Conn, run func() error) error {
	r := database.RecorderFrom(ctx)
	if r != nil {
		r.From(c.store.handle)
	}
	tx, err := raw.BeginTx(ctx, sqldriver.TxOptions{ReadOnly: true, Isolation: repeatableRead})
	if err == nil {
		ended := false
		if err = run(); err == nil && r != nil {
			err = c.store.recordLocks(ctx, raw, r, "rollback")
			ended = err == nil
		}
		if !ended {
			if e := tx.Rollback(); err == nil {
				err = e
			}
		}
	}
	if err != nil && raw.Conn().IsClosed() && ctx.Err() == nil {
		return sqldriver.ErrBadConn // nothing was written, so database/sql may try on another
	}
	if err != nil && r != nil {
		r.ReadEverything() // what it would have read is not known
	}
	return refuse(ctx, err)
}

// recordLocks tells which tables the transaction has read. The server keeps a lock on each of
// them until the end. What follows goes to the server along with the question.
func (s *store) recordLocks(ctx context.Context, raw *stdlib.Conn, r database.Recorder, follows ...string) error {
	var names []string
	b := &pgx.Batch{}
	b.Queue(lockedTables).Query(func(rows pgx.Rows) (err error) {
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	for _, statement := range follows {
		b.Queue(statement)
	}
	if err := raw.Conn().SendBatch(ctx, b).Close(); err != nil {
		return err
	}
	s.watch.read(names)
	for _, name := range names {
		r.Read(name)
	}
	return nil
}

// lockedTables names the tables on which this connection holds a lock, but for the server's
// own and those of this question; and the tables that those inherit from or are partitions
// of, because a statement on one of them changes rows below it.
const lockedTables = `with recursive t(oid) as (
	select l.relation from pg_locks l where l.locktype = 'relation' and l.pid = pg_backend_pid()
	union select i.inhparent from pg_inherits i join t on i.inhrelid = t.oid)
	select n.nspname || '.' || c.relname from t join pg_class c on c.oid = t.oid join pg_namespace n on n.oid = c.relnamespace
	where c.relkind in ('r', 'p', 'm', 'f') and n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')`

// refuse gives the words of a live command in place of the server's about a write.
func refuse(ctx context.Context, err error) error {
	const readOnlyTransaction = "25006"
	refusal := database.ReadOnlyFrom(ctx)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && refusal != nil && e.Code == readOnlyTransaction {
		return refusal
	}
	return err
}

// waitsForItself reports whether the call of ctx has a transaction open, beside which the
// statement would run.
func (s *store) waitsForItself(ctx context.Context) bool {
	call := database.CallOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	return call != nil && s.calls[call] > 0
}
