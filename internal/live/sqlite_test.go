package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// app is a database whose commits a registry hears.
func app(t testing.TB) (*sql.DB, *live.Registry) {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(t.TempDir(), "app.db"), Private: true})
	if err != nil {
		t.Fatal(err)
	}
	r := live.New(live.Options{})
	h, _ := database.HandleOf(db)
	stop := h.OnCommit(r.Committed)
	t.Cleanup(func() {
		stop()
		r.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	write(t, db, `create table person(id integer primary key, name text); create table other(id integer primary key);
		insert into person values (1, 'Ada'), (2, 'Grace')`)
	return db, r
}

func write(t testing.TB, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatal(err)
	}
}

// name gives a live query for one row, and counts its runs.
func name(db *sql.DB, id int, runs *atomic.Int64) live.Run {
	return func(ctx context.Context) ([]byte, error) {
		runs.Add(1)
		var name string
		err := db.QueryRowContext(database.WithReadOnly(ctx, "person_show"), "select name from person where id = ?", id).Scan(&name)
		return []byte(name), err
	}
}

func TestACommitIsPushed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, r := app(t)
		var first, second atomic.Int64
		one, err := r.Subscribe(live.Key{Command: "person_show", Args: `{"id":1}`}, name(db, 1, &first))
		if err != nil {
			t.Fatal(err)
		}
		two, err := r.Subscribe(live.Key{Command: "person_show", Args: `{"id":2}`}, name(db, 2, &second))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, one, "Ada")
		expect(t, two, "Grace")
		renamed := func(ctx context.Context) error {
			_, err := db.ExecContext(ctx, "update person set name = 'Ada Lovelace' where id = 1")
			return err
		}
		for _, step := range []struct {
			name     string
			do       func() error
			one, two string
			a, b     int64 // how often each query has run so far
		}{
			{"another table", func() error { write(t, db, "insert into other values (1)"); return nil }, "-", "-", 1, 1},
			{"a rollback", func() error {
				err := database.Transact(t.Context(), db, func(ctx context.Context) error {
					return errors.Join(renamed(ctx), context.Canceled)
				})
				if !errors.Is(err, context.Canceled) {
					return fmt.Errorf("the transaction ended with %w", err)
				}
				return nil
			}, "-", "-", 1, 1},
			{"a change", func() error { return renamed(t.Context()) }, "Ada Lovelace", "-", 2, 1},
			{"the same again", func() error { return renamed(t.Context()) }, "-", "-", 3, 1},
			{"a transaction", func() error {
				return database.Transact(t.Context(), db, func(ctx context.Context) error {
					_, err := db.ExecContext(ctx, "delete from person where id = 2")
					return errors.Join(err, renamed(ctx))
				})
			}, "-", "Grace!sql: no rows in result set", 4, 2},
			{"the schema", func() error { write(t, db, "alter table person add column born integer"); return nil }, "-", "-", 5, 3},
		} {
			pass()
			if err := step.do(); err != nil {
				t.Errorf("%s: %v", step.name, err)
			}
			if a, b := next(one), next(two); a != step.one || b != step.two {
				t.Errorf("%s: pushed %q and %q, want %q and %q", step.name, a, b, step.one, step.two)
			}
			if first.Load() != step.a || second.Load() != step.b {
				t.Errorf("%s: %d and %d runs, want %d and %d", step.name, first.Load(), second.Load(), step.a, step.b)
			}
		}
	})
}
