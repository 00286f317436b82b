package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// timing says how long a request may take and who follows its progress.
type timing struct {
	idle     time.Duration // without an answer or progress
	max      time.Duration // in spite of progress
	progress func(done, total float64, message string)
}

// roundTrip sends one request and waits for its result. An error answer is returned as a *wire.Error.
func (l *link) roundTrip(ctx context.Context, method string, build func(id jsontext.Value) (jsontext.Value, error), t timing, h *Hold) (jsontext.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, ended(ctx))
	}
	sendCtx, cancel := context.WithTimeoutCause(ctx, t.idle, fmt.Errorf("%w: it does not read its input", ErrTimeout))
	defer cancel()
	p, err := l.begin(sendCtx, method, build)
	if err != nil {
		return nil, err
	}
	m, err := l.await(ctx, p, t, h)
	switch {
	case err != nil:
		return nil, err
	case m.Error != nil:
		return nil, failureOf(m)
	}
	return m.Result, nil
}

// await waits for the answer to a request and passes progress on. When it gives up it cancels the request.
func (l *link) await(ctx context.Context, p *pending, t timing, h *Hold) (wire.Message, error) {
	idle, limit := time.NewTimer(t.idle), time.NewTimer(t.max)
	defer idle.Stop()
	defer limit.Stop()
	reports := reporter{last: math.Inf(-1), to: t.progress}
	for {
		select {
		case m := <-p.reply:
			reports.rest(p.progress)
			return m, nil
		case r := <-p.progress:
			reports.pass(r)
			idle.Reset(t.idle)
		case <-idle.C:
			if left := h.Left(t.idle); left > 0 {
				idle.Reset(left)
				continue
			}
			return l.giveUp(p, fmt.Errorf("%w: nothing for %v", ErrTimeout, t.idle))
		case <-limit.C:
			return l.giveUp(p, fmt.Errorf("%w: it made progress but did not finish within %v", ErrTimeout, t.max))
		case <-ctx.Done():
			return l.giveUp(p, ended(ctx))
		case <-l.dead:
			select {
			case m := <-p.reply: // The answer was the last thing that the server said.
				return m, nil
			default:
				return wire.Message{}, l.reason()
			}
		}
	}
}

// giveUp cancels a request, unless its answer came in this moment.
func (l *link) giveUp(p *pending, err error) (wire.Message, error) {
	l.cancel(p, err.Error())
	select {
	case m := <-p.reply:
		return m, nil
	default:
		return wire.Message{}, err
	}
}

// ended returns why a context ended. It wraps the context's own error beside a cause that differs, so that both are found.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// reporter passes progress on as long as it increases.
type reporter struct {
	last float64
	to   func(done, total float64, message string)
}

func (r *reporter) pass(p mcp.Progress) {
	if p.Progress <= r.last {
		return
	}
	r.last = p.Progress
	if r.to != nil {
		r.to(p.Progress, p.Total, p.Message)
	}
}

// rest passes on what arrived before the answer and is still waiting.
func (r *reporter) rest(waiting <-chan mcp.Progress) {
	for {
		select {
		case p := <-waiting:
			r.pass(p)
		default:
			return
		}
	}
}
