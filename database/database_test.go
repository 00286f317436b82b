package database_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "test.db"))
}

func openAt(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func exec1(t *testing.T, ctx context.Context, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(ctx, text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func names(t *testing.T, db *sql.DB) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "select name from t order by id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func table(t *testing.T) *sql.DB {
	t.Helper()
	db := open(t)
	exec1(t, t.Context(), db, "create table t(id integer primary key, name text)")
	return db
}

// add gives a function that adds one row and returns err.
func add(db *sql.DB, name string, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		if _, e := db.ExecContext(ctx, "insert into t(name) values (?)", name); e != nil {
			return e
		}
		return err
	}
}

func TestTransact(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for _, test := range []struct {
		name string
		run  func(ctx context.Context, db *sql.DB) error
		want string
		err  error
	}{
		{"commits", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, add(db, "a", nil))
		}, "a", nil},
		{"rolls back on an error", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, add(db, "a", boom))
		}, "", boom},
		{"nests", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, func(ctx context.Context) error {
				return errors.Join(add(db, "a", nil)(ctx), database.Transact(ctx, db, add(db, "b", nil)), add(db, "c", nil)(ctx))
			})
		}, "a b c", nil},
		{"takes back an inner error only", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, func(ctx context.Context) error {
				if err := add(db, "a", nil)(ctx); err != nil {
					return err
				}
				if err := database.Transact(ctx, db, add(db, "b", boom)); !errors.Is(err, boom) {
					return fmt.Errorf("inner: %w", err)
				}
				return database.Transact(ctx, db, add(db, "c", nil))
			})
		}, "a c", nil},
		{"takes back all on an outer error", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, func(ctx context.Context) error {
				return errors.Join(database.Transact(ctx, db, add(db, "a", nil)), boom)
			})
		}, "", boom},
		{"rolls back an inner panic", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, func(ctx context.Context) error {
				func() {
					defer func() { _ = recover() }()
					_ = database.Transact(ctx, db, func(ctx context.Context) error {
						if err := add(db, "a", nil)(ctx); err != nil {
							return err
						}
						panic("inner")
					})
				}()
				return add(db, "b", nil)(ctx)
			})
		}, "b", nil},
		{"joins through a bound database", func(ctx context.Context, db *sql.DB) error {
			return database.Transact(ctx, db, func(ctx context.Context) error {
				h, _ := database.HandleOf(db)
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				bound := h.Bind(ctx)
				if _, err := bound.Exec("insert into t(name) values ('a')"); err != nil {
					return err
				}
				var n int
				return bound.QueryRow("select count(*) from t where name = 'a'").Scan(&n)
			})
		}, "a", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := table(t)
			if err := test.run(t.Context(), db); !errors.Is(err, test.err) {
				t.Errorf("got %v, want %v", err, test.err)
			}
			if got := names(t, db); got != test.want {
				t.Errorf("rows %q, want %q", got, test.want)
			}
			// Nothing holds the writer.
			exec1(t, t.Context(), db, "insert into t(name) values ('z')")
		})
	}
}

