package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/bind"
	"github.com/elyra-go/elyra/database/internal/sqlconn"
)

// conn is a virtual connection: it has no SQLite connection of its own but takes a reader, or
// the writer, for each statement. Only a transaction keeps one.
type conn struct {
	store *store
	bound context.Context // nil, or what Bind was given
	tx    *transaction    // begun on this connection and not ended
}

var _ interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	sqldriver.ExecerContext
	sqldriver.QueryerContext
	sqldriver.Pinger
} = (*conn)(nil)

// Ping opens the file.
func (v *conn) Ping(ctx context.Context) error {
	p, err := v.store.reader(ctx)
	if err != nil {
		return err
	}
	v.store.giveReader(p)
	return nil
}

func (v *conn) Close() error {
	if v.tx != nil {
		return v.tx.Rollback()
	}
	return nil
}

// Prepare gives a statement that is compiled on the connection it runs on, when it runs, and
// stays compiled there.
func (v *conn) Prepare(text string) (sqldriver.Stmt, error) {
	return v.PrepareContext(context.Background(), text)
}

func (v *conn) PrepareContext(ctx context.Context, text string) (sqldriver.Stmt, error) {
	return sqlconn.Prepare(ctx, v, text)
}

// transactionOf gives the transaction that a statement with ctx belongs to, or nil.
func (v *conn) transactionOf(ctx context.Context) (*transaction, error) {
	if v.tx != nil {
		return v.tx, nil
	}
	return sqlconn.Transaction[*transaction](ctx, v.store.handle)
}

func (v *conn) ExecContext(given context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	ctx, release := bind.Contexts(given, v.bound)
	defer release()
	t, err := v.transactionOf(ctx)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return t.exec(ctx, text, args)
	}
	if refusal := database.ReadOnlyFrom(ctx); refusal != nil {
		return v.execReading(ctx, text, args, refusal)
	}
	var result sqldriver.Result
	err = v.store.write(ctx, func(p *physical) error {
		r, a, err := p.exec(ctx, text, args, anything)
		v.record(ctx, a, args, err)
		result = r
		return plain(err)
	})
	return result, err
}

// execReading is Exec where nothing may be written.
func (v *conn) execReading(ctx context.Context, text string, args []sqldriver.NamedValue, refusal error) (sqldriver.Result, error) {
	if isScript(text) {
		return nil, refusal
	}
	if t, err := v.view(ctx); t != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return t.exec(ctx, text, args)
	}
	p, err := v.store.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer v.store.giveReader(p)
	p.mu.Lock()
	defer p.mu.Unlock()
	result, a, err := p.exec(ctx, text, args, readingOnly)
	v.record(ctx, a, args, err)
	return result, refuse(err, refusal)
}

func (v *conn) QueryContext(given context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	ctx, release := bind.Contexts(given, v.bound)
	t, err := v.transactionOf(ctx)
	if err != nil {
		release()
		return nil, err
	}
	if t != nil {
		return t.query(ctx, text, args, release)
	}
	writes, known := v.store.routes.find(text)
	if !known {
		writes = isScript(text)
	}
	refusal := database.ReadOnlyFrom(ctx)
	if writes && refusal != nil && isScript(text) {
		release()
		return nil, refusal
	}
	if refusal != nil {
		t, err := v.view(ctx)
		if err != nil {
			release()
			return nil, err
		}
		if t != nil {
			return t.query(ctx, text, args, release)
		}
	}
	if !writes || refusal != nil {
		r, err := v.queryReader(ctx, text, args, release)
		if err == nil {
			if !known {
				v.store.routes.learn(text, false)
			}
			return r, nil
		}
		if _, uncompiled := errors.AsType[*compileError](err); refusal != nil || !uncompiled && !errors.Is(err, errNeedsWriter) {
			release()
			return nil, refuse(err, refusal)
		}
	}
	defer release()
	kept, err := v.queryWriter(ctx, text, args)
	if err != nil {
		return nil, err
	}
	if !known {
		v.store.routes.learn(text, true)
	}
	return kept, nil
}

// queryReader gives rows that keep the reader until they are closed. On an error the caller
// still has to release.
func (v *conn) queryReader(ctx context.Context, text string, args []sqldriver.NamedValue, release func()) (sqldriver.Rows, error) {
	p, err := v.store.reader(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	c, a, err := p.query(ctx, text, args, readingOnly)
	p.mu.Unlock()
	if refusedByReader(err) {
		err = errNeedsWriter
	}
	if !errors.Is(err, errNeedsWriter) {
		v.record(ctx, a, args, err)
	}
	if err != nil {
		v.store.giveReader(p)
		return nil, err
	}
	return &rows{cursor: c, ctx: ctx, done: func() {
		v.store.giveReader(p)
		release()
	}}, nil
}

// queryWriter runs a statement to its end on the writer and keeps its rows.
func (v *conn) queryWriter(ctx context.Context, text string, args []sqldriver.NamedValue) (*keptRows, error) {
	var kept *keptRows
	err := v.store.write(ctx, func(p *physical) error {
		c, a, err := p.query(ctx, text, args, anything)
		v.record(ctx, a, args, err)
		if err != nil {
			return plain(err)
		}
		kept, err = c.all()
		return err
	})
	return kept, err
}

func anything(access) error { return nil }

func readingOnly(a access) error {
	if !a.readOnly {
		return errNeedsWriter
	}
	return nil
}

// refuse gives the refusal in place of an error that only says that the writer is needed.
func refuse(err, refusal error) error {
	if err != nil && (errors.Is(err, errNeedsWriter) || refusedByReader(err)) {
		return refusal
	}
	return plain(err)
}

// compileError is the error of a statement that could not be compiled. It never leaves the
// package: plain takes it off.
type compileError struct{ error }

func (e *compileError) Unwrap() error { return e.error }

func plain(err error) error {
	if e, ok := err.(*compileError); ok {
		return e.error
	}
	return err
}
