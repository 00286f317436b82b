package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/bench/internal/liveload"
	"github.com/elyra-go/elyra/bench/internal/load"
)

// pollEvery is how often an app asks that polls.
const pollEvery = 25 * time.Millisecond

// liveTable compares live queries with queries that follow tables, as most libraries do, and with
// queries that are asked again and again.
func liveTable() table {
	return table{columns: []string{"live queries, SQLite", "elyra", "by table", "25 ms poll", "bar", "met"}, notes: []string{
		"A push is the result in the hands of who subscribed, in this process. By table: the same live queries, each of which runs after",
		"any commit to its table. The times with a commit are from before its statement, the others from when it was durable; those of",
		"another program from its answer. \"p50\" is the median of all.",
	}}
}

// liveQueries fills two tables: when results come and how often queries run, and what tracking costs.
func (b *bench) liveQueries() error {
	for _, part := range []func() error{
		b.onePush, b.pagePushes, b.mixedRuns, b.otherProgram, b.sideBySide, b.idleQueries, b.moreQueries, b.onPostgres, b.trackedDriver,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// samples is how often a push is measured.
func (b *bench) samples() int { return 10 * b.rounds }

// world opens a database of its own for fn.
func (b *bench) world(o liveload.Options, fn func(*liveload.World) error) error {
	dir, err := os.MkdirTemp(b.dir, "live-")
	if err != nil {
		return err
	}
	w, err := liveload.Open(b.ctx, filepath.Join(dir, "live.db"), o)
	if err != nil {
		return err
	}
	return errors.Join(fn(w), w.Close())
}

// threeWays measures by row, by table and by polling.
func (b *bench) threeWays(tracked func(*liveload.World) (liveload.Push, error), polled func(*liveload.World) (liveload.Push, error)) (all [3]liveload.Push, err error) {
	for way, measure := range []func(*liveload.World) (liveload.Push, error){tracked, tracked, polled} {
		err := b.world(liveload.Options{ByTable: way == 1}, func(w *liveload.World) (err error) {
			all[way], err = measure(w)
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// ms writes a share of times.
func ms(t liveload.Times, share float64) string { return figure(t.At(share)) + " ms" }

// times adds a row with one share of three series, of which the first is judged.
func (t *table) times(what string, share float64, bound target, ours, byTable, polled liveload.Times) {
	t.add(what, ms(ours, share), ms(byTable, share), ms(polled, share), bound.String(), bound.met(ours.At(share)))
}

func (b *bench) onePush() error {
	const id = 7
	got, err := b.threeWays(func(w *liveload.World) (p liveload.Push, err error) {
		s, err := w.FollowMember(id)
		if err != nil {
			return p, err
		}
		return w.PushOne(b.ctx, s, id, b.samples())
	}, func(w *liveload.World) (liveload.Push, error) {
		return w.PollOne(b.ctx, pollEvery, id, b.samples())
	})
	if err != nil {
		return err
	}
	b.live.heading("own commit → push, 1 live query of one row")
	b.live.times("p50", 0.5, target{"≤", 0.3, " ms"}, got[0].Push, got[1].Push, got[2].Push)
	b.live.times("p95", 0.95, target{}, got[0].Push, got[1].Push, got[2].Push)
	b.live.times("p50 with the commit", 0.5, target{}, got[0].Whole, got[1].Whole, got[2].Whole)
	return nil
}

func (b *bench) pagePushes() error {
	got, err := b.threeWays(func(w *liveload.World) (p liveload.Push, err error) {
		pages, err := w.FollowPages()
		if err != nil {
			return p, err
		}
		return w.PushPages(b.ctx, pages, 3*b.rounds)
	}, func(w *liveload.World) (liveload.Push, error) {
		return w.PollPages(b.ctx, pollEvery, b.rounds)
	})
	if err != nil {
		return err
	}
	b.live.heading(fmt.Sprintf("%s live pages of %d rows, %d of which a commit changes", figure(liveload.Teams), liveload.Page, liveload.Affected))
	b.live.times("all told, p50 with the commit", 0.5, target{"≤", 3, " ms"}, got[0].Whole, got[1].Whole, got[2].Whole)
	b.live.times("all told, p95 with the commit", 0.95, target{}, got[0].Whole, got[1].Whole, got[2].Whole)
	bound := target{"=", liveload.Affected, ""}
	b.live.add("runs a commit", figure(got[0].Runs), figure(got[1].Runs), figure(got[2].Runs), bound.String(), bound.met(got[0].Runs))
	return nil
}

func (b *bench) mixedRuns() error {
	var got [2]liveload.Mixed
	for way := range got {
		err := b.world(liveload.Options{ByTable: way == 1}, func(w *liveload.World) (err error) {
			got[way], err = w.Mix(b.ctx, 2*b.rounds)
			return err
		})
		if err != nil {
			return err
		}
	}
	b.live.heading(figure(got[0].Queries) + " live queries by row, by key and by range, 1 to 20 rows changed by a commit")
	b.live.add("queries whose rows or keys changed", figure(got[0].Due))
	bound := target{"=", got[0].Due, ""}
	b.live.add("runs a commit", figure(got[0].Ran), figure(got[1].Ran), "", bound.String(), bound.met(got[0].Ran))
	return nil
}

// idleQueries tells what live queries cost while nothing happens. Nothing else runs in this process.
func (b *bench) idleQueries() error {
	const queries, length = 100, 5 * time.Second
	var share [2]float64
	quiet := func(way int) func() {
		return func() {
			time.Sleep(time.Second)
			before := load.CPU(os.Getpid())
			time.Sleep(length)
			share[way] = 100 * (load.CPU(os.Getpid()) - before).Seconds() / length.Seconds()
		}
	}
	err := b.world(liveload.Options{}, func(w *liveload.World) error {
		if _, _, err := w.All(queries); err != nil {
			return err
		}
		quiet(0)()
		return nil
	})
	if err != nil {
		return err
	}
	err = b.world(liveload.Options{}, func(w *liveload.World) error { return w.Poll(b.ctx, pollEvery, queries, quiet(1)) })
	if err != nil {
		return err
	}
	b.live.heading(fmt.Sprintf("%d live queries while nothing happens, other programs watched", queries))
	bound := target{"≤", 0.3, " %"}
	ours, met := figure(share[0])+" %", bound.met(share[0])
	if share[0] == 0 {
		ours, met = "not measured here", ""
	}
	b.live.add("processor time of a core", ours, "", figure(share[1])+" %", bound.String(), met)
	return nil
}

// moreQueries tells whether a push depends on how many other live queries there are.
func (b *bench) moreQueries() error {
	b.live.heading("own commit → push, as live queries of one row each are added")
	curve := line{name: "p50"}
	for _, n := range []int{1, 10, 100, 1000, 10_000} {
		err := b.world(liveload.Options{}, func(w *liveload.World) error {
			all, each, err := w.All(n)
			if err != nil {
				return err
			}
			push, err := w.PushOne(b.ctx, all[n/2], n/2, b.samples()/3)
			if err != nil {
				return err
			}
			curve.points = append(curve.points, point{float64(n), push.Push.At(0.5)})
			bound := target{"≤", 0.3, " ms"}
			b.live.add("p50, "+figure(float64(n)), ms(push.Push, 0.5), "", "", bound.String(), bound.met(push.Push.At(0.5)))
			if n < 10_000 {
				return nil
			}
			b.live.add("memory a query", figure(each/1024)+" KB")
			took, err := w.TellAll(b.ctx, all, "All ")
			b.live.add("all 10,000 told of one commit to all 50,000 rows", figure(took.Seconds()*1000)+" ms")
			return err
		})
		if err != nil {
			return err
		}
	}
	b.charts = append(b.charts, chart{file: "subscriptions", title: "Commit to push as live queries are added", x: "live queries", y: "ms", lines: []line{curve}})
	return nil
}

// trackedDriver compares the driver with the one below it.
func (b *bench) trackedDriver() error {
	raw, err := liveload.Raw(b.ctx, b.dir)
	if err != nil {
		return err
	}
	defer raw.Close()
	tracked, err := liveload.Tracked(b.ctx, b.dir, false)
	if err != nil {
		return err
	}
	defer tracked.Close()
	watched, err := liveload.Tracked(b.ctx, b.dir, true)
	if err != nil {
		return err
	}
	defer watched.Close()
	b.raw.heading("the tracked driver and the library below it, with the same settings")
	for _, m := range []struct {
		what  string
		do    func(*liveload.Side) error
		side  *liveload.Side
		bound float64
	}{
		{"read one row", liveload.ReadOne, tracked, 1},
		{"read fifty rows", liveload.ReadPage, tracked, 1},
		{"write one row", liveload.WriteOne, tracked, 1.1},
		{"write one row that is watched", liveload.WriteOne, watched, 1.1},
	} {
		// Many short rounds: what else runs on the machine is often longer than one.
		got, err := liveload.Rounds(4*b.rounds, b.round/4, m.do, m.side, raw)
		if err != nil {
			return fmt.Errorf("%s: %w", m.what, err)
		}
		for _, series := range got {
			for i := range series {
				series[i] /= 1000
			}
		}
		b.raw.compared(m.what, " µs", got[0], got[1], target{"≤", m.bound, "×"})
	}
	b.raw.notes = []string{
		"What tracking costs is more than paid for by the statements that the tracked driver keeps compiled. \"Watched\": live queries",
		"follow single rows of the table, and the commits of other programs are looked for.",
	}
	return nil
}
