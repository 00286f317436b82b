package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// contender is a server of the comparison.
type contender struct {
	name  string
	start func(era string, tools int) (*load.Process, error)
	stop  func() // ends what start needs beside the process
}

// contenders are all servers that can be started here, ours first.
func (b *bench) contenders() ([]contender, error) {
	program := func(name string, args ...string) func(string, int) (*load.Process, error) {
		return func(era string, tools int) (*load.Process, error) {
			return load.Start(b.command(name, []string{workload.ToolsEnv + "=" + strconv.Itoa(tools)}, args...), era)
		}
	}
	list := []contender{
		{name: "elyra", start: program("ours", "--mcp"), stop: func() {}},
		b.runningApp(),
		{name: "Go SDK", start: program("sdk"), stop: func() {}},
		{name: "mcp-go", start: program("mcpgo"), stop: func() {}},
	}
	folder, err := exec.CommandContext(b.ctx, "go", "list", "-f", "{{.Dir}}", "github.com/elyra-go/elyra/bench").Output()
	if err != nil {
		return nil, fmt.Errorf("find the folder of the benchmarks: %w", err)
	}
	typescript := filepath.Join(strings.TrimSpace(string(folder)), "typescript")
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(filepath.Join(typescript, "node_modules")); err != nil || missing != nil {
		b.servers.notes = append(b.servers.notes, "The TypeScript SDK was not measured: it needs Node and `bash bench/typescript/install.sh`.")
		return list, nil
	}
	return append(list, contender{name: "TypeScript SDK", stop: func() {}, start: func(era string, tools int) (*load.Process, error) {
		cmd := exec.CommandContext(b.ctx, node, filepath.Join(typescript, "server.mjs"))
		cmd.Env = append(os.Environ(), workload.ToolsEnv+"="+strconv.Itoa(tools), "NODE_ENV=production")
		return load.Start(cmd, era)
	}}), nil
}

// runningApp is our server as an agent meets it when the app is open: the program passes lines on to another process.
func (b *bench) runningApp() contender {
	var app *exec.Cmd
	stop := func() {
		if app != nil {
			_ = app.Process.Signal(os.Interrupt)
			_ = app.Wait()
			app = nil
		}
	}
	return contender{name: "elyra, app open", stop: stop, start: func(era string, tools int) (*load.Process, error) {
		stop()
		home, err := os.MkdirTemp(b.dir, "open-")
		if err != nil {
			return nil, err
		}
		env := []string{workload.ToolsEnv + "=" + strconv.Itoa(tools), "HOME=" + home, "XDG_RUNTIME_DIR=" + home}
		app = b.command("ours", env, "--headless")
		if err := app.Start(); err != nil {
			return nil, err
		}
		// The endpoint is there once its socket is.
		for range 500 {
			if found, _ := filepath.Glob(filepath.Join(home, "*", "*.sock")); len(found) > 0 {
				return load.Start(b.command("ours", env, "--mcp"), era)
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil, errors.New("the app did not open its endpoint within 5 s")
	}}
}

// compareServers fills the table of all servers, and the charts.
func (b *bench) compareServers() error {
	list, err := b.contenders()
	if err != nil {
		return err
	}
	b.servers.columns = []string{"the same tool, over stdio"}
	for _, c := range list {
		b.servers.columns = append(b.servers.columns, c.name)
	}
	for _, era := range []string{load.Modern, load.Legacy} {
		if err := b.serveCalls(list, era); err != nil {
			return fmt.Errorf("%s: %w", era, err)
		}
	}
	if err := b.serveLists(list); err != nil {
		return err
	}
	b.servers.notes = append(b.servers.notes,
		"\"App open\": the program that the client starts joins it to the app that runs already; all others are one process.",
		"elyra, both SDKs and zod check arguments and results against the tool's schemas; mcp-go does not check them unless it is told to.")
	return nil
}

// serveCalls measures calls one after the other and 16 in flight.
func (b *bench) serveCalls(list []contender, era string) error {
	servers, stop, err := startAll(list, era, 10)
	defer stop()
	if err != nil {
		return err
	}
	b.servers.heading("calls, " + era)
	for _, inFlight := range []int{1, 16} {
		rounds, err := b.alternate(load.Call(workload.Place, workload.Arguments), inFlight, servers...)
		if err != nil {
			return err
		}
		what := "one after the other"
		if inFlight > 1 {
			what = fmt.Sprintf("%d in flight", inFlight)
		}
		b.servers.each(what, "/s", rounds, rates)
		b.servers.each(what+", server CPU", " µs", rounds, cpus)
		if era == load.Modern {
			bars := chart{file: fmt.Sprintf("calls-%d", inFlight), title: "Calls of a tool a second over stdio, " + what}
			for i, c := range list {
				bars.bars = append(bars.bars, bar{c.name, median(rates(rounds[i]))})
			}
			b.charts = append(b.charts, bars)
		}
	}
	return nil
}

// serveLists measures lists of 200 tools.
func (b *bench) serveLists(list []contender) error {
	servers, stop, err := startAll(list, load.Modern, 199)
	defer stop()
	if err != nil {
		return err
	}
	rounds, err := b.alternate(load.List(), 1, servers...)
	if err != nil {
		return err
	}
	b.servers.heading("tools/list of 200 tools, " + load.Modern)
	b.servers.each("lists", "/s", rounds, rates)
	memory := []string{"memory of the server after that"}
	for _, p := range servers {
		memory = append(memory, figure(float64(load.RSS(p.PID()))/(1<<20))+" MB")
	}
	b.servers.add(memory...)
	return nil
}

// startAll starts every server. stop ends those that were started, also after an error.
func startAll(list []contender, era string, tools int) (servers []*load.Process, stop func(), err error) {
	stop = func() {
		for i, p := range servers {
			p.Stop()
			list[i].stop()
		}
	}
	for _, c := range list {
		p, err := c.start(era, tools)
		if err != nil {
			c.stop()
			return servers, stop, fmt.Errorf("start %s: %w", c.name, err)
		}
		servers = append(servers, p)
	}
	return servers, stop, nil
}

// each adds a row with one median for each server.
func (t *table) each(what, unit string, rounds [][]round, of func([]round) []float64) {
	cells := []string{what}
	for _, r := range rounds {
		cells = append(cells, figure(median(of(r)))+unit)
	}
	t.add(cells...)
}
