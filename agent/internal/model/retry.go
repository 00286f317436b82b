package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// RetryOptions say how often a request is sent again.
type RetryOptions struct {
	Attempts int           // in all; 0: 6
	First    time.Duration // the wait before the second attempt, twice as long before each further one; 0: 1 s
	Longest  time.Duration // of the waits of our own; 0: 30 s
	// Obeyed is the longest wait that a vendor may ask for. When it asks for more, the request fails at once. 0: 2 min
	Obeyed time.Duration
	// Random returns a number in [0,1), by which waits are spread. nil: math/rand.
	Random func() float64
}

func (o RetryOptions) withDefaults() RetryOptions {
	if o.Attempts == 0 {
		o.Attempts = 6
	}
	if o.First == 0 {
		o.First = time.Second
	}
	if o.Longest == 0 {
		o.Longest = 30 * time.Second
	}
	if o.Obeyed == 0 {
		o.Obeyed = 2 * time.Minute
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return o
}

// Retry returns a provider that sends a request again when it met a rate limit, overload, a failing server or network. It
// waits as long as the vendor asks, tells each wait through EventRetry, and never sends again once content was streamed.
// The cost of an attempt that failed is in that of the message.
func Retry(p Provider, o RetryOptions) Provider { return &retrier{p: p, o: o.withDefaults()} }

type retrier struct {
	p Provider
	o RetryOptions
}

func (r *retrier) Stream(ctx context.Context, q Request, on func(Event)) (Message, error) {
	var spent float64
	for attempt := 1; ; attempt++ {
		streamed := false
		m, err := r.p.Stream(ctx, q, func(e Event) {
			switch e.Kind {
			case EventText, EventThinking, EventCallStart, EventCallArgs, EventCallEnd:
				streamed = true
			}
			on(e)
		})
		m.Cost += spent
		var failure *Error
		if !errors.As(err, &failure) || streamed || ctx.Err() != nil || attempt >= r.o.Attempts || !transient(failure.Kind) {
			return m, err
		}
		wait := r.wait(attempt, failure.RetryAfter)
		if failure.RetryAfter > r.o.Obeyed {
			failure.Message += fmt.Sprintf("; the vendor asks to wait %v", failure.RetryAfter)
			return m, err
		}
		spent = m.Cost
		on(Event{Kind: EventRetry, Text: failure.Message, After: wait})
		if err := sleep(ctx, wait); err != nil {
			m.Stop, m.Error = StopCancelled, ""
			return m, err
		}
	}
}

func transient(k ErrorKind) bool {
	return k == ErrRateLimit || k == ErrOverloaded || k == ErrServer || k == ErrNetwork
}

// wait is what the vendor asked for and a little more, or without that a time that doubles; both spread, so that those who
// failed together do not come back together.
func (r *retrier) wait(attempt int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked + time.Duration(r.o.Random()*float64(min(asked/10, time.Second)))
	}
	w := r.o.Longest
	if attempt < 30 && r.o.First<<(attempt-1) < w {
		w = r.o.First << (attempt - 1)
	}
	return w/2 + time.Duration(r.o.Random()*float64(w/2))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
