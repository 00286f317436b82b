package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/hostile"
)

// BenchmarkEndpoint prints what the way through the shim and the endpoint of a running app adds to a call that the same
// program answers without an app, both being processes that speak over pipes. The two are called in turns, so that
// whatever else the machine does meets both.
func BenchmarkEndpoint(b *testing.B) {
	// The CRM allows an agent 60 calls a minute; this is its customers without that.
	binary := filepath.Join(b.TempDir(), "crm")
	build := exec.Command("go", "build", "-o", binary, "github.com/elyra-go/elyra/examples/crm/e2e/unlimited")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the CRM: %v\n%s", err, out)
	}
	home := b.TempDir()
	app := exec.Command(binary, "--headless")
	app.Env = emptied(home)
	log, err := app.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := app.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		app.Process.Kill()
		app.Wait()
	})
	for lines := bufio.NewScanner(log); lines.Scan() && !strings.Contains(lines.Text(), "serving without a window"); {
	}
	go io.Copy(io.Discard, log)

	through := startCaller(b, binary, home)
	alone := startCaller(b, binary, b.TempDir())
	for range 200 { // until both have grown what they need
		through.call()
		alone.call()
	}
	through.took, alone.took = nil, nil
	for b.Loop() {
		through.call()
		alone.call()
	}
	with, without := through.median(), alone.median()
	b.ReportMetric(float64(without)/1e3, "headless-µs")
	b.ReportMetric(float64(with)/1e3, "endpoint-µs")
	b.ReportMetric(float64(with-without)/1e3, "added-µs")
	b.ReportMetric(0, "ns/op")
}

// caller is a client of one process that makes the same call again and again.
type caller struct {
	b    *testing.B
	line string
	in   io.Writer
	out  *bufio.Reader
	took []time.Duration
}

func startCaller(b *testing.B, binary, home string) *caller {
	b.Helper()
	cmd := exec.Command(binary, "--mcp")
	cmd.Env = emptied(home)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &caller{b: b, line: hostile.Call("1", "customers_show", `{"id":1}`) + "\n", in: in, out: bufio.NewReader(out)}
}

func (c *caller) call() {
	began := time.Now()
	if _, err := io.WriteString(c.in, c.line); err != nil {
		c.b.Fatal(err)
	}
	answer, err := c.out.ReadString('\n')
	c.took = append(c.took, time.Since(began))
	if err != nil || !strings.Contains(answer, `"email"`) {
		c.b.Fatal(fmt.Errorf("the call is answered with %q: %w", answer, err))
	}
}

func (c *caller) median() time.Duration {
	slices.Sort(c.took)
	return c.took[len(c.took)/2]
}