func TestWaitingForItselfFailsAtOnce(t *testing.T) {
	t.Parallel()
	db := table(t)
	outer := database.WithCall(t.Context())
	err := database.Transact(outer, db, func(ctx context.Context) error {
		for what, try := range map[string]func() error{
			"a second BeginTx":                func() error { _, err := db.BeginTx(ctx, nil); return err },
			"a BeginTx beside it":             func() error { _, err := db.BeginTx(outer, nil); return err },
			"a write beside it":               func() error { return add(db, "a", nil)(outer) },
			"Transact beside it":              func() error { return database.Transact(outer, db, add(db, "a", nil)) },
			"a write of a command called":     func() error { return add(db, "a", nil)(database.WithCall(outer)) },
			"a returning insert beside it":    func() error { return db.QueryRowContext(outer, "insert into t(name) values ('a') returning id").Err() },
			"a write of a bound one, no ctx":  func() error { return boundExec(outer, db) },
			"a nested second BeginTx, nested": func() error { return nestedBegin(ctx, db) },
		} {
			err := try()
			if !errors.Is(err, database.ErrTransactionOpen) || !strings.Contains(err.Error(), "use the ctx that Transact gives") {
				t.Errorf("%s: %v", what, err)
			}
		}
		var n int
		if err := db.QueryRowContext(outer, "select count(*) from t").Scan(&n); err != nil {
			t.Errorf("a read beside it: %v", err)
		}
		return add(db, "a", nil)(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, db); got != "a" {
		t.Errorf("rows %q", got)
	}
}

func boundExec(ctx context.Context, db *sql.DB) error {
	h, _ := database.HandleOf(db)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err := h.Bind(ctx).Exec("insert into t(name) values ('a')")
	return err
}

func nestedBegin(ctx context.Context, db *sql.DB) error {
	return database.Transact(ctx, db, func(ctx context.Context) error {
		_, err := db.BeginTx(ctx, nil)
		return err
	})
}

func TestAnotherCallWaits(t *testing.T) {
	t.Parallel()
	db := table(t)
	entered, leave, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- database.Transact(database.WithCall(t.Context()), db, func(ctx context.Context) error {
			close(entered)
			<-leave
			return add(db, "first", nil)(ctx)
		})
	}()
	<-entered
	ctx, cancel := context.WithTimeout(database.WithCall(t.Context()), 30*time.Millisecond)
	defer cancel()
	if err := add(db, "early", nil)(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while the transaction is open: %v", err)
	}
	close(leave)
	if err := errors.Join(add(db, "second", nil)(database.WithCall(t.Context())), <-done); err != nil {
		t.Error(err)
	}
	if got := names(t, db); got != "first second" {
		t.Errorf("rows %q", got)
	}
}

func TestAContextAfterItsTransaction(t *testing.T) {
	t.Parallel()
	db := table(t)
	var kept, inner context.Context
	err := database.Transact(t.Context(), db, func(ctx context.Context) error {
		kept = ctx
		err := database.Transact(ctx, db, func(ctx context.Context) error { inner = ctx; return nil })
		if e := add(db, "a", nil)(inner); !errors.Is(e, database.ErrTransactionEnded) {
			t.Errorf("after the savepoint: %v", e)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{kept, inner} {
		if err := add(db, "a", nil)(ctx); !errors.Is(err, database.ErrTransactionEnded) {
			t.Errorf("a write: %v", err)
		}
		if err := database.Transact(ctx, db, add(db, "a", nil)); !errors.Is(err, database.ErrTransactionEnded) {
			t.Errorf("Transact: %v", err)
		}
		if err := add(db, "detached", nil)(database.Detach(ctx)); err != nil {
			t.Errorf("detached: %v", err)
		}
	}
}

func TestOverlappingSavepointsAreRefused(t *testing.T) {
	t.Parallel()
	db := table(t)
	err := database.Transact(t.Context(), db, func(outer context.Context) error {
		return database.Transact(outer, db, func(context.Context) error {
			if err := database.Transact(outer, db, add(db, "a", nil)); err == nil || !strings.Contains(err.Error(), "overlap") {
				t.Errorf("got %v", err)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRowsEndWithTheTransaction(t *testing.T) {
	t.Parallel()
	db := table(t)
	exec1(t, t.Context(), db, "insert into t(name) values ('a'), ('b'), ('c')")
	var rows *sql.Rows
	err := database.Transact(t.Context(), db, func(ctx context.Context) (err error) {
		rows, err = db.QueryContext(ctx, "select name from t")
		if err != nil || !rows.Next() {
			return errors.Join(err, errors.New("no row"))
		}
		// A write while rows are open.
		return add(db, "d", nil)(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		t.Error("a row after the end")
	}
	if err := rows.Err(); !errors.Is(err, database.ErrTransactionEnded) {
		t.Errorf("the rows ended with %v", err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

func TestTransactInALiveCommand(t *testing.T) {
	t.Parallel()
	db := table(t)
	ctx := database.WithReadOnly(t.Context(), "things_index")
	err := database.Transact(ctx, db, func(ctx context.Context) error {
		var before, after int
		if err := db.QueryRowContext(ctx, "select count(*) from t").Scan(&before); err != nil {
			return err
		}
		exec1(t, t.Context(), db, "insert into t(name) values ('other')")
		if err := db.QueryRowContext(ctx, "select count(*) from t").Scan(&after); err != nil {
			return err
		}
		if before != after {
			t.Errorf("the view changed from %d to %d", before, after)
		}
		return database.Transact(ctx, db, add(db, "a", nil))
	})
	if refusal, ok := errors.AsType[*database.ReadOnlyError](err); !ok || refusal.Command != "things_index" {
		t.Errorf("a write: %v", err)
	}
}

func TestTransactNeedsATrackedDatabase(t *testing.T) {
	t.Parallel()
	if err := database.Transact(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "not opened by") {
		t.Errorf("got %v", err)
	}
}
