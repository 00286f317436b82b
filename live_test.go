package elyra_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/elyratest"
)

var shelfSchema = fstest.MapFS{"0001_shelf.sql": {Data: []byte("-- +goose Up\nCREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL);\nCREATE TABLE loans (id INTEGER PRIMARY KEY);\n-- +goose Down\nDROP TABLE books;\nDROP TABLE loans;\n")}}

type titleArgs struct {
	Title string `json:"title"`
}

// buildShelf is an app with a live list of books.
func buildShelf(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("shelf.db", sqlite.Driver())
	titles := func(ctx context.Context, _ struct{}) (titles []string, err error) {
		rows, err := db.QueryContext(ctx, `SELECT title FROM books ORDER BY title`)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var title string
			if err := rows.Scan(&title); err != nil {
				return nil, err
			}
			titles = append(titles, title)
		}
		return titles, rows.Err()
	}
	add := func(ctx context.Context, in titleArgs) (elyra.None, error) {
		_, err := db.ExecContext(ctx, `INSERT INTO books (title) VALUES ($1)`, in.Title)
		return elyra.None{}, err
	}
	lend := func(ctx context.Context, _ struct{}) (elyra.None, error) {
		_, err := db.ExecContext(ctx, `INSERT INTO loans DEFAULT VALUES`)
		return elyra.None{}, err
	}
	addTwo := func(ctx context.Context, in titleArgs) (elyra.None, error) {
		return elyra.None{}, elyra.Transact(ctx, func(ctx context.Context) error {
			for _, suffix := range []string{" I", " II"} {
				if _, err := elyra.DB(ctx).Exec(`INSERT INTO books (title) VALUES ($1)`, in.Title+suffix); err != nil {
					return err
				}
			}
			if in.Title == "torn" {
				return errors.New("the second volume is torn")
			}
			return nil
		})
	}
	writes := func(ctx context.Context, _ struct{}) (int, error) {
		_, err := db.ExecContext(ctx, `INSERT INTO books (title) VALUES ('by a reader')`)
		return 0, err
	}
	live := elyra.CommandOptions{Live: true, Can: "books.view"}
	return elyra.New().Database(db).Migrations(shelfSchema).Commands(
		elyra.NewCommand("titles", titles, live),
		elyra.NewCommand("writes", writes, live),
		elyra.NewCommand("add", add, elyra.CommandOptions{Can: "books.create", Additive: true}),
		elyra.NewCommand("lend", lend, elyra.CommandOptions{}),
		elyra.NewCommand("add_two", addTwo, elyra.CommandOptions{}),
	).MCP(elyra.NewMCP().AllowAbilities("books.*")), nil
}

func TestLiveResultIsPushedWhenWhatItReadChanges(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildShelf)
	live := app.Live("titles", nil)
	if live.Value() != `[]` {
		t.Fatalf("an empty shelf is %s", live.Value())
	}
	// The agent's write, through the protocol, is pushed like anybody's.
	if r := app.MCP().Call("add", `{"title":"Dune"}`); r.IsError {
		t.Fatal(r.Text)
	}
	if got := live.Next(); got != `["Dune"]` {
		t.Errorf("after the agent's write: %s", got)
	}
	app.CallOK("add_two", `{"title":"Emma"}`, nil)
	if got := live.Next(); got != `["Dune","Emma I","Emma II"]` {
		t.Errorf("after a transaction: %s", got)
	}
	app.CallOK("lend", nil, nil)
	if err := app.CallErr("add_two", `{"title":"torn"}`); err.Error() != "the second volume is torn" {
		t.Errorf("a transaction that failed: %v", err)
	}
	live.QuietFor(100 * time.Millisecond)
}

func TestLiveCommandMustOnlyRead(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildShelf)
	q, err := app.Instance.Live(elyra.Internal{}, "writes", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if u := <-q.Updates(); u.Err == nil || !strings.Contains(u.Err.Error(), "`writes` is a live command and must only read") {
		t.Errorf("a live command that writes: %s, %v", u.Value, u.Err)
	}
	if _, err := app.Instance.Live(elyra.Internal{}, "add", []byte(`{"title":"x"}`)); err == nil {
		t.Error("a command that is not live was subscribed to")
	}
}

func TestDatabaseMistakesAreSaidAtStart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, url, want string }{
		{"memory", "sqlite::memory:", "memory"},
		{"scheme", "mysql://root:hunter2@localhost/x", `"mysql"`},
		{"no scheme", "hunter2", "sqlite"},
		{"folder", "sqlite:///", "/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := elyratest.Env(t)
			env.Getenv = func(name string) string { return map[string]string{"DATABASE_URL": tt.url}[name] }
			app, err := buildShelf(env)
			if err == nil {
				_, err = app.Start(t.Context(), env)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("DATABASE_URL=%s: %v; want an error with %q and no password", tt.url, err, tt.want)
			}
		})
	}
	_, err := elyra.New().Database(sql.OpenDB(foreign{})).Start(t.Context(), elyratest.Env(t))
	if err == nil || !strings.Contains(err.Error(), "Env.Database") {
		t.Errorf("a foreign *sql.DB: %v", err)
	}
}

func TestDatabaseURLGivesADatabaseToAnAppWithoutOne(t *testing.T) {
	t.Parallel()
	one := func(ctx context.Context, _ struct{}) (n int, err error) {
		err = elyra.DB(ctx).QueryRowContext(ctx, "SELECT 1").Scan(&n)
		return n, err
	}
	env := elyratest.Env(t)
	build := func(*elyra.Env) (*elyra.App, error) {
		return elyra.New().Drivers(sqlite.Driver()).Commands(elyra.NewCommand("one", one, elyra.CommandOptions{})), nil
	}
	if err := elyratest.NewWith(t, env, build).CallErr("one", nil); !strings.Contains(err.Error(), "no database") {
		t.Errorf("without DATABASE_URL: %v", err)
	}
	url := "sqlite://" + t.TempDir() + "/given.db"
	env.Getenv = func(name string) string { return map[string]string{"DATABASE_URL": url}[name] }
	var n int
	if elyratest.NewWith(t, env, build).CallOK("one", nil, &n); n != 1 {
		t.Errorf("with DATABASE_URL: %d", n)
	}
}

// foreign is a connector and driver that Elyra knows nothing of.
type foreign struct{}

func (foreign) Connect(context.Context) (driver.Conn, error) { return nil, errors.New("unused") }
func (f foreign) Driver() driver.Driver                      { return f }
func (foreign) Open(string) (driver.Conn, error)             { return nil, errors.New("unused") }
