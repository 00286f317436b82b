package live_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// source is a query whose result, reads and duration a test sets.
type source struct {
	mu     sync.Mutex
	value  string
	err    error
	tables []string
	takes  time.Duration
	before func(ctx context.Context, run int) // called at the start of a run, without mu

	runs  int
	times []time.Duration // when runs began, since the first
	first time.Time
}

func (s *source) run(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	if s.runs == 0 {
		s.first = time.Now()
	}
	s.runs++
	s.times = append(s.times, time.Since(s.first))
	before, run := s.before, s.runs
	s.mu.Unlock()
	if before != nil {
		before(ctx, run)
	}
	s.mu.Lock()
	takes := s.takes
	s.mu.Unlock()
	if takes > 0 {
		time.Sleep(takes)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, table := range s.tables {
		database.RecorderFrom(ctx).Read(table)
	}
	return []byte(s.value), s.err
}

func (s *source) set(value string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value, s.err = value, err
}

func (s *source) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs
}

func (s *source) began() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.times)
}

// bubble runs test with a registry, in fake time.
func bubble(t *testing.T, o live.Options, test func(t *testing.T, r *live.Registry)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := live.New(o)
		defer r.Close()
		test(t, r)
	})
}

func key(command string) live.Key { return live.Key{Command: command, Principal: "window main"} }

func subscribe(t *testing.T, r *live.Registry, command string, run live.Run) *live.Subscription {
	t.Helper()
	s, err := r.Subscribe(key(command), run)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// next gives what is there once nothing moves any more: "-" for nothing, "value" or
// "value!error".
func next(s *live.Subscription) string {
	synctest.Wait()
	select {
	case u, ok := <-s.Updates():
		switch {
		case !ok:
			return "closed"
		case u.Err != nil:
			return string(u.Value) + "!" + u.Err.Error()
		}
		return string(u.Value)
	default:
		return "-"
	}
}

func expect(t *testing.T, s *live.Subscription, want string) {
	t.Helper()
	if got := next(s); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func committed(r *live.Registry, tables ...string) {
	r.Committed(database.Writes{Tables: tables})
}

// pass lets the pace of a query pass.
func pass() {
	synctest.Wait()
	time.Sleep(time.Second)
	synctest.Wait()
}

func TestEqualSubscriptionsShareOneRun(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{value: "1", tables: []string{"a"}}
		first := subscribe(t, r, "q", q.run)
		expect(t, first, "1")
		second := subscribe(t, r, "q", q.run)
		expect(t, second, "1")
		if q.count() != 1 {
			t.Errorf("%d runs", q.count())
		}
		pass()
		q.set("2", nil)
		committed(r, "a")
		expect(t, first, "2")
		expect(t, second, "2")
		if q.count() != 2 {
			t.Errorf("%d runs", q.count())
		}
		other, err := r.Subscribe(live.Key{Command: "q", Principal: "window other"}, q.run)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, other, "2")
		if q.count() != 3 {
			t.Errorf("another principal shared the run: %d runs", q.count())
		}
	})
}

func TestOnlyWhatWasReadRunsAgain(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{value: "1", tables: []string{"a", "b"}}
		all := &source{value: "all", before: func(ctx context.Context, _ int) { database.RecorderFrom(ctx).ReadEverything() }}
		none := &source{value: "none"}
		s := subscribe(t, r, "q", q.run)
		subscribe(t, r, "all", all.run)
		subscribe(t, r, "none", none.run)
		expect(t, s, "1")
		for _, step := range []struct {
			change         func()
			q, all, none   int
			value, deliver string
		}{
			{func() { committed(r, "c") }, 1, 2, 1, "2", "-"},
			{func() { committed(r, "x", "b") }, 2, 3, 1, "2", "2"},
			{func() { committed(r, "a") }, 3, 4, 1, "2", "-"},
			{func() { committed(r) }, 3, 4, 1, "3", "-"},
			{func() { r.Changed("a") }, 3, 4, 1, "3", "-"},
			{func() { r.Committed(database.Writes{Everything: true}) }, 4, 5, 2, "3", "3"},
		} {
			pass()
			q.set(step.value, nil)
			step.change()
			expect(t, s, step.deliver)
			if q.count() != step.q || all.count() != step.all || none.count() != step.none {
				t.Errorf("runs %d %d %d, want %d %d %d", q.count(), all.count(), none.count(), step.q, step.all, step.none)
			}
		}
	})
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes time.Duration
		want  string
	}{
		{"quick", 0, "[0s 50ms 66ms 82ms]"},
		{"slow", 10 * time.Millisecond, "[0s 50ms 90ms]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
				q := &source{tables: []string{"a"}, takes: test.takes}
				subscribe(t, r, "q", q.run)
				time.Sleep(50 * time.Millisecond)
				for range 20 { // a commit each millisecond
					committed(r, "a")
					time.Sleep(time.Millisecond)
				}
				pass()
				if got := q.began(); got != test.want {
					t.Errorf("runs began at %s, want %s", got, test.want)
				}
			})
		})
	}
}

