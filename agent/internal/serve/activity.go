package serve

import (
	"fmt"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxLine is how long a report is at most, in bytes.
const maxLine = 200

// activity tells a host what a call is doing: each thing when it happens, and that it still goes on when nothing does.
type activity struct {
	progress func(done, total float64, message string)
	now      func() time.Time

	mu    sync.Mutex
	count float64
	text  string
	since time.Time

	beat *time.Timer
	end  chan struct{}
	over sync.WaitGroup
}

// newActivity begins to report. The caller stops it.
func newActivity(progress func(done, total float64, message string), every time.Duration, now func() time.Time) *activity {
	a := &activity{progress: progress, now: now, since: now(), beat: time.NewTimer(every), end: make(chan struct{})}
	a.over.Go(func() {
		for {
			select {
			case <-a.beat.C:
				a.repeat()
				a.beat.Reset(every)
			case <-a.end:
				a.beat.Stop()
				return
			}
		}
	})
	return a
}

func (a *activity) stop() {
	close(a.end)
	a.over.Wait()
}

// say reports something new. The text may be somebody else's.
func (a *activity) say(format string, args ...any) {
	text := result.OneLine(fmt.Sprintf(format, args...), maxLine)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text, a.since = text, a.now()
	a.count++
	a.progress(a.count, 0, text)
}

// repeat reports that the last thing still goes on.
func (a *activity) repeat() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count++
	a.progress(a.count, 0, fmt.Sprintf("%s (for %v)", a.text, a.now().Sub(a.since).Round(time.Second)))
}
