package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
)

// MigrateOptions says which way to migrate. The zero value applies all that is pending.
type MigrateOptions struct {
	// Down takes back the newest applied migration instead.
	Down bool

	// All, with Down, takes back every applied migration.
	All bool

	// Log receives one line for each migration. Nil discards them.
	Log *slog.Logger
}

// Migrate brings the schema of db to the newest migration in fsys, or back with
// [MigrateOptions].Down, and gives the number of migrations it applied or took back.
//
// The files are goose's: 00001_customers.sql with "-- +goose Up" and "-- +goose Down". They
// lie in the folder named after the dialect ("sqlite") when there is one, else in the root of
// fsys. Each migration is a transaction of its own: when one fails, those before it stay and
// are counted.
//
// It runs under [Handle].Lock, so that processes which start at once migrate once. A schema
// that is newer than the files is refused, because an older program must not write to it.
func Migrate(ctx context.Context, db *sql.DB, fsys fs.FS, o MigrateOptions) (applied int, err error) {
	h, ok := HandleOf(db)
	if !ok {
		return 0, errors.New("migrate: this *sql.DB was not opened by a driver of elyra/database")
	}
	provider, err := migrations(h, db, fsys)
	if errors.Is(err, goose.ErrNoMigrations) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", h.Name(), err)
	}
	if !o.Down && upToDate(ctx, db, provider) {
		return 0, nil
	}
	unlock, err := h.Lock(ctx, "migrate")
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", h.Name(), err)
	}
	defer func() {
		if e := unlock(); e != nil && err == nil {
			err = fmt.Errorf("migrate %s: %w", h.Name(), e)
		}
	}()
	current, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", h.Name(), err)
	}
	if current > newest {
		return 0, fmt.Errorf("migrate %s: the database is at version %d and this program knows versions up to %d only: "+
			"a newer version of the app has used it, so install that one", h.Name(), current, newest)
	}
	results, err := run(ctx, provider, o)
	if err != nil {
		return report(o.Log, h, results), fmt.Errorf("migrate %s: %w", h.Name(), err)
	}
	return report(o.Log, h, results), nil
}

// migrations reads the names of the files. It touches no database.
func migrations(h Handle, db *sql.DB, fsys fs.FS) (*goose.Provider, error) {
	dialect := goose.Dialect(h.Dialect())
	if h.Dialect() == "sqlite" {
		dialect = goose.DialectSQLite3
	}
	if info, err := fs.Stat(fsys, h.Dialect()); err == nil && info.IsDir() {
		if fsys, err = fs.Sub(fsys, h.Dialect()); err != nil {
			return nil, err
		}
	}
	return goose.NewProvider(dialect, db, fsys,
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(slog.New(slog.DiscardHandler)))
}

// upToDate reports whether the database has the migrations of the files and no others, by one query:
// the ordinary start takes no lock and asks no more. In doubt it says no.
func upToDate(ctx context.Context, db *sql.DB, provider *goose.Provider) bool {
	rows, err := db.QueryContext(ctx, "SELECT version_id FROM goose_db_version WHERE is_applied")
	if err != nil {
		return false
	}
	defer rows.Close()
	missing := map[int64]bool{}
	for _, source := range provider.ListSources() {
		missing[source.Version] = true
	}
	for rows.Next() {
		var version int64
		if rows.Scan(&version) != nil || version != 0 && !missing[version] {
			return false
		}
		delete(missing, version)
	}
	return rows.Err() == nil && len(missing) == 0
}

func run(ctx context.Context, provider *goose.Provider, o MigrateOptions) ([]*goose.MigrationResult, error) {
	var results []*goose.MigrationResult
	var err error
	switch {
	case o.Down && o.All:
		results, err = provider.DownTo(ctx, 0)
	case o.Down:
		var result *goose.MigrationResult
		if result, err = provider.Down(ctx); result != nil {
			results = append(results, result)
		}
	default:
		results, err = provider.Up(ctx)
	}
	if errors.Is(err, goose.ErrNoNextVersion) {
		return nil, nil
	}
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		return partial.Applied, fmt.Errorf("%s: %w", partial.Failed.Source.Path, partial.Err)
	}
	return results, err
}

func report(log *slog.Logger, h Handle, results []*goose.MigrationResult) int {
	for _, r := range results {
		if log != nil {
			log.Info("migrated", "database", h.Name(), "migration", r.Source.Path, "direction", r.Direction,
				"milliseconds", r.Duration.Milliseconds())
		}
	}
	return len(results)
}