func TestACommitDuringARun(t *testing.T) {
	for _, test := range []struct {
		name    string
		commits func(r *live.Registry)
		want    int
	}{
		{"of what the run reads afterwards", func(r *live.Registry) { committed(r, "late") }, 2},
		{"of what only the run before read", func(r *live.Registry) { committed(r, "early") }, 1},
		{"of the schema", func(r *live.Registry) { r.Committed(database.Writes{Everything: true}) }, 2},
		{"and too many others to remember", func(r *live.Registry) {
			for range 257 {
				committed(r, "other")
			}
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
				q := &source{tables: []string{"early"}}
				s := subscribe(t, r, "q", q.run)
				pass()
				expect(t, s, "")
				q.mu.Lock()
				q.tables, q.takes, q.runs = []string{"late"}, 5*time.Millisecond, 0
				q.mu.Unlock()
				committed(r, "early")
				time.Sleep(time.Millisecond)
				test.commits(r)
				pass()
				if q.count() != test.want {
					t.Errorf("%d runs, want %d", q.count(), test.want)
				}
			})
		})
	}
}

func TestAFailingRunKeepsTheValue(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{err: errors.New("early"), tables: []string{"a", "b"}}
		s := subscribe(t, r, "q", q.run)
		expect(t, s, "!early")
		step := func(value string, err error, want string) {
			t.Helper()
			pass()
			q.set(value, err)
			committed(r, "b")
			expect(t, s, want)
		}
		step("1", nil, "1")
		q.mu.Lock()
		q.tables = []string{"a"} // it fails before it reads b
		q.mu.Unlock()
		boom := errors.New("boom")
		step("", boom, "1!boom")
		step("", boom, "-")
		late := subscribe(t, r, "q", q.run)
		expect(t, late, "1!boom")
		step("1", nil, "1")
		expect(t, late, "1")
	})
}

func TestTheLatestWins(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{value: "1", tables: []string{"a"}}
		s := subscribe(t, r, "q", q.run)
		for _, value := range []string{"2", "3"} {
			pass()
			q.set(value, nil)
			committed(r, "a")
		}
		pass()
		expect(t, s, "3")
		expect(t, s, "-")
	})
}

func TestLimits(t *testing.T) {
	o := live.Options{Max: 3, PerPrincipal: func(p string) int { return len(p) }}
	bubble(t, o, func(t *testing.T, r *live.Registry) {
		q := &source{}
		try := func(principal string) (*live.Subscription, error) {
			return r.Subscribe(live.Key{Command: "q", Principal: principal}, q.run)
		}
		one, err := try("a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := try("a"); err == nil || !strings.Contains(err.Error(), "a has its limit of 1 live queries") {
			t.Errorf("one too many of a principal: %v", err)
		}
		for range 2 {
			if _, err := try("bb"); err != nil {
				t.Fatal(err)
			}
		}
		var limit *live.LimitError
		if _, err := try("ccc"); !errors.As(err, &limit) || limit.Limit != 3 || limit.Principal != "" {
			t.Errorf("one too many of all: %v", err)
		}
		one.Close()
		one.Close()
		if _, err := try("ccc"); err != nil {
			t.Errorf("after closing one: %v", err)
		}
	})
}

