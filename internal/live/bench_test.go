package live_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

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

// samples are times of one kind.
type samples map[string][]time.Duration

func (s samples) report(b *testing.B) {
	for name, all := range s {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-p50-ms")
		b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, name+"-p95-ms")
	}
	b.ReportMetric(0, "ns/op") // it would count the pauses
}

// BenchmarkCommitToPush measures a commit of this process and the push it causes, with one live
// query that reads one row: the push since the commit was durable, and both together.
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
	times := samples{}
	for i := range max(b.N, 50) {
		time.Sleep(17 * time.Millisecond) // the pace of a query
		start := time.Now()
		write(b, db, "update person set name = ? where id = 1", fmt.Sprint("Ada ", i))
		await(b, s)
		end := time.Now()
		times["push"] = append(times["push"], end.Sub(*durable.Load()))
		times["write+push"] = append(times["write+push"], end.Sub(start))
	}
	times.report(b)
}

const (
	pageCount = 1000
	pageSize  = 50
	affected  = 10
)

// pages makes 50,000 persons in 1,000 teams.
func pages(b *testing.B) (*sql.DB, *live.Registry) {
	db, r := app(b)
	write(b, db, "create table member(id integer primary key, name text, team integer); create index member_team on member(team)")
	write(b, db, fmt.Sprintf("with recursive n(i) as (select 0 union all select i + 1 from n where i < %d) insert into member select i, 'Person ' || i, i %% %d from n", pageCount*pageSize-1, pageCount))
	return db, r
}

func page(ctx context.Context, db *sql.DB, team int) ([]byte, error) {
	rows, err := db.QueryContext(ctx, "select id, name from member where team = ? order by id limit 50", team)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out bytes.Buffer
	for rows.Next() {
		var id int
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%d %s\n", id, name)
	}
	return out.Bytes(), rows.Err()
}

// tablesOnly forgets which rows were read.
type tablesOnly struct{ database.Recorder }

func (t tablesOnly) ReadRows(table string, _ []database.Condition) { t.Read(table) }

// change renames one person in each of ten teams, in one transaction.
func changePages(b *testing.B, db *sql.DB, i int) {
	b.Helper()
	err := database.Transact(b.Context(), db, func(ctx context.Context) error {
		for team := range affected {
			if _, err := db.ExecContext(ctx, "update member set name = ? where id = ?", fmt.Sprint("Changed ", i), team*7+i%pageSize*pageCount); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPages has 1,000 live pages of 50 rows, of which ten change with each commit. It
// measures the time from before the commit to the last of the ten pushes, and counts runs.
func BenchmarkPages(b *testing.B) {
	for _, kind := range []struct {
		name string
		wrap func(context.Context) context.Context
	}{
		{"rows", func(ctx context.Context) context.Context { return ctx }},
		{"tables", func(ctx context.Context) context.Context {
			return database.WithRecorder(ctx, tablesOnly{database.RecorderFrom(ctx)})
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			db, r := pages(b)
			var runs atomic.Int64
			var all []*live.Subscription
			for team := range pageCount {
				s, err := r.Subscribe(live.Key{Command: "page", Args: fmt.Sprint(team)}, func(ctx context.Context) ([]byte, error) {
					runs.Add(1)
					return page(kind.wrap(ctx), db, team)
				})
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, s)
			}
			for _, s := range all {
				await(b, s)
			}
			times := samples{}
			runs.Store(0)
			rounds := max(b.N, 40)
			for i := range rounds {
				time.Sleep(20 * time.Millisecond)
				for quiet := int64(-1); quiet != runs.Load(); {
					quiet = runs.Load()
					time.Sleep(20 * time.Millisecond)
				}
				start := time.Now()
				changePages(b, db, i)
				for team := range affected {
					await(b, all[team*7])
				}
				times["pushes"] = append(times["pushes"], time.Since(start))
			}
			time.Sleep(50 * time.Millisecond)
			b.ReportMetric(float64(runs.Load())/float64(rounds), "runs/commit")
			times.report(b)
		})
	}
	b.Run("poll", pollPages)
}

// pollPages runs every query again each 25 ms, as an app without tracking might.
func pollPages(b *testing.B) {
	db, _ := pages(b)
	last := make([][]byte, pageCount)
	times, runs, rounds := samples{}, 0, max(b.N, 10)
	poll := func() (changed int) {
		for team := range pageCount {
			runs++
			value, err := page(b.Context(), db, team)
			if err != nil {
				b.Fatal(err)
			}
			if !bytes.Equal(value, last[team]) {
				changed++
			}
			last[team] = value
		}
		return changed
	}
	poll()
	runs = 0
	for i := range rounds {
		start := time.Now()
		changePages(b, db, i)
		time.Sleep(12 * time.Millisecond) // on average, half a period
		for poll() < affected {
			time.Sleep(25 * time.Millisecond)
		}
		times["pushes"] = append(times["pushes"], time.Since(start))
	}
	b.ReportMetric(float64(runs)/float64(rounds), "runs/commit")
	times.report(b)
}
