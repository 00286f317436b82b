package liveload

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// poller runs queries again and again, as an app without tracking might.
type poller struct {
	changed chan int // the numbers of queries whose results differ from before
	runs    atomic.Int64
	err     error // read after stop
	stop    func()
}

// poll starts a poller over the queries and waits for their first results.
func (w *World) poll(ctx context.Context, every time.Duration, queries []func(context.Context, *sql.DB) ([]byte, error)) *poller {
	ctx, cancel := context.WithCancel(ctx)
	p := &poller{changed: make(chan int, len(queries))}
	first := make(chan struct{})
	var end sync.WaitGroup
	end.Go(func() {
		last := make([][]byte, len(queries))
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for round := 0; ; round++ {
			for i, read := range queries {
				p.runs.Add(1)
				value, err := read(ctx, w.DB)
				if err != nil && ctx.Err() == nil {
					p.err = err
				}
				if round > 0 && !bytes.Equal(value, last[i]) {
					select {
					case p.changed <- i:
					case <-ctx.Done():
						return
					}
				}
				last[i] = value
			}
			if round == 0 {
				close(first)
			}
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
		}
	})
	p.stop = sync.OnceFunc(func() {
		cancel()
		end.Wait()
	})
	<-first
	return p
}

// await waits for so many changed results.
func (p *poller) await(results int) error {
	late := time.After(10 * time.Second)
	for range results {
		select {
		case <-p.changed:
		case <-late:
			p.stop()
			return errors.Join(errors.New("polling saw no change within 10 s"), p.err)
		}
	}
	return nil
}

// PollOne is PushOne by polling.
func (w *World) PollOne(ctx context.Context, every time.Duration, id, n int) (push Push, err error) {
	p := w.poll(ctx, every, []func(context.Context, *sql.DB) ([]byte, error){memberOf(id)})
	defer p.stop()
	for i := range n {
		time.Sleep(pace + time.Duration(i*7)*time.Millisecond%every) // anywhere between two polls
		start := time.Now()
		if err := w.exec(ctx, "update member set name = ? where id = ?", "Polled "+start.String(), id); err != nil {
			return push, err
		}
		if err := p.await(1); err != nil {
			return push, err
		}
		end := time.Now()
		push.Push = append(push.Push, end.Sub(*w.durable.Load()))
		push.Whole = append(push.Whole, end.Sub(start))
	}
	p.stop()
	return push, p.err
}

// PollPages is PushPages by polling. Its runs are those between a commit and the last of its pages.
func (w *World) PollPages(ctx context.Context, every time.Duration, n int) (push Push, err error) {
	var queries []func(context.Context, *sql.DB) ([]byte, error)
	for team := range Teams {
		queries = append(queries, pageOf(team))
	}
	p := w.poll(ctx, every, queries)
	defer p.stop()
	var runs int64
	for round := range n {
		time.Sleep(pace + time.Duration(round*7)*time.Millisecond%every)
		start, before := time.Now(), p.runs.Load()
		if err := w.changePages(ctx, round); err != nil {
			return push, err
		}
		if err := p.await(Affected); err != nil {
			return push, err
		}
		push.Whole = append(push.Whole, time.Since(start))
		runs += p.runs.Load() - before
	}
	p.stop()
	push.Runs = float64(runs) / float64(n)
	return push, p.err
}

// Poll runs queries for n members each while wait does.
func (w *World) Poll(ctx context.Context, every time.Duration, n int, wait func()) error {
	var queries []func(context.Context, *sql.DB) ([]byte, error)
	for id := range n {
		queries = append(queries, memberOf(id))
	}
	p := w.poll(ctx, every, queries)
	wait()
	p.stop()
	return p.err
}
