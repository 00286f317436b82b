package main

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// growth tells whether the cost of a call depends on how many tools there are or calls in flight.
func (b *bench) growth() error {
	if err := b.growingTools(); err != nil {
		return err
	}
	return b.growingLoad()
}

// growingTools measures servers with more and more tools in turn.
func (b *bench) growingTools() error {
	counts := []int{1, 10, 100, 1000}
	var servers []*load.Process
	for _, n := range counts {
		p, err := b.server("ours", load.Modern, n)
		if err != nil {
			return err
		}
		defer p.Stop()
		servers = append(servers, p)
	}
	rounds, err := b.alternate(load.Call(workload.Place, workload.Arguments), 16, servers...)
	if err != nil {
		return err
	}
	b.sdk.heading("cost of a call as tools are added, 16 in flight")
	b.charts = append(b.charts, chart{file: "tools", title: "Cost of a call as tools are added", x: "tools", y: "µs", lines: b.costs("tools", counts, rounds)})
	return nil
}

// costs adds a row for each count and one that says how much the cost grows. What grows is judged by the
// server's processor time, because the time between answers holds what else the machine does; where the
// system does not tell it, by that. The lines are those of a chart.
func (b *bench) costs(unit string, counts []int, rounds [][]round) []line {
	lines := []line{{name: "processor time"}, {name: "between answers"}}
	series := make([][]float64, len(counts))
	for at, n := range counts {
		took := column(rounds[at], func(r round) float64 { return 1e6 / r.rate })
		series[at] = cpus(rounds[at])
		if median(series[at]) == 0 {
			series[at] = took
		}
		lines[0].points = append(lines[0].points, point{float64(n), median(series[at])})
		lines[1].points = append(lines[1].points, point{float64(n), median(took)})
		ours := fmt.Sprintf("CPU %s µs, %s µs apart", figure(median(series[at])), figure(median(took)))
		b.sdk.add(fmt.Sprintf("%s %s", figure(float64(n)), unit), ours)
	}
	worst := 0.0
	for more := range counts {
		for fewer := range more {
			worst = max(worst, median(ratios(series[more], series[fewer])))
		}
	}
	bound := target{"≤", 1.2, "×"}
	b.sdk.add("the largest growth between two", fmt.Sprintf("%.2f×", worst), "", "", bound.String(), bound.met(worst))
	return lines
}

// growingLoad measures one server with more and more calls in flight. A connection may have at most 64,
// so larger loads are spread over several, and all go over the same kind of socket.
func (b *bench) growingLoad() error {
	socket := filepath.Join(b.dir, "bench.sock")
	cmd := b.command("ours", []string{workload.ToolsEnv + "=10"}, "--socket", socket)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	var fleets []*fleet
	counts := []int{1, 16, 100, 1000}
	for _, n := range counts {
		f, err := newFleet(socket, n)
		if err != nil {
			return err
		}
		defer f.close()
		fleets = append(fleets, f)
	}
	rounds := make([][]round, len(counts))
	for i := range b.rounds + 1 {
		for at, f := range fleets {
			cpu := load.CPU(cmd.Process.Pid)
			rate, calls, err := f.run(load.Call(workload.Place, workload.Arguments), b.round)
			if err != nil {
				return err
			}
			cpu = load.CPU(cmd.Process.Pid) - cpu
			if i > 0 {
				rounds[at] = append(rounds[at], round{rate: rate, cpu: float64(cpu) / float64(time.Microsecond) / float64(calls)})
			}
		}
	}
	b.sdk.heading("cost of a call as more are in flight, 50 a connection, over a Unix socket")
	b.charts = append(b.charts, chart{file: "in-flight", title: "Cost of a call as more are in flight", x: "in flight", y: "µs", lines: b.costs("in flight", counts, rounds)})
	return nil
}

// fleet is a number of connections that share a load.
type fleet struct {
	clients  []*load.Client
	conns    []net.Conn
	inFlight []int
}

func newFleet(socket string, inFlight int) (*fleet, error) {
	const perConnection = 50
	f := &fleet{}
	for inFlight > 0 {
		conn, err := dial(socket)
		if err != nil {
			f.close()
			return nil, err
		}
		f.conns = append(f.conns, conn)
		client, err := load.Open(conn, conn, load.Modern)
		if err != nil {
			f.close()
			return nil, err
		}
		f.clients = append(f.clients, client)
		f.inFlight = append(f.inFlight, min(inFlight, perConnection))
		inFlight -= perConnection
	}
	return f, nil
}

// dial waits for a server that has just been started.
func dial(socket string) (net.Conn, error) {
	for patience := 200; ; patience-- {
		conn, err := net.Dial("unix", socket)
		if err == nil || patience == 0 {
			return conn, err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (f *fleet) close() {
	for _, c := range f.conns {
		c.Close()
	}
}

// run puts the load on all connections at once and returns the answers a second and their number.
func (f *fleet) run(r load.Request, d time.Duration) (rate float64, calls int, err error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var failures []string
	began := time.Now()
	for i, c := range f.clients {
		all.Go(func() {
			n, _, err := c.Run(r, f.inFlight[i], d)
			mu.Lock()
			defer mu.Unlock()
			calls += n
			if err != nil {
				failures = append(failures, err.Error())
			}
		})
	}
	all.Wait()
	if len(failures) > 0 {
		return 0, 0, fmt.Errorf("%s", strings.Join(failures, "\n"))
	}
	return float64(calls) / time.Since(began).Seconds(), calls, nil
}
