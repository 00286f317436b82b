// Package sqlite opens SQLite databases as a tracked *sql.DB, in pure Go.
//
// It owns the connections: any number of readers and exactly one writer, in WAL mode. Every
// *sql.DB connection is virtual. A statement that only reads goes to a free reader; all that
// writes goes through the writer, one after the other, so that no writer ever meets
// another of this process. What a statement reads is told by SQLite's authorizer when it is
// compiled, what a commit changed by the preupdate hook; by table and by row. A statement that
// cannot be told apart counts as everything.
//
// It promises that nothing is touched before the first statement, that a commit is published
// only after COMMIT returned, and that a rollback publishes nothing. The database file and
// its -wal and -shm files are opened by SQLite alone: closing one of them elsewhere in the
// process would drop SQLite's locks.
//
// It must not import anything of this module but package database and what lies below it.
package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"log/slog"

	"github.com/elyra-go/elyra/database"
)

// Driver gives the driver for SQLite files.
//
// Its URLs are "sqlite:crm.db" (relative to OpenOptions.Dir), "sqlite:///var/lib/crm.db" and
// plain paths. A URL has no parameters. In-memory databases are refused, because each
// connection would see another one.
//
// Times are stored as "2006-01-02 15:04:05.999999999-07:00", which SQLite's own date
// functions understand. Foreign keys are enforced.
func Driver() database.Driver { return driver{} }

type driver struct{}

func (driver) Schemes() []string { return []string{"sqlite"} }

func (driver) Open(o database.OpenOptions) (*sql.DB, error) {
	path, err := locate(o.URL, o.Dir)
	if err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	h := &handle{store: newStore(path, log)}
	h.store.private, h.store.development = o.Private, o.Development
	h.store.handle = h
	db := sql.OpenDB(&connector{handle: h, owner: true})
	// Virtual connections cost nothing, and a limit could only make a transaction wait for
	// connections that wait for the transaction. So they are unlimited.
	db.SetMaxIdleConns(idleConnections)
	return db, nil
}

// idleConnections is how many virtual connections database/sql keeps between statements.
const idleConnections = 16

// handle is what (*sql.DB).Driver() gives.
type handle struct{ store *store }

var _ database.Handle = (*handle)(nil)

func (h *handle) Open(string) (sqldriver.Conn, error) {
	return nil, errors.New("sqlite: a connection comes from the *sql.DB that Driver().Open gives, not from a name")
}

func (h *handle) Dialect() string { return "sqlite" }

func (h *handle) Name() string { return h.store.path }

func (h *handle) OnCommit(fn func(database.Writes)) (stop func()) { return h.store.listeners.Add(fn) }

func (h *handle) Bind(ctx context.Context) *sql.DB {
	db := sql.OpenDB(&connector{handle: h, bound: ctx})
	context.AfterFunc(ctx, func() { _ = db.Close() })
	return db
}

// connector makes virtual connections for one *sql.DB.
type connector struct {
	handle *handle
	bound  context.Context // nil, or what Bind was given
	owner  bool            // closing this *sql.DB closes the store
}

func (c *connector) Connect(context.Context) (sqldriver.Conn, error) {
	return &conn{store: c.handle.store, bound: c.bound}, nil
}

func (c *connector) Driver() sqldriver.Driver { return c.handle }

// Close is called by (*sql.DB).Close.
func (c *connector) Close() error {
	if !c.owner {
		return nil
	}
	return c.handle.store.close()
}
