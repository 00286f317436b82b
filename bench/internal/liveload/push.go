package liveload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// pace is a little more than the least time between two runs of a query.
const pace = 17 * time.Millisecond

// Affected is how many of the pages change with each commit of PushPages.
const Affected = 10

// Push is when results came.
type Push struct {
	Push  Times   // from when a commit was durable to its push
	Whole Times   // from before the statement to the push; of several pushes, the last
	Runs  float64 // of live queries for a commit
}

// PushOne changes one member n times and waits for the push of s, which follows the member.
func (w *World) PushOne(ctx context.Context, s *live.Subscription, id, n int) (p Push, err error) {
	w.settle(0)
	runs := w.Runs.Load()
	for i := range n {
		time.Sleep(pace)
		start := time.Now()
		if err := w.exec(ctx, "update member set name = ? where id = ?", fmt.Sprint("Changed ", i), id); err != nil {
			return p, err
		}
		if err := await(s); err != nil {
			return p, err
		}
		end := time.Now()
		p.Push = append(p.Push, end.Sub(*w.durable.Load()))
		p.Whole = append(p.Whole, end.Sub(start))
	}
	w.settle(runs + int64(n))
	p.Runs = float64(w.Runs.Load()-runs) / float64(n)
	return p, nil
}

// FollowPage subscribes to the page of one team.
func (w *World) FollowPage(team int) (*live.Subscription, error) {
	return w.follow(fmt.Sprint("page ", team), pageOf(team))
}

// FollowPages subscribes to the page of each team.
func (w *World) FollowPages() (all []*live.Subscription, err error) {
	for team := range Teams {
		s, err := w.FollowPage(team)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// changed is the i-th of the teams whose pages change.
func changed(i int) int { return i * 7 }

// changePages renames one member in each of ten teams, in one transaction.
func (w *World) changePages(ctx context.Context, round int) error {
	return database.Transact(ctx, w.DB, func(ctx context.Context) error {
		for i := range Affected {
			if err := w.exec(ctx, "update member set name = ? where id = ?", fmt.Sprint("Changed ", round), changed(i)+round%Page*Teams); err != nil {
				return err
			}
		}
		return nil
	})
}

// PushPages changes ten pages n times, of those that FollowPages gave.
func (w *World) PushPages(ctx context.Context, pages []*live.Subscription, n int) (p Push, err error) {
	w.settle(0)
	runs, due := w.Runs.Load(), int64(Affected)
	if w.byTable {
		due = Teams
	}
	for round := range n {
		time.Sleep(pace)
		before, start := w.Runs.Load(), time.Now()
		if err := w.changePages(ctx, round); err != nil {
			return p, err
		}
		for i := range Affected {
			if err := await(pages[changed(i)]); err != nil {
				return p, err
			}
		}
		p.Whole = append(p.Whole, time.Since(start))
		w.settle(before + due)
	}
	p.Runs = float64(w.Runs.Load()-runs) / float64(n)
	return p, nil
}

// Mixed are the runs of live queries on members, on teams and on ranges of members after commits that
// change some members: those that there were, and those that are due because a row or a key changed.
type Mixed struct{ Queries, Ran, Due float64 }

// Mix subscribes to 600 queries of three kinds and makes n random commits.
func (w *World) Mix(ctx context.Context, n int) (m Mixed, err error) {
	const members, teams, ranges, width = 400, 100, 100, 20
	for i := range members + teams + ranges {
		read := memberOf(i)
		switch {
		case i >= members+teams:
			read = rangeOf((i-members-teams)*width, width)
		case i >= members:
			read = pageOf(i - members)
		}
		if _, err := w.follow(fmt.Sprint("mixed ", i), read); err != nil {
			return m, err
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	team := map[int]int{} // of members that are in another than at first
	w.settle(0)
	runs, due := w.Runs.Load(), int64(0)
	for round := range n {
		before, dueBefore := w.Runs.Load(), due
		hit := map[string]bool{}
		err := database.Transact(ctx, w.DB, func(ctx context.Context) error {
			for range 1 + random.IntN(20) {
				id, to := random.IntN(3*members), random.IntN(2*teams)
				at, moved := team[id]
				if !moved {
					at = id % Teams
				}
				if random.IntN(2) == 0 {
					to = at // it stays
				}
				team[id] = to
				if err := w.exec(ctx, "update member set name = ?, team = ? where id = ?", fmt.Sprint("Round ", round), to, id); err != nil {
					return err
				}
				hit[fmt.Sprint("member ", id)] = id < members
				hit[fmt.Sprint("team ", at)] = at < teams
				hit[fmt.Sprint("team ", to)] = to < teams
				hit[fmt.Sprint("range ", id/width)] = id/width < ranges
			}
			return nil
		})
		if err != nil {
			return m, err
		}
		for _, followed := range hit {
			if followed {
				due++
			}
		}
		wait := due - dueBefore
		if w.byTable {
			wait = members + teams + ranges
		}
		w.settle(before + wait)
		time.Sleep(pace)
	}
	return Mixed{members + teams + ranges, float64(w.Runs.Load()-runs) / float64(n), float64(due) / float64(n)}, nil
}

// All subscribes to the first n members and gives the bytes that one more subscription holds.
func (w *World) All(n int) (all []*live.Subscription, each float64, err error) {
	before := inUse()
	for id := range n {
		s, err := w.FollowMember(id)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, s)
	}
	return all, float64(inUse()-before) / float64(n), nil
}

// TellAll changes every member in one statement and gives the time until all were told.
func (w *World) TellAll(ctx context.Context, all []*live.Subscription, name string) (time.Duration, error) {
	w.settle(0)
	start := time.Now()
	if err := w.exec(ctx, "update member set name = ? || id", name); err != nil {
		return 0, err
	}
	for _, s := range all {
		if err := await(s); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
