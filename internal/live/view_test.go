package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// opens counts the views that a driver opened and that were closed again.
type opens struct{ opened, closed atomic.Int64 }

func (o *opens) Close() error {
	o.closed.Add(1)
	return nil
}

// ask does what a driver does before a statement. It gives the view.
func (o *opens) ask(ctx context.Context) io.Closer {
	r := database.RecorderFrom(ctx).(interface {
		View(database.Handle, func() (io.Closer, error)) (io.Closer, error)
	})
	one, err := r.View(nil, func() (io.Closer, error) {
		o.opened.Add(1)
		return o, nil
	})
	if err != nil {
		return nil
	}
	return one
}

func TestARunOfSeveralStatementsHasOneView(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		var o opens
		var statements int
		var left context.Context
		run := func(ctx context.Context) ([]byte, error) {
			left = ctx
			database.RecorderFrom(ctx).Read("a")
			var all sync.WaitGroup
			for range statements {
				all.Go(func() { o.ask(ctx) })
			}
			all.Wait()
			return fmt.Append(nil, time.Now()), nil
		}
		for i, step := range []struct {
			statements int
			want       int64 // views so far
		}{
			{1, 0},
			{1, 0},
			{2, 0}, // nobody could know
			{2, 1},
			{3, 2},
			{1, 3}, // nobody could know
			{1, 3},
		} {
			statements = step.statements
			if i == 0 {
				subscribe(t, r, "q", run)
			} else {
				committed(r, "a")
			}
			pass()
			if got, closed := o.opened.Load(), o.closed.Load(); got != step.want || closed != got {
				t.Errorf("step %d: %d views opened, %d closed; want %d", i, got, closed, step.want)
			}
		}
		if o.ask(left) != nil {
			t.Error("a statement after its run got a view, which nobody would close")
		}
	})
}

func TestAnotherQueryOfACommandKnowsFromTheFirst(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		var o opens
		for i, principal := range []string{"window main", "window other"} {
			_, err := r.Subscribe(live.Key{Command: "q", Principal: principal}, func(ctx context.Context) ([]byte, error) {
				o.ask(ctx)
				o.ask(ctx)
				return nil, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			pass()
			if got := o.opened.Load(); got != int64(i) {
				t.Errorf("after %d queries %d views", i+1, got)
			}
		}
	})
}

func TestAViewThatCannotBeOpenedIsAnError(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		boom := errors.New("boom")
		s := subscribe(t, r, "q", func(ctx context.Context) ([]byte, error) {
			database.RecorderFrom(ctx).Read("a")
			recorder := database.RecorderFrom(ctx).(interface {
				View(database.Handle, func() (io.Closer, error)) (io.Closer, error)
			})
			for range 2 {
				if _, err := recorder.View(nil, func() (io.Closer, error) { return nil, boom }); err != nil {
					return nil, err
				}
			}
			return []byte("1"), nil
		})
		expect(t, s, "1")
		pass()
		committed(r, "a")
		expect(t, s, "1!boom")
	})
}

const pairs = "create table pair(id integer primary key, a integer, b integer); insert into pair values (1, 0, 0)"

// pair reads two halves that are always written together, in two statements.
func pair(db *sql.DB, between func()) live.Run {
	return func(ctx context.Context) ([]byte, error) {
		ctx = database.WithReadOnly(ctx, "pair_show")
		var a, b int
		if err := db.QueryRowContext(ctx, "select a from pair where id = 1").Scan(&a); err != nil {
			return nil, err
		}
		between()
		if err := db.QueryRowContext(ctx, "select b from pair where id = 1").Scan(&b); err != nil {
			return nil, err
		}
		return fmt.Append(nil, a, " ", b), nil
	}
}

func TestACommitBetweenTheStatementsOfARun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, r := app(t)
		write(t, db, pairs)
		runs := 0
		s, err := r.Subscribe(live.Key{Command: "pair_show"}, pair(db, func() {
			if runs++; runs <= 3 {
				write(t, db, "update pair set a = a + 1, b = b + 1")
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		// The first run sees both states, which is not shown; those after it see one each.
		for _, want := range []string{"-", "1 1", "2 2", "3 3", "-"} {
			expect(t, s, want)
			time.Sleep(16 * time.Millisecond)
		}
		if runs != 4 {
			t.Errorf("%d runs", runs)
		}
	})
}

// TestPartsOfAResultBelongTogether writes as quickly as it can while queries of two statements run.
func TestPartsOfAResultBelongTogether(t *testing.T) {
	t.Parallel()
	db, r, path := shared(t, pairs)
	var all []*live.Subscription
	for i := range 4 {
		s, err := r.Subscribe(live.Key{Command: "pair_show", Principal: fmt.Sprint(i)}, pair(db, func() { time.Sleep(time.Millisecond) }))
		if err != nil {
			t.Fatal(err)
		}
		<-s.Updates()
		all = append(all, s)
	}
	o := startOther(t, path)
	const commits = 60
	for range commits {
		write(t, db, "update pair set a = a + 1, b = b + 1")
		o.must("update pair set a = a + 1, b = b + 1")
	}
	last := fmt.Sprintf("%d %d", 2*commits, 2*commits)
	for _, s := range all {
		for value := ""; value != last; {
			select {
			case u := <-s.Updates():
				value = string(u.Value)
				if a, b, _ := strings.Cut(value, " "); u.Err != nil || a != b {
					t.Fatalf("pushed %q, %v", value, u.Err)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("still %q, want %q", value, last)
			}
		}
	}
}
