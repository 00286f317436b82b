package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
)

// MigrateOptions says which way to migrate. The zero value applies all that is pending.
type MigrateOptions struct {
	// Down takes back the newest applied migration instead.
	Down bool

	// All, with Down, takes back every applied migration.
	All bool

	// Steps, with Down, is how many migrations are taken back, fewer when fewer are applied.
	// Default: 1.
	Steps int

	// To is the version of the last migration to apply. Default: that of the newest file.
	To int64

	// Wait is how long to wait for another process that migrates. Default: until ctx is done.
	Wait time.Duration

	// Each is called after each migration, with its file and how long it took. Default: a line
	// in Log.
	Each func(file string, took time.Duration)

	// Log receives a line when another process has to be waited for. Nil discards it.
	Log *slog.Logger
}

func (o MigrateOptions) withDefaults() MigrateOptions {
	if o.Down && o.Steps == 0 {
		o.Steps = 1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func (o MigrateOptions) validate() error {
	switch {
	case o.Steps < 0 || o.To < 0:
		return errors.New("steps and versions are counted from 1")
	case o.Down && o.To != 0:
		return errors.New("the version to migrate to goes with applying, not with taking back")
	case !o.Down && (o.Steps != 0 || o.All):
		return errors.New("a number of steps goes with taking back, not with applying")
	}
	return nil
}

// Migrate brings the schema of db to the newest migration in fsys, or back with
// [MigrateOptions].Down, and gives the number of migrations it applied or took back.
//
// The files are goose's: 00001_customers.sql with "-- +goose Up" and "-- +goose Down". They
// lie in the folder named after the dialect ("sqlite") when there is one, else in the root of
// fsys. Each migration is a transaction of its own, unless it says "-- +goose NO TRANSACTION":
// when one fails it is undone as a whole, and those before it stay and are counted.
//
// It runs under [Handle].Lock, so that processes which start at once migrate once. A schema
// that is newer than the files is refused, because an older program must not write to it. A
// migration without a Down section is not taken back.
func Migrate(ctx context.Context, db *sql.DB, fsys fs.FS, o MigrateOptions) (applied int, err error) {
	h, ok := HandleOf(db)
	if !ok {
		return 0, errors.New("migrate: this *sql.DB was not opened by a driver of elyra/database")
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("migrate %s: %w", h.Name(), err)
		}
	}()
	if err := o.validate(); err != nil {
		return 0, err
	}
	o = o.withDefaults()
	m, err := newMigrator(h, db, fsys, o)
	if errors.Is(err, goose.ErrNoMigrations) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if !o.Down && o.To == 0 && m.upToDate(ctx) {
		return 0, nil
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	run := m.up
	if o.Down {
		run = m.down
	}
	err = run(ctx)
	return m.done, err
}

// migrator is one call of Migrate or MigrationStatus.
type migrator struct {
	handle   Handle
	db       *sql.DB
	fsys     fs.FS // the files of the dialect
	provider *goose.Provider
	sources  []*goose.Source // by version
	options  MigrateOptions

	done      int    // how many migrations ran
	statement string // that began last in the migration that runs
}

// newMigrator reads the names of the files. It touches no database.
func newMigrator(h Handle, db *sql.DB, fsys fs.FS, o MigrateOptions) (*migrator, error) {
	dialect := goose.Dialect(h.Dialect())
	if h.Dialect() == "sqlite" {
		dialect = goose.DialectSQLite3
	}
	if info, err := fs.Stat(fsys, h.Dialect()); err == nil && info.IsDir() {
		if fsys, err = fs.Sub(fsys, h.Dialect()); err != nil {
			return nil, err
		}
	}
	m := &migrator{handle: h, db: db, fsys: fsys, options: o}
	provider, err := goose.NewProvider(dialect, db, fsys,
		goose.WithDisableGlobalRegistry(true),
		// What goose says on the way is the only way to know the statement that fails.
		goose.WithVerbose(true),
		goose.WithSlog(slog.New(listener{m})))
	if err != nil {
		return nil, err
	}
	m.provider, m.sources = provider, provider.ListSources()
	return m, nil
}

// upToDate reports whether the database has the migrations of the files and no others, by one query:
// the ordinary start takes no lock and asks no more. In doubt it says no.
func (m *migrator) upToDate(ctx context.Context) bool {
	applied, err := m.applied(ctx)
	if err != nil || len(applied) != len(m.sources) {
		return false
	}
	for _, a := range applied {
		if m.source(a.version) == nil {
			return false
		}
	}
	return true
}

// source is the file with a version, nil when there is none.
func (m *migrator) source(version int64) *goose.Source {
	for _, s := range m.sources {
		if s.Version == version {
			return s
		}
	}
	return nil
}

func (m *migrator) newest() int64 { return m.sources[len(m.sources)-1].Version }

// state gives what is applied, the newest last, of a database that this program may migrate.
func (m *migrator) state(ctx context.Context) ([]appliedVersion, error) {
	current, newest, err := m.provider.GetVersions(ctx) // makes the table of versions
	if err != nil {
		return nil, err
	}
	if current > newest {
		return nil, fmt.Errorf("the database is at version %d and this program knows versions up to %d only: "+
			"a newer version of the app has used it, so install that one", current, newest)
	}
	return m.applied(ctx)
}

func (m *migrator) up(ctx context.Context) error {
	applied, err := m.state(ctx)
	if err != nil {
		return err
	}
	to := m.newest()
	if m.options.To != 0 {
		to = m.options.To
		if m.source(to) == nil {
			return fmt.Errorf("there is no migration with the version %d; the newest is %d", to, m.newest())
		}
	}
	has, highest := map[int64]bool{}, int64(0)
	for _, a := range applied {
		has[a.version] = true
		highest = max(highest, a.version)
	}
	if highest > to {
		return fmt.Errorf("the database is at version %d, beyond %d: migrations are taken back one by one, the newest first", highest, to)
	}
	for _, s := range m.sources {
		if s.Version < highest && !has[s.Version] {
			return fmt.Errorf("%s is not applied, but the newer version %d is: give the file a number above %d, "+
				"so that every database runs it in the same order", s.Path, highest, max(highest, m.newest()))
		}
		if has[s.Version] || s.Version > to {
			continue
		}
		if err := m.checkTransaction(s); err != nil {
			return err
		}
	}
	_, err = m.provider.UpTo(ctx, to)
	return m.explain(err)
}

func (m *migrator) down(ctx context.Context) error {
	applied, err := m.state(ctx)
	if err != nil {
		return err
	}
	steps := min(m.options.Steps, len(applied))
	if m.options.All {
		steps = len(applied)
	}
	// All are looked at before the first is taken back.
	for _, a := range applied[len(applied)-steps:] {
		source := m.source(a.version)
		if source == nil {
			return fmt.Errorf("the database has version %d, for which this program has no file, so it cannot be taken back", a.version)
		}
		text, err := fs.ReadFile(m.fsys, source.Path)
		if err != nil {
			return err
		}
		if !annotated(text, "Down") {
			return fmt.Errorf("%s cannot be taken back: it has no section \"-- +goose Down\"", source.Path)
		}
		if err := m.checkTransaction(source); err != nil {
			return err
		}
	}
	for range steps {
		if _, err := m.provider.Down(ctx); err != nil {
			return m.explain(err)
		}
	}
	return nil
}
