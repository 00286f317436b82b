// Command bench measures what the project promises, and prints it in tables.
//
// Our MCP server is compared with that of the official Go SDK. Both serve the same tool as programs of
// their own over real standard input and output, and are driven with the same bytes by the same load.
// Live queries are compared with two plainer ways to keep a result fresh, and the tracked database
// driver with the one below it. Rounds alternate between what is compared, so that what else runs on the
// machine falls on all; figures are medians, and a ratio is the median of the ratios of neighbouring
// rounds. Nothing is asserted: what misses its target is printed as it was measured.
//
// It must stay a module of its own: nothing that an app links may depend on the SDK.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.IntVar(&o.rounds, "rounds", 15, "rounds of each measurement")
	flag.DurationVar(&o.round, "round", 200*time.Millisecond, "length of a round")
	only := flag.String("only", "", "comma-separated parts to run: servers, calls, list, start, size, growth, results, rows, live, window, agent (default: all)")
	flag.StringVar(&o.report, "o", "", "folder to write the report into: Markdown, JSON and charts (default: none)")
	flag.Parse()
	o.only = strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options say how thoroughly to measure.
type options struct {
	rounds int
	round  time.Duration
	only   []string // parts to run; empty: all
	report string   // folder for the report; empty: none
}

// bench is one run.
type bench struct {
	options
	ctx context.Context
	dir string // programs, databases and sockets

	servers table // all servers that do the same
	sdk     table // our server and the Go SDK's, with targets
	live    table // live queries and other ways to know of changes
	raw     table // the tracked driver and the one below it
	window  table // what an agent does, on the screen
	agent   table // the agent
	charts  []chart
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "elyra-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{options: o, ctx: ctx, dir: dir, sdk: against("SDK"), live: liveTable(), raw: against("raw")}
	parts := []struct {
		name     string
		programs []string
		run      func() error
	}{
		{"servers", []string{"bench/ours", "bench/sdk", "bench/mcpgo"}, b.compareServers},
		{"calls", []string{"bench/ours", "bench/sdk"}, b.calls},
		{"list", []string{"bench/ours", "bench/sdk"}, b.list},
		{"start", []string{"examples/crm", "examples/crm/agentsonly", "bench/sdkcrm"}, b.start},
		{"size", []string{"examples/hello", "bench/sdk"}, b.size},
		{"growth", []string{"bench/ours"}, b.growth},
		{"results", []string{"bench/ours", "bench/sdk"}, b.growingResults},
		{"rows", nil, b.growingRows},
		{"live", []string{"examples/crm", "bench/writer"}, b.liveQueries},
		{"window", nil, b.paintedRow},
		{"agent", []string{"agent/cmd/elyra", "bench/ours"}, b.measureAgent},
	}
	for _, p := range parts {
		if len(o.only) > 0 && !slices.Contains(o.only, p.name) {
			continue
		}
		if err := b.build(p.programs); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "bench: measuring %s\n", p.name)
		if err := p.run(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	b.sdk.notes = []string{
		"elyra is a whole app: grant, rate limit (raised so that none refuses), validation, middleware, activity, event and a log",
		"line a call (to a discarded standard error). The SDK's server does what its documentation shows, and logs nothing.",
		"A connection has at most 64 calls in flight and there is no option for more, so larger loads come over several.",
		"A ratio is the median over neighbouring rounds, so it need not be that of the medians beside it.",
	}
	fmt.Println(b.machine())
	tables := slices.DeleteFunc([]*table{&b.servers, &b.sdk, &b.live, &b.raw, &b.window, &b.agent}, func(t *table) bool { return len(t.rows) == 0 })
	for _, t := range tables {
		fmt.Println()
		if err := t.print(os.Stdout); err != nil {
			return err
		}
	}
	if o.report == "" {
		return nil
	}
	return b.write(o.report, tables)
}

// build builds the programs that are measured, as a release would be. Each is built once.
func (b *bench) build(folders []string) error {
	const module = "github.com/elyra-go/elyra/"
	for _, folder := range folders {
		name, pkg := path.Base(folder), module+folder
		if _, err := os.Stat(b.program(name)); err == nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: building %s\n", pkg)
		cmd := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.program(name), pkg)
		if output, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", pkg, err, output)
		}
	}
	return nil
}

func (b *bench) program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(b.dir, name)
}

// command is a program with an environment of its own: folders that are empty at first and no variable
// that would turn a server's habits.
func (b *bench) command(name string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.ctx, b.program(name), args...)
	cmd.Env = append(os.Environ(), "HOME="+b.dir, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR="+b.dir,
		"DATABASE_URL=", "MCPGODEBUG=")
	cmd.Env = append(cmd.Env, env...)
	return cmd
}
