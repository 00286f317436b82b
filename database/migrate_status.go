package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
)

// Migration is one that a program has, or that a database has seen.
type Migration struct {
	// Version is the number that the file's name begins with.
	Version int64 `json:"version"`

	// File is the file's name. It is empty for a version that the database has and the program
	// does not know.
	File string `json:"file,omitempty"`

	// AppliedAt is when it was applied; zero while it is pending.
	AppliedAt time.Time `json:"appliedAt,omitzero"`
}

// MigrationStatus gives the migrations of fsys and those that db has, by version. It writes
// nothing: a database that does not exist yet is not made, and no lock is taken.
func MigrationStatus(ctx context.Context, db *sql.DB, fsys fs.FS) ([]Migration, error) {
	h, ok := HandleOf(db)
	if !ok {
		return nil, errors.New("status of migrations: this *sql.DB was not opened by a driver of elyra/database")
	}
	fail := func(err error) ([]Migration, error) {
		return nil, fmt.Errorf("status of migrations of %s: %w", h.Name(), err)
	}
	m, err := newMigrator(h, db, fsys, MigrateOptions{}.withDefaults())
	if errors.Is(err, goose.ErrNoMigrations) {
		return nil, nil
	}
	if err != nil {
		return fail(err)
	}
	var all []Migration
	for _, s := range m.sources {
		all = append(all, Migration{Version: s.Version, File: s.Path})
	}
	exists, err := m.versionsExist(ctx)
	if err != nil {
		return fail(err)
	}
	if !exists {
		return all, nil
	}
	applied, err := m.applied(ctx)
	if err != nil {
		return fail(err)
	}
	for _, a := range applied {
		i := slices.IndexFunc(all, func(m Migration) bool { return m.Version == a.version })
		if i < 0 {
			i, all = len(all), append(all, Migration{Version: a.version})
		}
		all[i].AppliedAt = a.at
	}
	slices.SortFunc(all, func(a, b Migration) int { return cmp.Compare(a.Version, b.Version) })
	return all, nil
}

// versionsExist reports whether the database has a table of versions.
func (m *migrator) versionsExist(ctx context.Context) (bool, error) {
	if m.handle.Dialect() == "sqlite" {
		// A statement would make the file.
		if _, err := os.Stat(m.handle.Name()); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
	}
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1)"
	if m.handle.Dialect() == "postgres" {
		query = "SELECT to_regclass($1) IS NOT NULL"
	}
	var exists bool
	err := m.db.QueryRowContext(ctx, query, goose.DefaultTablename).Scan(&exists)
	return exists, err
}

// appliedVersion is a migration that a database has.
type appliedVersion struct {
	version int64
	at      time.Time
}

// applied gives the database's migrations in the order in which they were applied.
func (m *migrator) applied(ctx context.Context) ([]appliedVersion, error) {
	column := "tstamp"
	if m.handle.Dialect() == "postgres" {
		column = "tstamp::timestamptz" // it is in the time zone of the session
	}
	rows, err := m.db.QueryContext(ctx, "SELECT version_id, "+column+" FROM "+goose.DefaultTablename+
		" WHERE is_applied AND version_id > 0 ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []appliedVersion
	for rows.Next() {
		var a appliedVersion
		if err := rows.Scan(&a.version, &a.at); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, rows.Err()
}
