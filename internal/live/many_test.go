package live_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// latest waits until the newest result of a subscription is value.
func latest(t *testing.T, s *live.Subscription, value string) {
	t.Helper()
	end := time.After(30 * time.Second)
	for {
		select {
		case u := <-s.Updates():
			if u.Err != nil {
				t.Fatal(u.Err)
			}
			if string(u.Value) == value {
				return
			}
		case <-end:
			t.Fatalf("never got %q", value)
		}
	}
}

// TestTenThousandSubscriptions has as many as an app may have. Half of those who subscribed do not read
// until the end, which holds up nobody and costs them what came in between.
func TestTenThousandSubscriptions(t *testing.T) {
	t.Parallel()
	const count, principals = 10_000, 10
	db, r := app(t)
	write(t, db, fmt.Sprintf("with recursive n(i) as (select 3 union all select i + 1 from n where i < %d) insert into person select i, 'Person' from n", count))
	var runs atomic.Int64
	before := inUse()
	subscribe := func(i int) (*live.Subscription, error) {
		key := live.Key{Command: "person_show", Args: fmt.Sprint(i), Principal: fmt.Sprint("agent ", i%principals)}
		return r.Subscribe(key, name(db, i+1, &runs))
	}
	var all []*live.Subscription
	for i := range count {
		s, err := subscribe(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	var limit *live.LimitError
	if _, err := subscribe(count); !errors.As(err, &limit) || limit.Limit != count || limit.Principal != "" {
		t.Errorf("one more: %v", err)
	}
	for i := 3; i < count; i += 2 {
		latest(t, all[i], "Person")
	}
	each := (inUse() - before) / count
	t.Logf("%d bytes a subscription", each)
	if each > 16<<10 {
		t.Errorf("a subscription to one row holds %d bytes", each)
	}
	for _, name := range []string{"Between", "Last"} {
		write(t, db, "update person set name = ?", name)
		for i := 1; i < count; i += 2 {
			latest(t, all[i], name)
		}
	}
	for i := 0; i < count; i += 2 {
		latest(t, all[i], "Last")
	}
	if n := runs.Load(); n > 3*count+100 {
		t.Errorf("%d runs for three results of %d queries", n, count)
	}
	all[0].Close()
	if _, err := subscribe(count); err != nil {
		t.Errorf("in the place of one that ended: %v", err)
	}
}

// TestAMillionRowsInOneCommit is told once, as the whole table, and its memory does not grow with the rows.
func TestAMillionRowsInOneCommit(t *testing.T) { // It measures the memory of the program, so nothing runs beside it.
	const rows = 1_000_000 / slowness
	db, r := app(t)
	write(t, db, fmt.Sprintf("create table many(id integer primary key, n integer); with recursive i(i) as (select 1 union all select i + 1 from i where i < %d) insert into many select i, 0 from i", rows))
	var mu sync.Mutex
	var told []database.Writes
	h, _ := database.HandleOf(db)
	defer h.OnCommit(func(w database.Writes) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, w)
	})()
	follow := func(text string, args ...any) *live.Subscription {
		s, err := r.Subscribe(live.Key{Command: text}, func(ctx context.Context) ([]byte, error) {
			var n int
			err := db.QueryRowContext(ctx, text, args...).Scan(&n)
			return fmt.Append(nil, n), err
		})
		if err != nil {
			t.Fatal(err)
		}
		latest(t, s, "0")
		return s
	}
	first, last := follow("select n from many where id = ?", 1), follow("select n from many where id = ?+0", rows)
	most := watchMemory(t, func() { write(t, db, "update many set n = 7") })
	latest(t, first, "7")
	latest(t, last, "7")
	t.Logf("%d KB more at most", most>>10)
	if most > 64<<20 {
		t.Errorf("the memory of the program grew by %d MB", most>>20)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 || len(told[0].Tables) != 1 || told[0].Tables[0] != "many" || told[0].Rows != nil {
		t.Errorf("told %+v", told)
	}
}

// watchMemory gives how much the heap grew, at most, while fn ran.
func watchMemory(t *testing.T, fn func()) int64 {
	t.Helper()
	before := inUse()
	done := make(chan struct{})
	var most int64
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, int64(m.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	fn()
	close(done)
	watch.Wait()
	return max(most, before) - before
}