func TestReadsAndChanged(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{value: "1", before: func(ctx context.Context, _ int) { live.Reads(ctx, "settings") }}
		s := subscribe(t, r, "q", q.run)
		expect(t, s, "1")
		pass()
		q.set("2", nil)
		r.Changed("other")
		committed(r, "settings")
		expect(t, s, "-")
		r.Changed("more", "settings")
		expect(t, s, "2")
	})
	live.Reads(t.Context(), "outside a run")
	live.RerunAt(t.Context(), time.Now())
}

func TestRerunAt(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		q := &source{value: "1", before: func(ctx context.Context, run int) {
			now := time.Now()
			live.RerunAt(ctx, now.Add(-time.Hour))
			live.RerunAt(ctx, now)
			if run == 1 {
				live.RerunAt(ctx, now.Add(5*time.Hour))
				live.RerunAt(ctx, now.Add(3*time.Hour))
			}
			if run == 2 {
				live.RerunAt(ctx, now.Add(time.Microsecond))
			}
		}}
		subscribe(t, r, "q", q.run)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if got, want := q.began(), "[0s 3h0m0s 3h0m0.016s]"; got != want {
			t.Errorf("runs began at %s, want %s", got, want)
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := live.New(live.Options{})
		var returned atomic.Bool
		blocked := func(ctx context.Context) ([]byte, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			returned.Store(true)
			return nil, ctx.Err()
		}
		s := subscribe(t, r, "blocked", blocked)
		sleeping := subscribe(t, r, "sleeping", func(ctx context.Context) ([]byte, error) {
			live.RerunAt(ctx, time.Now().Add(time.Hour))
			return []byte("1"), nil
		})
		expect(t, sleeping, "1")
		r.Close()
		if !returned.Load() {
			t.Error("Close did not wait for the run")
		}
		expect(t, s, "closed")
		expect(t, sleeping, "closed")
		s.Close()
		r.Close()
		committed(r, "a")
		r.Changed("a")
		if _, err := r.Subscribe(key("q"), blocked); !errors.Is(err, live.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestTheLastSubscriberLeavesDuringARun(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		var flying, most, runs atomic.Int64
		run := func(ctx context.Context) ([]byte, error) {
			most.Store(max(most.Load(), flying.Add(1)))
			defer flying.Add(-1)
			if runs.Add(1) == 1 {
				<-ctx.Done()
				time.Sleep(10 * time.Millisecond) // it does not stop at once
				return nil, ctx.Err()
			}
			return []byte("fresh"), ctx.Err()
		}
		first := subscribe(t, r, "q", run)
		synctest.Wait()
		first.Close()
		expect(t, first, "closed")
		second := subscribe(t, r, "q", run)
		expect(t, second, "-")
		pass()
		expect(t, second, "fresh")
		if most.Load() != 1 || runs.Load() != 2 {
			t.Errorf("%d runs, %d at a time", runs.Load(), most.Load())
		}
		second.Close()
		third := subscribe(t, r, "q", run)
		expect(t, third, "fresh")
		if runs.Load() != 3 {
			t.Errorf("a query without subscribers was kept: %d runs", runs.Load())
		}
	})
}

func TestRunsAreBounded(t *testing.T) {
	bubble(t, live.Options{Workers: 3}, func(t *testing.T, r *live.Registry) {
		var flying, most, runs atomic.Int64
		var mu sync.Mutex
		for i := range 200 {
			subscribe(t, r, fmt.Sprint(i), func(ctx context.Context) ([]byte, error) {
				mu.Lock()
				most.Store(max(most.Load(), flying.Add(1)))
				mu.Unlock()
				defer flying.Add(-1)
				runs.Add(1)
				database.RecorderFrom(ctx).Read("a")
				time.Sleep(time.Millisecond)
				return nil, nil
			})
		}
		pass()
		committed(r, "a")
		pass()
		if most.Load() != 3 || runs.Load() != 400 {
			t.Errorf("%d runs, %d at a time", runs.Load(), most.Load())
		}
	})
}

func TestAPanicIsAnError(t *testing.T) {
	bubble(t, live.Options{}, func(t *testing.T, r *live.Registry) {
		s := subscribe(t, r, "q", func(context.Context) ([]byte, error) { panic("secret") })
		expect(t, s, "!the live query q failed inside")
	})
}
