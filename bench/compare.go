package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// server starts one of the two with a number of tools: ours by its mode for MCP clients.
func (b *bench) server(name, era string, tools int) (*load.Process, error) {
	var args []string
	if name == "ours" {
		args = []string{"--mcp"}
	}
	return load.Start(b.command(name, []string{workload.ToolsEnv + "=" + strconv.Itoa(tools)}, args...), era)
}

// pair starts both servers.
func (b *bench) pair(era string, tools int) (ours, sdk *load.Process, stop func(), err error) {
	if ours, err = b.server("ours", era, tools); err != nil {
		return nil, nil, nil, err
	}
	if sdk, err = b.server("sdk", era, tools); err != nil {
		ours.Stop()
		return nil, nil, nil, err
	}
	return ours, sdk, func() { ours.Stop(); sdk.Stop() }, nil
}

// round is what one round of load on one server gave.
type round struct {
	rate           float64 // answers a second
	cpu            float64 // processor time of the server for an answer, in µs
	bytes, objects float64 // allocated by the server for an answer
}

// measure puts one round of load on a server.
func (b *bench) measure(p *load.Process, r load.Request, inFlight int) (round, error) {
	var before, after workload.Memory
	if err := p.Structured(workload.Usage, "{}", &before); err != nil {
		return round{}, err
	}
	cpu := load.CPU(p.PID())
	calls, took, err := p.Run(r, inFlight, b.round)
	if err != nil {
		return round{}, err
	}
	cpu = load.CPU(p.PID()) - cpu
	if err := p.Structured(workload.Usage, "{}", &after); err != nil {
		return round{}, err
	}
	n := float64(calls)
	return round{
		rate: n / took.Seconds(), cpu: float64(cpu) / float64(time.Microsecond) / n,
		bytes: float64(after.Bytes-before.Bytes) / n, objects: float64(after.Objects-before.Objects) / n,
	}, nil
}

// alternate measures the servers in turn, after a round each to warm up, and returns each one's rounds.
func (b *bench) alternate(r load.Request, inFlight int, servers ...*load.Process) ([][]round, error) {
	all := make([][]round, len(servers))
	for i := range b.rounds + 1 {
		for at, p := range servers {
			got, err := b.measure(p, r, inFlight)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				all[at] = append(all[at], got)
			}
		}
	}
	return all, nil
}

// calls compares calls of a tool, one after the other and with 16 in flight.
func (b *bench) calls() error {
	for _, era := range []string{load.Modern, load.Legacy} {
		ours, sdk, stop, err := b.pair(era, 10)
		if err != nil {
			return err
		}
		defer stop()
		for _, inFlight := range []int{1, 16} {
			rounds, err := b.alternate(load.Call(workload.Place, workload.Arguments), inFlight, ours, sdk)
			if err != nil {
				return err
			}
			what, bound := "calls, one after the other", 1.5
			if inFlight > 1 {
				what, bound = fmt.Sprintf("calls, %d in flight", inFlight), 4
			}
			b.sdk.heading(what + ", " + era)
			b.sdk.compared("calls", "/s", rates(rounds[0]), rates(rounds[1]), target{"≥", bound, "×"})
			b.sdk.compared("server CPU", " µs/call", cpus(rounds[0]), cpus(rounds[1]), target{})
			b.sdk.compared("allocated", " B/call", sizes(rounds[0]), sizes(rounds[1]), target{"≤", 0.1, "×"})
			b.sdk.compared("allocations", "/call", objects(rounds[0]), objects(rounds[1]), target{})
		}
	}
	return nil
}

// list compares lists of 200 tools.
func (b *bench) list() error {
	const tools = 200
	b.sdk.heading(fmt.Sprintf("tools/list of %d tools", tools))
	for _, era := range []string{load.Modern, load.Legacy} {
		ours, sdk, stop, err := b.pair(era, tools-1) // the tool that tells the usage is one, too
		if err != nil {
			return err
		}
		defer stop()
		rounds, err := b.alternate(load.List(), 1, ours, sdk)
		if err != nil {
			return err
		}
		b.sdk.compared("lists, "+era, "/s", rates(rounds[0]), rates(rounds[1]), target{"≥", 5, "×"})
	}
	return nil
}

func column(rounds []round, of func(round) float64) []float64 {
	list := make([]float64, len(rounds))
	for i, r := range rounds {
		list[i] = of(r)
	}
	return list
}

func rates(rounds []round) []float64 { return column(rounds, func(r round) float64 { return r.rate }) }

func cpus(rounds []round) []float64 { return column(rounds, func(r round) float64 { return r.cpu }) }

func sizes(rounds []round) []float64 { return column(rounds, func(r round) float64 { return r.bytes }) }

func objects(rounds []round) []float64 {
	return column(rounds, func(r round) float64 { return r.objects })
}
