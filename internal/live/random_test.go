package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// world is a little database: each table has a version that a commit counts up.
type world struct {
	mu     sync.Mutex
	tables map[string]int
}

// read gives a query that follows a table to other tables: which ones it reads depends on
// what it reads. Time passes between the tables, so that commits come in between.
func (w *world) read(start int, pause time.Duration) live.Run {
	return func(ctx context.Context) ([]byte, error) {
		var seen strings.Builder
		at := start
		for range 3 {
			name := fmt.Sprint("t", at)
			w.mu.Lock()
			version := w.tables[name]
			w.mu.Unlock()
			database.RecorderFrom(ctx).Read(name)
			fmt.Fprintf(&seen, "%s=%d ", name, version)
			at = (at + version) % 8
			time.Sleep(pause)
		}
		return []byte(seen.String()), nil
	}
}

// TestNothingIsMissed makes random commits while random queries run, and checks that every
// subscriber ends with what a run of its own would show.
func TestNothingIsMissed(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble(t, live.Options{Workers: 2}, func(t *testing.T, r *live.Registry) {
				random := rand.New(rand.NewPCG(seed, 1))
				w := &world{tables: map[string]int{}}
				type subscriber struct {
					*live.Subscription
					run  live.Run
					last string
				}
				var all []*subscriber
				for step := range 400 {
					switch n := random.IntN(10); {
					case n == 0 && len(all) < 12:
						start := random.IntN(8)
						run := w.read(start, time.Duration(start)*100*time.Microsecond)
						all = append(all, &subscriber{subscribe(t, r, fmt.Sprint(start), run), run, ""})
					case n == 1 && len(all) > 0:
						i := random.IntN(len(all))
						all[i].Close()
						all = slices.Delete(all, i, i+1)
					case n < 7:
						name := fmt.Sprint("t", random.IntN(8))
						w.mu.Lock()
						w.tables[name] += 1 + random.IntN(3)
						w.mu.Unlock()
						committed(r, name)
					}
					if step%7 == 0 {
						time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
					}
					for _, s := range all {
						select {
						case u := <-s.Updates():
							if string(u.Value) == s.last {
								t.Errorf("%q was delivered twice in a row", s.last)
							}
							s.last = string(u.Value)
						default:
						}
					}
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				for _, s := range all {
					select {
					case u := <-s.Updates():
						s.last = string(u.Value)
					default:
					}
					want, _ := s.run(database.WithRecorder(t.Context(), ignore{}))
					if s.last != string(want) {
						t.Errorf("a subscriber shows %q, and it is %q", s.last, want)
					}
				}
			})
		})
	}
}

type ignore struct{}

func (ignore) Read(string)          {}
func (ignore) From(database.Handle) {}

func (ignore) Volatile(string) {}

func (ignore) ReadEverything() {}

func (ignore) ReadRows(string, []database.Condition) {}
