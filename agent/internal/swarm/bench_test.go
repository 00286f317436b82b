package swarm

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
)

const (
	benchChildren = 8
	benchCalls    = 1000 // of all children together
)

// slow is a tool whose server takes its time.
type slow struct {
	loop.Tool
	takes time.Duration
}

func (s slow) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	time.Sleep(s.takes)
	return s.Tool.Run(ctx, c, progress)
}

func (s slow) Subject(a jsontext.Value) (mcptools.Subject, bool) { return subjectOf(s.Tool, a) }

// gathering is a tool that answers when all children have called it, so that neither the start nor the end of a process is
// measured.
type gathering struct {
	looker
	all *sync.WaitGroup
}

func (g gathering) Run(context.Context, *model.Call, func(string)) (loop.Output, error) {
	g.all.Done()
	g.all.Wait()
	return loop.Output{Content: []model.Block{model.Text("go")}}, nil
}

// BenchmarkCalls makes 1,000 calls of a server's tool: in this process from 8 goroutines, and from 8 children through the
// broker. Ratio is that of the times.
func BenchmarkCalls(b *testing.B) {
	for _, takes := range []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond} {
		b.Run(fmt.Sprintf("server=%v", takes), func(b *testing.B) {
			var direct, brokered time.Duration
			for range b.N {
				d, c := measure(b, takes)
				direct, brokered = direct+d, brokered+c
			}
			calls := float64(b.N * benchCalls)
			b.ReportMetric(float64(direct.Microseconds())/calls, "µs/direct")
			b.ReportMetric(float64(brokered.Microseconds())/calls, "µs/brokered")
			b.ReportMetric(float64(brokered)/float64(direct), "ratio")
		})
	}
}

func measure(b *testing.B, takes time.Duration) (direct, brokered time.Duration) {
	ready, done := &sync.WaitGroup{}, &sync.WaitGroup{}
	ready.Add(benchChildren)
	done.Add(benchChildren)
	f := open(b, func(_ *Options, k *Kit) {
		for i, tool := range k.Tools {
			if tool.Spec().Name == mcptools.CallName {
				k.Tools[i] = slow{tool, takes}
			}
		}
		k.Tools = append(k.Tools, gathering{looker{name: "begin"}, ready}, gathering{looker{name: "end"}, done})
	})
	f.search(b)
	call := f.kit.Tools[1]
	var workers sync.WaitGroup
	began := time.Now()
	for range benchChildren {
		workers.Go(func() {
			for i := range benchCalls / benchChildren {
				arguments := fmt.Sprintf(`{"server":"demo","tool":"echo","arguments":{"text":"number %d"}}`, i)
				out, err := call.Run(b.Context(), &model.Call{Arguments: jsontext.Value(arguments)}, func(string) {})
				if err != nil || out.IsError {
					b.Errorf("%q, %v", textOf(out), err)
				}
			}
		})
	}
	workers.Wait()
	direct = time.Since(began)
	for range benchChildren {
		workers.Go(func() {
			out := f.ask(b.Context(), b, fmt.Sprintf("call begin {};many %d;call end {}", benchCalls/benchChildren), nil)
			if out.IsError {
				b.Errorf("%q", textOf(out))
			}
		})
	}
	ready.Wait()
	began = time.Now()
	done.Wait()
	brokered = time.Since(began)
	workers.Wait()
	return direct, brokered
}
