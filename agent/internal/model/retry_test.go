package model_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// attempt is what a provider does once.
type attempt struct {
	text string
	cost float64
	err  error
}

// scripted is a provider that does one attempt after the other.
type scripted struct{ attempts []attempt }

func (s *scripted) Stream(_ context.Context, _ model.Request, on func(model.Event)) (model.Message, error) {
	a := s.attempts[0]
	s.attempts = s.attempts[1:]
	on(model.Event{Kind: model.EventStart})
	m := model.Message{Role: model.Assistant, Cost: a.cost}
	if a.text != "" {
		on(model.Event{Kind: model.EventText, Text: a.text})
		m.Content = []model.Block{model.Text(a.text)}
	}
	return m, a.err
}

func failing(k model.ErrorKind, after time.Duration) error {
	return &model.Error{Kind: k, Message: string(k), RetryAfter: after}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	ok := attempt{text: "hi"}
	many := func(n int) (all []attempt) {
		for range n {
			all = append(all, attempt{err: failing(model.ErrServer, 0)})
		}
		return all
	}
	for _, tt := range []struct {
		name     string
		attempts []attempt
		text     string
		waits    []time.Duration // what EventRetry told
		kind     model.ErrorKind // of the error in the end
		left     int             // attempts that were not made
	}{
		{"no failure", []attempt{ok}, "hi", nil, "", 0},
		{"waits double", append(many(3), ok), "hi", []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}, "", 0},
		{"bounded", append(many(6), ok), "", []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, model.ErrServer, 1},
		{"the vendor's wait", []attempt{{err: failing(model.ErrRateLimit, 20*time.Second)}, ok}, "hi", []time.Duration{20 * time.Second}, "", 0},
		{"a longer wait than we obey", []attempt{{err: failing(model.ErrRateLimit, time.Hour)}, ok}, "", nil, model.ErrRateLimit, 1},
		{"overload and network", []attempt{{err: failing(model.ErrOverloaded, 0)}, {err: failing(model.ErrNetwork, 0)}, ok}, "hi", []time.Duration{500 * time.Millisecond, time.Second}, "", 0},
		{"a wrong key", []attempt{{err: failing(model.ErrAuth, 0)}, ok}, "", nil, model.ErrAuth, 1},
		{"overflow", []attempt{{err: failing(model.ErrOverflow, 0)}, ok}, "", nil, model.ErrOverflow, 1},
		{"invalid", []attempt{{err: failing(model.ErrInvalid, 0)}, ok}, "", nil, model.ErrInvalid, 1},
		{"content was streamed", []attempt{{text: "half", err: failing(model.ErrNetwork, 0)}, ok}, "half", nil, model.ErrNetwork, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := &scripted{attempts: tt.attempts}
				var waits []time.Duration
				begin := time.Now()
				r := model.Retry(p, model.RetryOptions{Random: func() float64 { return 0 }})
				m, err := r.Stream(t.Context(), model.Request{}, func(e model.Event) {
					if e.Kind == model.EventRetry {
						waits = append(waits, e.After)
						if e.Text == "" {
							t.Error("a retry without a reason")
						}
					}
				})
				var sum time.Duration
				for i, w := range waits {
					if sum += w; i >= len(tt.waits) || w != tt.waits[i] {
						t.Errorf("waits %v, want %v", waits, tt.waits)
						break
					}
				}
				if len(waits) != len(tt.waits) || time.Since(begin) != sum {
					t.Errorf("waits %v in %v, want %v", waits, time.Since(begin), tt.waits)
				}
				var e *model.Error
				if errors.As(err, &e) != (tt.kind != "") || e != nil && e.Kind != tt.kind || m.String() != tt.text || len(p.attempts) != tt.left {
					t.Errorf("%q, %v, %d attempts left", m.String(), err, len(p.attempts))
				}
			})
		})
	}
}

func TestRetryKeepsTheCostOfWhatFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{attempts: []attempt{{cost: 1, err: failing(model.ErrServer, 0)}, {cost: 2, err: failing(model.ErrServer, 0)}, {cost: 4, text: "x"}}}
		m, err := model.Retry(p, model.RetryOptions{}).Stream(t.Context(), model.Request{}, func(model.Event) {})
		if err != nil || m.Cost != 7 {
			t.Errorf("cost %v, %v", m.Cost, err)
		}
	})
}

func TestRetryEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p := &scripted{attempts: []attempt{{err: failing(model.ErrRateLimit, time.Minute)}}}
		begin := time.Now()
		m, err := model.Retry(p, model.RetryOptions{}).Stream(ctx, model.Request{}, func(model.Event) {})
		if !errors.Is(err, context.DeadlineExceeded) || m.Stop != model.StopCancelled || time.Since(begin) != time.Second {
			t.Errorf("%v, stop %q after %v", err, m.Stop, time.Since(begin))
		}
	})
}
