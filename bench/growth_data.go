package main

import (
	"fmt"

	"github.com/elyra-go/elyra/bench/internal/liveload"
	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// growingResults measures calls with results from 1 KB to 5 MB, ours and the Go SDK's in turn. A result is sent twice, as text
// and as structured content, and an answer of ours may have 16 MB: what is larger is an error that says to ask for less.
func (b *bench) growingResults() error {
	ours, sdk, stop, err := b.pair(load.Modern, 1)
	if err != nil {
		return err
	}
	defer stop()
	b.sdk.heading("calls with larger results, " + load.Modern)
	curve := chart{file: "results", title: "Time of a call by the size of its result", x: "bytes", y: "ms", lines: []line{{name: "elyra"}, {name: "Go SDK"}}}
	for _, bytes := range []int{1_000, 10_000, 100_000, 1_000_000, 5_000_000} {
		rounds, err := b.alternate(load.Call(workload.Text, fmt.Sprintf(`{"bytes":%d}`, bytes)), 1, ours, sdk)
		if err != nil {
			return fmt.Errorf("%d bytes: %w", bytes, err)
		}
		times := [2][]float64{}
		for at := range times {
			times[at] = column(rounds[at], func(r round) float64 { return 1000 / r.rate })
			curve.lines[at].points = append(curve.lines[at].points, point{float64(bytes), median(times[at])})
		}
		b.sdk.compared(figure(float64(bytes))+" bytes", " ms", times[0], times[1], target{})
	}
	b.charts = append(b.charts, curve)
	return nil
}

// growingRows measures a push as the table below it grows: one row, and a page of 50.
func (b *bench) growingRows() error {
	b.live.heading("own commit → push, as the table grows")
	curve := chart{file: "rows", title: "Commit to push by the number of rows", x: "rows", y: "ms", lines: []line{{name: "one row"}, {name: "a page of 50"}}}
	for _, rows := range []int{1_000, 10_000, 100_000, 1_000_000, 10_000_000} {
		err := b.world(liveload.Options{Members: rows}, func(w *liveload.World) error {
			const id = 7
			one, err := w.FollowMember(id)
			if err != nil {
				return err
			}
			push, err := w.PushOne(b.ctx, one, id, b.samples()/3)
			if err != nil {
				return err
			}
			one.Close()
			page, err := w.FollowPage(id)
			if err != nil {
				return err
			}
			pages, err := w.PushOne(b.ctx, page, id, b.samples()/3)
			if err != nil {
				return err
			}
			for at, p := range []liveload.Push{push, pages} {
				curve.lines[at].points = append(curve.lines[at].points, point{float64(rows), p.Push.At(0.5)})
			}
			b.live.add(figure(float64(rows))+" rows, p50", ms(push.Push, 0.5))
			b.live.add("the page of 50 that the row is on, p50", ms(pages.Push, 0.5))
			return nil
		})
		if err != nil {
			return fmt.Errorf("%d rows: %w", rows, err)
		}
	}
	b.charts = append(b.charts, curve)
	return nil
}
