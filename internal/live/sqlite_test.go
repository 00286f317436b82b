package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// app is a database whose commits a registry hears.
func app(t testing.TB) (*sql.DB, *live.Registry) {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(t.TempDir(), "app.db")})
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

func await(b *testing.B, s *live.Subscription) {
	b.Helper()
	select {
	case u := <-s.Updates():
		if u.Err != nil {
			b.Fatal(u.Err)
		}
	case <-time.After(10 * time.Second):
		b.Fatal("no update")
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

// BenchmarkCommitToPush measures a commit of this process and the push it causes, with one live
// query that reads one row. It reports medians: of the push since the commit was durable, and of
// both together. The time for an operation includes the pause that lets the pace pass.
func BenchmarkCommitToPush(b *testing.B) {
	db, r := app(b)
	var durable atomic.Pointer[time.Time]
	h, _ := database.HandleOf(db)
	defer h.OnCommit(func(database.Writes) {
		now := time.Now()
		durable.Store(&now)
	})()
	var runs atomic.Int64
	s, err := r.Subscribe(live.Key{Command: "person_show"}, name(db, 1, &runs))
	if err != nil {
		b.Fatal(err)
	}
	await(b, s)
	samples := map[string][]time.Duration{}
	for i := range max(b.N, 50) {
		time.Sleep(17 * time.Millisecond)
		start := time.Now()
		write(b, db, "update person set name = ? where id = 1", fmt.Sprint("Ada ", i))
		await(b, s)
		end := time.Now()
		samples["push"] = append(samples["push"], end.Sub(*durable.Load()))
		samples["write+push"] = append(samples["write+push"], end.Sub(start))
	}
	for name, all := range samples {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-p50-ms")
		b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, name+"-p95-ms")
	}
}
