//go:build postgres

package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/internal/live"
)

// address is where scripts/postgres.sh has started a server.
func address(t testing.TB) string {
	t.Helper()
	a := os.Getenv("ELYRA_TEST_POSTGRES")
	if a == "" {
		t.Fatal("run this by way of scripts/postgres.sh")
	}
	return a
}

// open gives a database of the test's own, and its address.
func open(t testing.TB, statements ...string) (*sql.DB, string) {
	t.Helper()
	return openOn(t, address(t), statements...)
}

// openOn gives a database of the test's own on the server with an address.
func openOn(t testing.TB, server string, statements ...string) (*sql.DB, string) {
	t.Helper()
	name := fmt.Sprintf("t%d", time.Now().UnixNano())
	admin := openAt(t, server)
	exec(t, t.Context(), admin, "create database "+name)
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = name
	db := openAt(t, u.String())
	for _, s := range statements {
		exec(t, t.Context(), db, s)
	}
	return db, u.String()
}

func openAt(t testing.TB, address string) *sql.DB {
	t.Helper()
	return openWith(t, postgres.Driver(), database.OpenOptions{URL: address})
}

func openWith(t testing.TB, d database.Driver, o database.OpenOptions) *sql.DB {
	t.Helper()
	db, err := d.Open(o)
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

func exec(t testing.TB, ctx context.Context, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(ctx, text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) From(database.Handle)                      {}
func (r *recorder) Volatile(string)                           {}
func (r *recorder) ReadEverything()                           { r.Read("*") }
func (r *recorder) ReadRows(t string, _ []database.Condition) { r.Read(t) }

func (r *recorder) Read(table string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.seen, table) {
		r.seen = append(r.seen, table)
	}
}

func (r *recorder) String() string {
	slices.Sort(r.seen)
	return strings.Join(r.seen, " ")
}

var tables = []string{
	"create table team(id int primary key, name text)",
	"create table person(id int primary key generated always as identity, name text, team int references team)",
	"create view named as select p.name, t.name team from person p join team t on t.id = p.team",
	"create function crowd() returns bigint language sql as 'select count(*) from person'",
	"create function hidden() returns bigint language plpgsql as 'begin return (select count(*) from team); end'",
	"insert into team values (1, 'x')", "insert into person(name, team) values ('a', 1), ('b', 1)",
}

func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	db, _ := open(t, tables...)
	for query, want := range map[string]string{
		"select name from person where id = 1": "public.person",
		"select * from named":                  "public.person public.team",
		"select crowd()":                       "public.person",
		"select hidden()":                      "public.team",
		"select 1":                             "",
		"select nonsense":                      "*",
		"insert into team values (2, 'y')":     "*",
	} {
		r := &recorder{}
		rows, err := db.QueryContext(database.WithRecorder(t.Context(), r), query)
		if err == nil {
			err = rows.Close()
		}
		if got := r.String(); got != want {
			t.Errorf("%s: read %q, want %q (%v)", query, got, want, err)
		}
	}
}

var errBack = errors.New("back")

