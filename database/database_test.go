package database_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

// migrateEnv tells this test binary to be a program that starts and migrates: it holds the
// path of the database.
const migrateEnv = "ELYRA_TEST_MIGRATE_DATABASE"

func TestMain(m *testing.M) {
	if path := os.Getenv(migrateEnv); path != "" {
		if err := startAndMigrate(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

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

var files = fstest.MapFS{
	"sqlite/00001_things.sql": {Data: []byte("-- +goose Up\ncreate table things(id integer primary key, name text);\n-- +goose Down\ndrop table things;\n")},
	"sqlite/00002_seed.sql":   {Data: []byte("-- +goose Up\ninsert into things(name) values ('seed');\n-- +goose Down\ndelete from things;\n")},
	"sqlite/00003_rebuild.sql": {Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\npragma foreign_keys = off;\n" +
		"alter table things add column age integer;\npragma foreign_keys = on;\n-- +goose Down\nalter table things drop column age;\n")},
	"postgres/00001_other.sql": {Data: []byte("-- +goose Up\nnonsense;\n")},
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	db := open(t)
	for _, step := range []struct {
		name string
		o    database.MigrateOptions
		want int
	}{
		{"up", database.MigrateOptions{}, 3},
		{"up again", database.MigrateOptions{}, 0},
		{"down one", database.MigrateOptions{Down: true}, 1},
		{"up one", database.MigrateOptions{}, 1},
		{"down all", database.MigrateOptions{Down: true, All: true}, 3},
		{"down nothing", database.MigrateOptions{Down: true}, 0},
		{"up once more", database.MigrateOptions{}, 3},
	} {
		n, err := database.Migrate(t.Context(), db, files, step.o)
		if err != nil || n != step.want {
			t.Errorf("%s: %d, %v, want %d", step.name, n, err, step.want)
		}
	}
	var name string
	if err := db.QueryRowContext(t.Context(), "select name from things where age is null").Scan(&name); err != nil || name != "seed" {
		t.Errorf("%q, %v", name, err)
	}

	older := fstest.MapFS{"00001_things.sql": files["sqlite/00001_things.sql"]}
	for _, o := range []database.MigrateOptions{{}, {Down: true}} {
		if _, err := database.Migrate(t.Context(), db, older, o); err == nil || !strings.Contains(err.Error(), "version 3 and this program knows versions up to 1") {
			t.Errorf("an older program: %v", err)
		}
	}
	if n, err := database.Migrate(t.Context(), open(t), fstest.MapFS{}, database.MigrateOptions{}); n != 0 || err != nil {
		t.Errorf("no files: %d, %v", n, err)
	}
}

func TestMigrateReportsWhatFailed(t *testing.T) {
	t.Parallel()
	db := open(t)
	broken := fstest.MapFS{
		"00001_things.sql": files["sqlite/00001_things.sql"],
		"00002_broken.sql": {Data: []byte("-- +goose Up\ninsert into things(name) values ('half');\ninsert into missing values (1);\n")},
	}
	n, err := database.Migrate(t.Context(), db, broken, database.MigrateOptions{})
	if n != 1 || err == nil || !strings.Contains(err.Error(), "00002_broken.sql") || !strings.Contains(err.Error(), "no such table: missing") {
		t.Errorf("%d, %v", n, err)
	}
	var count int
	if err := db.QueryRowContext(t.Context(), "select count(*) from things").Scan(&count); err != nil || count != 0 {
		t.Errorf("%d rows of the half migration, %v", count, err)
	}
}

// startAndMigrate waits for a line on stdin, so that several processes go at once, and says how
// many migrations it applied.
func startAndMigrate(path string) error {
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		return err
	}
	n, err := database.Migrate(context.Background(), db, files, database.MigrateOptions{})
	fmt.Println(n)
	return errors.Join(err, db.Close())
}

func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "app.db")
	type process struct {
		*exec.Cmd
		start io.Writer
		out   *strings.Builder
	}
	var all []process
	for range 4 {
		p := process{Cmd: exec.Command(os.Args[0]), out: &strings.Builder{}}
		p.Env = append(os.Environ(), migrateEnv+"="+path)
		p.Stdout, p.Stderr = p.out, p.out
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		p.start = in
		all = append(all, p)
	}
	for _, p := range all {
		if _, err := p.start.Write([]byte("go\n")); err != nil {
			t.Error(err)
		}
	}
	total := 0
	for _, p := range all {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.out)
			continue
		}
		var n int
		if _, err := fmt.Sscan(p.out.String(), &n); err != nil {
			t.Errorf("%v: %s", err, p.out)
		}
		total += n
	}
	if total != 3 {
		t.Errorf("%d migrations were applied by all together, want 3", total)
	}
	var seeds int
	if err := openAt(t, path).QueryRowContext(t.Context(), "select count(*) from things").Scan(&seeds); err != nil || seeds != 1 {
		t.Errorf("seeded %d times, %v", seeds, err)
	}
}
