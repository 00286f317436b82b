// Command bench compares the two window backends on this Linux machine, in turns, and prints a table. It needs a display,
// cgo and GTK's development packages:
//
//	xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" go run ./bench -rounds 9
//
// The figures of one run are to be compared with each other only.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// build is one backend's program.
type build struct {
	name string
	tags string
	cgo  string

	program string
	size    int64
	runs    []figures
}

// figures are what the program prints.
type figures struct{ Paint, P50, P95, Mem float64 }

func main() {
	rounds := flag.Int("rounds", 9, "how often each backend is started")
	flag.Parse()
	if err := compare(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(rounds int) error {
	if rounds < 1 {
		return errors.New("compare backends: there must be at least one round")
	}
	folder, err := os.MkdirTemp("", "elyra-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	builds := []*build{{name: "webkitgtk", cgo: "0"}, {name: "wails", tags: "gtk3,production", cgo: "1"}}
	for _, b := range builds {
		if err := b.make(folder); err != nil {
			return err
		}
	}
	for round := range rounds {
		order := slices.Clone(builds)
		if round%2 == 1 {
			slices.Reverse(order) // What the machine does meanwhile is spread over both.
		}
		for _, b := range order {
			if err := b.run(); err != nil {
				return err
			}
		}
	}
	table(builds[0], builds[1], rounds)
	return nil
}

func (b *build) make(folder string) error {
	b.program = filepath.Join(folder, b.name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags="+b.tags, "-o", b.program,
		"github.com/elyra-go/elyra/contrib/wails/bench/app")
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+b.cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program over %s: %w\n%s", b.name, err, out)
	}
	info, err := os.Stat(b.program)
	if err != nil {
		return err
	}
	b.size = info.Size()
	return nil
}

func (b *build) run() error {
	cmd := exec.Command(b.program)
	cmd.WaitDelay = time.Second // WebKit's processes may hold the output open for longer.
	cmd.Env = append(os.Environ(), "BENCH_BEGAN="+strconv.FormatInt(time.Now().UnixNano(), 10))
	out, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		var reason []byte
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			reason = exit.Stderr
		}
		return fmt.Errorf("run the program over %s: %w\n%s", b.name, err, reason)
	}
	var f figures
	if err := json.Unmarshal(out, &f); err != nil {
		return fmt.Errorf("read what the program over %s prints: %w\n%s", b.name, err, out)
	}
	b.runs = append(b.runs, f)
	return nil
}

// median gives the middle one of what is measured.
func (b *build) median(of func(figures) float64) float64 {
	var all []float64
	for _, f := range b.runs {
		all = append(all, of(f))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func table(first, second *build, rounds int) {
	fmt.Printf("two windows with the same page; medians of %d runs each, in turns\n\n", rounds)
	fmt.Printf("%-28s %12s %12s %8s\n", "", first.name, second.name, "ratio")
	line := func(what string, x, y float64) { fmt.Printf("%-28s %12.2f %12.2f %7.2fx\n", what, x, y, y/x) }
	measured := func(what string, of func(figures) float64) { line(what, first.median(of), second.median(of)) }
	measured("exec to first paint, ms", func(f figures) float64 { return f.Paint })
	measured("call p50, ms", func(f figures) float64 { return f.P50 })
	measured("call p95, ms", func(f figures) float64 { return f.P95 })
	measured("memory of all processes, MB", func(f figures) float64 { return f.Mem })
	line("program, stripped, MB", float64(first.size)/(1<<20), float64(second.size)/(1<<20))
}
