package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// checksEnv sets how many times the test below compares a live query with a fresh run.
const checksEnv = "ELYRA_LIVE_CHECKS"

// watchedQuery is a subscription and what it showed last.
type watchedQuery struct {
	*live.Subscription
	text string
	args []any
	last string
	runs int
}

// result runs a query outside of the registry, or as a live query.
func result(ctx context.Context, db *sql.DB, text string, args []any) (string, error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%#v\n", row)
	}
	return out.String(), rows.Err()
}

// TestNoChangeIsMissed subscribes to random queries over random schemas and makes random
// writes. Whenever a fresh run shows something else than a subscription does, the registry
// missed a change.
func TestNoChangeIsMissed(t *testing.T) {
	t.Parallel()
	want := 5000
	if s := os.Getenv(checksEnv); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		want = n
	}
	var total tally
	for seed := uint64(1); total.checks < want && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) { missed(t, seed, &total) })
	}
	t.Logf("%d checks after commits: %d results changed, %d runs", total.checks, total.changed, total.runs)
	if total.changed == 0 || total.runs > total.checks/2 {
		t.Errorf("most queries run at each commit, or none ever changes: this test finds nothing")
	}
}

type tally struct{ checks, changed, runs int }

func missed(t *testing.T, seed uint64, total *tally) {
	db, r := app(t)
	w := newSQLWorld(seed)
	for _, s := range w.schema() {
		// Some are not valid, which does no harm.
		_, _ = db.ExecContext(t.Context(), s)
	}
	for range 40 {
		text, args := w.write()
		_, _ = db.ExecContext(t.Context(), text, args...)
	}
	var all []*watchedQuery
	for range 40 {
		if q := subscribeTo(t, db, r, w); q != nil {
			all = append(all, q)
		}
	}
	pass()
	for _, q := range all {
		q.receive()
		q.runs = 0
	}
	for range 60 {
		done := w.commit(t, db)
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		for _, q := range all {
			total.checks++
			total.runs += q.runs
			q.runs = 0
			if q.receive() {
				total.changed++
			}
			fresh, err := result(t.Context(), db, q.text, q.args)
			if fresh = show(fresh, err); q.last != fresh {
				t.Errorf("seed %d: missed: %s %#v\nafter %s\nshown %s\nfresh %s", seed, q.text, q.args, done, q.last, fresh)
				return
			}
		}
	}
	for _, q := range all {
		q.Close()
	}
}

func show(value string, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return value
}

// receive takes what was pushed.
func (q *watchedQuery) receive() bool {
	select {
	case u := <-q.Updates():
		q.last = show(string(u.Value), u.Err)
		return true
	default:
		return false
	}
}

func subscribeTo(t *testing.T, db *sql.DB, r *live.Registry, w *sqlWorld) *watchedQuery {
	q := &watchedQuery{}
	q.text, q.args = w.query()
	if _, err := result(t.Context(), db, q.text, q.args); err != nil && w.chance(90) {
		return nil
	}
	inside, again := w.chance(20), w.chance(20)
	s, err := r.Subscribe(live.Key{Command: q.text, Args: fmt.Sprint(q.args)}, func(ctx context.Context) (value []byte, err error) {
		q.runs++
		ctx = database.WithReadOnly(ctx, "x")
		run := func(ctx context.Context) error {
			text, err := result(ctx, db, q.text, q.args)
			value = []byte(text)
			if again && err == nil {
				_, err = result(ctx, db, q.text, q.args) // from now on they read in one view
			}
			return err
		}
		if inside {
			return value, database.Transact(ctx, db, run)
		}
		return value, run(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	q.Subscription = s
	return q
}

var errTakenBack = errors.New("taken back")

// commit makes one write, or a transaction with some and with savepoints, of which parts may
// be rolled back. It says what it did.
func (w *sqlWorld) commit(t *testing.T, db *sql.DB) string {
	var done []string
	one := func(ctx context.Context) {
		text, args := w.write()
		if w.chance(2) {
			text, args = w.alter(), nil
		}
		_, err := db.ExecContext(ctx, text, args...)
		done = append(done, fmt.Sprintf("%s %#v %v", text, args, err))
	}
	if w.chance(70) {
		one(t.Context())
		return done[0]
	}
	_ = database.Transact(t.Context(), db, func(ctx context.Context) error {
		for range 1 + w.IntN(3) {
			one(ctx)
			if w.chance(50) {
				back := w.chance(50)
				_ = database.Transact(ctx, db, func(ctx context.Context) error {
					one(ctx)
					if back {
						done = append(done, "taken back")
						return errTakenBack
					}
					return nil
				})
			}
		}
		if w.chance(10) {
			done = append(done, "all taken back")
			return errTakenBack
		}
		return nil
	})
	return strings.Join(done, "\n  ")
}
