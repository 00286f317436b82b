// Package orm checks that the libraries people use for SQL work over the tracked *sql.DB as
// they are: what they write is told, what they read is followed, and their statements join a
// transaction by ctx.
package orm

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// store is what a library is asked to do.
type store struct {
	add    func(ctx context.Context, name string) (id int64, err error)
	rename func(ctx context.Context, id int64, name string) error
	remove func(ctx context.Context, id int64) error
	names  func(ctx context.Context) (string, error) // of all, by id, with spaces between
	show   func(ctx context.Context, id int64) (string, error)
	// pair adds two in a transaction of the library's own, and takes them back when asked.
	pair func(ctx context.Context, a, b string, back bool) error
}

var errBack = errors.New("taken back")

const schema = "create table people(id integer primary key autoincrement, name text not null, born datetime)"

func open(t *testing.T) (*sql.DB, *live.Registry) {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(t.TempDir(), "orm.db")})
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
	return db, r
}

// follower shows what a live query pushes.
type follower struct {
	t *testing.T
	*live.Subscription
}

func follow(t *testing.T, r *live.Registry, name string, read func(ctx context.Context) (string, error)) follower {
	t.Helper()
	s, err := r.Subscribe(live.Key{Command: name}, func(ctx context.Context) ([]byte, error) {
		value, err := read(database.WithReadOnly(ctx, name))
		return []byte(value), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return follower{t, s}
}

func (f follower) expect(want string) {
	f.t.Helper()
	select {
	case u := <-f.Updates():
		if u.Err != nil || string(u.Value) != want {
			f.t.Errorf("pushed %q, %v, want %q", u.Value, u.Err, want)
		}
	case <-time.After(10 * time.Second):
		f.t.Fatalf("nothing was pushed, want %q", want)
	}
}

// exercise has the library do all of it.
func exercise(t *testing.T, db *sql.DB, r *live.Registry, s store) {
	ctx := database.WithCall(t.Context())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ada, err := s.add(ctx, "Ada")
	must(err)
	grace, err := s.add(ctx, "Grace")
	must(err)
	all := follow(t, r, "all", s.names)
	all.expect("Ada Grace")
	one := follow(t, r, "one", func(ctx context.Context) (string, error) { return s.show(ctx, ada) })
	one.expect("Ada")

	must(s.rename(ctx, ada, "Lovelace"))
	all.expect("Lovelace Grace")
	one.expect("Lovelace")
	must(s.remove(ctx, grace))
	all.expect("Lovelace")

	must(s.pair(ctx, "Joan", "Edith", false))
	all.expect("Lovelace Joan Edith")
	if err := s.pair(ctx, "no", "body", true); !errors.Is(err, errBack) {
		t.Errorf("a transaction that is taken back: %v", err)
	}
	err = database.Transact(ctx, db, func(ctx context.Context) error {
		if err := s.rename(ctx, ada, "gone"); err != nil {
			return err
		}
		if name, err := s.show(ctx, ada); name != "gone" || err != nil {
			t.Errorf("inside its own transaction it is %q, %v", name, err)
		}
		return errBack
	})
	if !errors.Is(err, errBack) {
		t.Errorf("Transact: %v", err)
	}
	must(database.Transact(ctx, db, func(ctx context.Context) error {
		_, err := s.add(ctx, "Mary")
		return err
	}))
	all.expect("Lovelace Joan Edith Mary")

	refusal := s.rename(database.WithReadOnly(t.Context(), "people_index"), ada, "x")
	if _, ok := errors.AsType[*database.ReadOnlyError](refusal); !ok {
		t.Errorf("a write in a live command: %v", refusal)
	}
	select {
	case u := <-one.Updates():
		t.Errorf("the row that nobody changed was pushed: %q, %v", u.Value, u.Err)
	default:
	}
}
