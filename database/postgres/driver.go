// Package postgres opens PostgreSQL databases as a tracked *sql.DB, over pgx.
//
// It owns the way a statement takes: into the transaction that its ctx carries, into a
// read-only one when somebody records what it reads, or straight to the server. What a
// statement read is told by the server's own locks, inside the transaction it ran in, so that
// views and functions are seen through. That something changed is told by the snapshot of the
// whole server, asked for four times a second while somebody watches; or, sooner and by table,
// by triggers that an app may install with [CaptureMigration] or [CaptureLogMigration]. Which of
// them is there is seen in the database.
//
// It promises that nothing is touched before the first statement and that the database needs
// no change. It must not import anything of this module but package database and what lies
// below it.
package postgres

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/commits"
)

// Driver gives the driver for PostgreSQL.
//
// Its URLs are "postgres://user:password@host:5432/name?sslmode=…", as libpq has them.
func Driver() database.Driver { return driver{usualPace()} }

type driver struct{ pace pace }

func (driver) Schemes() []string { return []string{"postgres", "postgresql"} }

func (d driver) Open(o database.OpenOptions) (*sql.DB, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// pgx leaves the password out of its error.
		return nil, fmt.Errorf("open database: %w", err)
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &store{
		name:    fmt.Sprintf("%s:%d/%s", config.Host, config.Port, config.Database),
		server:  stdlib.GetConnector(*config),
		watcher: watcherOf(config),
		log:     log,
		calls:   map[*database.Call]int{},
		pace:    d.pace,
	}
	s.handle = &handle{s}
	db := sql.OpenDB(&connector{handle: s.handle, owner: true})
	// A limit could make a transaction wait for connections that wait for the transaction.
	db.SetMaxIdleConns(idleConnections)
	return db, nil
}

// idleConnections is how many connections are kept between statements.
const idleConnections = 8

// store is one database: how to reach it, and who listens to its commits.
type store struct {
	name      string
	server    sqldriver.Connector
	watcher   *pgx.ConnConfig // how a follower connects
	log       *slog.Logger
	handle    *handle
	listeners commits.Listeners
	watch     watch
	pace      pace

	mu    sync.Mutex
	calls map[*database.Call]int // those with a transaction open that writes
}

// handle is what (*sql.DB).Driver() gives.
type handle struct{ store *store }

var _ database.Handle = (*handle)(nil)

func (h *handle) Open(string) (sqldriver.Conn, error) {
	return nil, errors.New("postgres: a connection comes from the *sql.DB that Driver().Open gives, not from a name")
}

func (h *handle) Dialect() string { return "postgres" }

func (h *handle) Name() string { return h.store.name }

func (h *handle) OnCommit(fn func(database.Writes)) (stop func()) { return h.store.listeners.Add(fn) }

func (h *handle) Bind(ctx context.Context) *sql.DB {
	db := sql.OpenDB(&connector{handle: h, bound: ctx})
	context.AfterFunc(ctx, func() { _ = db.Close() })
	return db
}

// Lock takes an advisory lock of the database, in a transaction on a connection of its own: by way
// of a pooler a lock of the connection could outlive it.
func (h *handle) Lock(ctx context.Context, purpose string) (unlock func() error, err error) {
	c, err := h.store.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", h.store.name, err)
	}
	_, err = c.Conn().Exec(ctx, "begin")
	if err == nil {
		_, err = c.Conn().Exec(ctx, "set local idle_in_transaction_session_timeout = 0")
	}
	if err == nil {
		_, err = c.Conn().Exec(ctx, "select pg_advisory_xact_lock(hashtextextended($1, 0))", "elyra:"+purpose)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", h.store.name, err), c.Close())
	}
	// The lock goes with the connection.
	return func() error {
		if err := c.Close(); err != nil {
			return fmt.Errorf("unlock %s: %w", h.store.name, err)
		}
		return nil
	}, nil
}

// LockHolder tells people who has the lock for a purpose, or says "" when it is not known.
func (h *handle) LockHolder(ctx context.Context, purpose string) string {
	c, err := h.store.connect(ctx)
	if err != nil {
		return ""
	}
	defer c.Close()
	var holder string
	// The key of a lock is in two halves.
	err = c.Conn().QueryRow(ctx, `select format('the server''s process %s, of %s from %s since %s', a.pid, a.usename,
			coalesce(host(a.client_addr), 'the same machine'), to_char(a.xact_start, 'HH24:MI:SS'))
		from pg_locks l join pg_stat_activity a using (pid), hashtextextended($1, 0) as key
		where l.locktype = 'advisory' and l.granted and l.objsubid = 1
			and l.database = (select oid from pg_database where datname = current_database())
			and (l.classid::bigint << 32) | l.objid::bigint = key`, "elyra:"+purpose).Scan(&holder)
	if err != nil {
		return ""
	}
	return holder
}

func (s *store) connect(ctx context.Context) (*stdlib.Conn, error) {
	c, err := s.server.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s.name, err)
	}
	return c.(*stdlib.Conn), nil
}

// watcherOf gives how a follower connects: its queries are not prepared in advance, because
// that would take locks outside of their savepoint.
func watcherOf(config *pgx.ConnConfig) *pgx.ConnConfig {
	c := config.Copy()
	if c.DefaultQueryExecMode != pgx.QueryExecModeSimpleProtocol {
		c.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	return c
}

// connector makes connections for one *sql.DB.
type connector struct {
	handle *handle
	bound  context.Context // nil, or what Bind was given
	owner  bool            // closing this *sql.DB ends the watch
}

func (c *connector) Connect(context.Context) (sqldriver.Conn, error) {
	return &conn{store: c.handle.store, bound: c.bound}, nil
}

func (c *connector) Driver() sqldriver.Driver { return c.handle }

// Close is called by (*sql.DB).Close.
func (c *connector) Close() error {
	if c.owner {
		c.handle.store.watch.end()
	}
	return nil
}
