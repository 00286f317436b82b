package serve

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestLine has one leave the middle of a line, and more come than there is room for.
func TestLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l line
		var mu sync.Mutex // of what goroutines that end together write
		var order []string
		places := map[string][]int{}
		leaves := map[string]func(){}
		enter := func(ctx context.Context, name string) {
			go func() {
				leave, err := l.enter(ctx, func(before int) { places[name] = append(places[name], before) })
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					order = append(order, name+" gave up")
					return
				}
				order = append(order, name)
				leaves[name] = leave
			}()
			synctest.Wait()
		}
		leaving, give := context.WithCancel(t.Context())
		enter(t.Context(), "a")
		enter(leaving, "b")
		enter(t.Context(), "c")
		enter(t.Context(), "d")
		give()
		synctest.Wait()
		leaves["a"]()
		synctest.Wait()
		leaves["c"]()
		synctest.Wait()
		leaves["d"]()
		if !slices.Equal(order, []string{"a", "b gave up", "c", "d"}) {
			t.Error(order)
		}
		if fmt.Sprint(places) != "map[a:[0] b:[1] c:[2 1 0] d:[3 2 1 0]]" {
			t.Error(places)
		}
		ctx, end := context.WithCancel(t.Context())
		for range maxWaiting + 1 {
			enter(ctx, "many")
		}
		if _, err := l.enter(t.Context(), func(int) { t.Error("a place was given") }); err == nil {
			t.Error("the line has no end")
		}
		end()
		synctest.Wait()
		leaves["many"]()
		if len(l.waiting) != 0 {
			t.Errorf("%d are left", len(l.waiting))
		}
	})
}

// TestActivityNeverPauses measures the longest time between two reports, also between those that are news and those that
// are not.
func TestActivityNeverPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		last, longest, done := time.Now(), time.Duration(0), 0.0
		a := newActivity(func(n, total float64, text string) {
			if n <= done || total != 0 || text == "" {
				t.Errorf("%v after %v of %v: %q", n, done, total, text)
			}
			longest, last, done = max(longest, time.Since(last)), time.Now(), n
		}, usualBeat, time.Now)
		a.say("begun")
		for i := range 20 {
			time.Sleep(time.Duration(i) * 700 * time.Millisecond)
			a.say("step %d", i)
		}
		a.stop()
		if longest > 10*time.Second {
			t.Errorf("nothing was told for %v", longest)
		}
		reports := done
		time.Sleep(time.Minute)
		if done != reports {
			t.Error("it goes on after its end")
		}
	})
}