func TestTransact(t *testing.T) {
	t.Parallel()
	db, _ := open(t, tables...)
	add := func(ctx context.Context, name string) error {
		_, err := db.ExecContext(ctx, "insert into person(name) values ($1)", name)
		return err
	}
	outer := database.WithCall(t.Context())
	err := database.Transact(outer, db, func(ctx context.Context) error {
		if err := add(ctx, "c"); err != nil {
			return err
		}
		if err := database.Transact(ctx, db, func(ctx context.Context) error { return errors.Join(add(ctx, "no"), errBack) }); !errors.Is(err, errBack) {
			return fmt.Errorf("inner: %w", err)
		}
		rows, err := db.QueryContext(ctx, "select name from person order by id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			// Another statement while rows are open.
			if err := add(ctx, "d"); err != nil {
				return err
			}
		}
		for what, try := range map[string]func() error{
			"a second BeginTx":    func() error { _, err := db.BeginTx(ctx, nil); return err },
			"a BeginTx beside it": func() error { _, err := db.BeginTx(outer, nil); return err },
			"a write beside it":   func() error { return add(outer, "x") },
		} {
			if err := try(); !errors.Is(err, database.ErrTransactionOpen) {
				t.Errorf("%s: %v", what, err)
			}
		}
		h, _ := database.HandleOf(db)
		bound, cancel := context.WithCancel(ctx)
		defer cancel()
		_, err = h.Bind(bound).Exec("insert into person(name) values ('e')")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var names string
	if err := db.QueryRowContext(t.Context(), "select string_agg(name, ' ' order by id) from person").Scan(&names); err != nil || names != "a b c d d d e" {
		t.Errorf("%q, %v", names, err)
	}
	readOnly := database.WithReadOnly(t.Context(), "people_index")
	for what, err := range map[string]error{
		"a write":              add(readOnly, "x"),
		"a returning write":    db.QueryRowContext(readOnly, "insert into person(name) values ('x') returning id").Scan(new(int)),
		"one in a transaction": database.Transact(readOnly, db, func(ctx context.Context) error { return add(ctx, "x") }),
	} {
		if _, ok := errors.AsType[*database.ReadOnlyError](err); !ok {
			t.Errorf("%s in a live command: %v", what, err)
		}
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	_, address := open(t)
	files := fstest.MapFS{
		"postgres/00001_things.sql": {Data: []byte("-- +goose Up\ncreate table things(id int);\n-- +goose Down\ndrop table things;\n")},
		"postgres/00002_seed.sql":   {Data: []byte("-- +goose Up\ninsert into things values (1);\n-- +goose Down\ndelete from things;\n")},
		"sqlite/00001_other.sql":    {Data: []byte("-- +goose Up\nnonsense;\n")},
	}
	// Several programs that start at once.
	var all sync.WaitGroup
	counts := make(chan int, 4)
	for range 4 {
		db := openAt(t, address)
		all.Go(func() {
			n, err := database.Migrate(t.Context(), db, files, database.MigrateOptions{})
			if err != nil {
				t.Error(err)
			}
			counts <- n
		})
	}
	all.Wait()
	close(counts)
	total := 0
	for n := range counts {
		total += n
	}
	if total != 2 {
		t.Errorf("%d migrations were applied by all together, want 2", total)
	}
	if n, err := database.Migrate(t.Context(), openAt(t, address), files, database.MigrateOptions{Down: true, All: true}); n != 2 || err != nil {
		t.Errorf("down: %d, %v", n, err)
	}
}

// follow gives a subscription to all names.
func follow(t testing.TB, db *sql.DB) *live.Subscription {
	t.Helper()
	return followQuery(t, db, func(ctx context.Context) (names string, err error) {
		err = db.QueryRowContext(ctx, "select string_agg(name, ' ' order by id) from person").Scan(&names)
		return names, err
	})
}

// followQuery gives a registry, and a subscription to what a query gives.
func followQuery(t testing.TB, db *sql.DB, query func(ctx context.Context) (string, error)) *live.Subscription {
	t.Helper()
	r := live.New(live.Options{})
	h, _ := database.HandleOf(db)
	stop := h.OnCommit(r.Committed)
	t.Cleanup(func() { stop(); r.Close() })
	s, err := r.Subscribe(live.Key{Command: "names"}, func(ctx context.Context) ([]byte, error) {
		value, err := query(database.WithReadOnly(ctx, "names"))
		return []byte(value), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func next(t testing.TB, s *live.Subscription) string {
	t.Helper()
	select {
	case u := <-s.Updates():
		if u.Err != nil {
			return u.Err.Error()
		}
		return string(u.Value)
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was pushed")
		return ""
	}
}

func TestCommitsArePushed(t *testing.T) {
	t.Parallel()
	db, address := open(t, tables...)
	other := openAt(t, address)
	s := follow(t, db)
	if got := next(t, s); got != "a b" {
		t.Fatal(got)
	}
	late, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.ExecContext(t.Context(), "insert into person(name) values ('late')"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name, want string
		do         func() error
	}{
		{"ours", "a b c", func() error { exec(t, t.Context(), db, "insert into person(name) values ('c')"); return nil }},
		{"another program's", "a b c e", func() error { exec(t, t.Context(), other, "insert into person(name) values ('e')"); return nil }},
		{"an older transaction's", "a b late c e", func() error { return late.Commit() }},
		{"a transaction of ours", "a b late c e f", func() error {
			return database.Transact(t.Context(), db, func(ctx context.Context) error {
				_, err := db.ExecContext(ctx, "insert into person(name) values ('f')")
				return err
			})
		}},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := next(t, s); got != step.want {
			t.Errorf("%s: pushed %q, want %q", step.name, got, step.want)
		}
	}
}
