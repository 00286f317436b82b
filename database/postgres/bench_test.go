//go:build postgres

package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// BenchmarkCommitToPush measures the time from when COMMIT returned to the push, for a commit of
// the app's own and for those of another program under each capture.
func BenchmarkCommitToPush(b *testing.B) {
	for _, whose := range []string{"ours", "polled", "notify", "log"} {
		b.Run(whose, func(b *testing.B) {
			db, address := open(b, tables...)
			writer := db
			if whose != "ours" {
				writer = openAt(b, address)
			}
			capture(b, db, whose)
			s := follow(b, db)
			next(b, s)
			time.Sleep(300 * time.Millisecond)
			var all, pushes []time.Duration
			for i := range max(b.N, 40) {
				time.Sleep(time.Duration(20+rand.IntN(250)) * time.Millisecond) // at any time between two polls
				start := time.Now()
				exec(b, b.Context(), writer, "update person set name = $1 where id = 1", fmt.Sprint("n", i))
				committed := time.Now()
				next(b, s)
				all, pushes = append(all, time.Since(start)), append(pushes, time.Since(committed))
			}
			report(b, "push-p50-ms", middle(pushes))
			report(b, "write+push-p50-ms", middle(all))
			report(b, "max-ms", slices.Max(all))
			b.ReportMetric(0, "ns/op")
		})
	}
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func report(b *testing.B, name string, d time.Duration) {
	b.ReportMetric(float64(d.Microseconds())/1000, name)
}

// BenchmarkManyWriters has 8 sessions write to a table of their own or to one table, without a
// capture and under each, while somebody follows and while nobody does.
func BenchmarkManyWriters(b *testing.B) {
	for _, followed := range []bool{false, true} {
		for _, kind := range []string{"polled", "notify", "log"} {
			b.Run(fmt.Sprintf("%s,followed=%v", kind, followed), func(b *testing.B) {
				db, address := open(b, tables...)
				other := openAt(b, address)
				capture(b, db, kind)
				if followed {
					next(b, followQuery(b, db, func(ctx context.Context) (n string, err error) {
						err = db.QueryRowContext(ctx, "select min(id) from person").Scan(&n)
						return n, err
					}))
					time.Sleep(300 * time.Millisecond)
				}
				prepared, err := other.PrepareContext(b.Context(), "update person set name = 'x' where id = $1")
				if err != nil {
					b.Fatal(err)
				}
				defer prepared.Close()
				exec(b, b.Context(), other, "insert into person(name) select 'p' from generate_series(1, 100)")
				var writers sync.WaitGroup
				var done atomic.Int64
				for w := range 8 {
					writers.Go(func() {
						for done.Add(1) <= int64(b.N) {
							if _, err := prepared.ExecContext(b.Context(), 10+w); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				writers.Wait()
			})
		}
	}
}

// BenchmarkManyPages has 1,000 live queries of one row each, of which one changes. All of them
// run, because a read is known by table.
func BenchmarkManyPages(b *testing.B) {
	db, address := open(b, tables...)
	other := openAt(b, address)
	exec(b, b.Context(), db, "insert into person(name) select 'p' from generate_series(1, 1000)")
	capture(b, db, "notify")
	reg := live.New(live.Options{})
	h, _ := database.HandleOf(db)
	stop := h.OnCommit(reg.Committed)
	b.Cleanup(func() { stop(); reg.Close() })
	var runs atomic.Int64
	var first *live.Subscription
	for i := range 1000 {
		s, err := reg.Subscribe(live.Key{Command: "page", Args: fmt.Sprint(i)}, func(ctx context.Context) ([]byte, error) {
			defer runs.Add(1)
			var name sql.NullString
			err := db.QueryRowContext(database.WithReadOnly(ctx, "page"), "select name from person where id = $1", i).Scan(&name)
			return []byte(name.String), err
		})
		if err != nil {
			b.Fatal(err)
		}
		if i == 7 {
			first = s
		}
	}
	settle := func() {
		for before := int64(-1); before != runs.Load(); time.Sleep(300 * time.Millisecond) {
			before = runs.Load()
		}
	}
	settle()
	next(b, first)
	var pushes []time.Duration
	runs.Store(0)
	n := max(b.N, 10)
	for i := range n {
		start := time.Now()
		exec(b, b.Context(), other, "update person set name = $1 where id = 7", fmt.Sprint(i))
		next(b, first)
		pushes = append(pushes, time.Since(start))
		settle()
	}
	report(b, "push-p50-ms", middle(pushes))
	b.ReportMetric(float64(runs.Load())/float64(n), "runs/commit")
	b.ReportMetric(0, "ns/op")
}
