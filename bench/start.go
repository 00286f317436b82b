package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/bench/internal/load"
)

// start compares the time from starting a program to its first answer: ours is the CRM of the examples, once as it is,
// with its window and its Postgres driver, and once without these; theirs has the same tools over the same file.
func (b *bench) start() error {
	const firstCall = `{"id":1}`
	ours := func() *exec.Cmd { return b.command("agentsonly", nil, "--mcp") }
	whole := func() *exec.Cmd { return b.command("crm", nil, "--mcp") }
	if _, err := b.firstAnswer(ours(), firstCall); err != nil { // this one makes the file
		return err
	}
	files, err := filepath.Glob(filepath.Join(b.dir, "*", "*", "*", "crm.db"))
	if more, _ := filepath.Glob(filepath.Join(b.dir, ".local", "share", "*", "crm.db")); err == nil {
		files = append(files, more...)
	}
	if len(files) == 0 {
		return errors.New("the example app made no crm.db where it was expected")
	}
	sdk := func() *exec.Cmd { return b.command("sdkcrm", nil, files[0]) }
	var times [3][]float64
	for i := range 10*b.rounds + 1 { // a launch is short, and its time varies much
		for at, cmd := range []func() *exec.Cmd{ours, sdk, whole} {
			took, err := b.firstAnswer(cmd(), firstCall)
			if err != nil {
				return err
			}
			if i > 0 {
				times[at] = append(times[at], took.Seconds()*1000)
			}
		}
	}
	b.sdk.heading("an app with a SQLite file")
	b.sdk.compared("start to first answer", " ms", times[0], times[1], target{"≤", 1, "×"})
	b.sdk.compared("with window and Postgres", " ms", times[2], times[1], target{})
	return nil
}

// firstAnswer starts a program, introduces itself, calls customers_show and tells how long that took.
func (b *bench) firstAnswer(cmd *exec.Cmd, arguments string) (time.Duration, error) {
	began := time.Now()
	p, err := load.Start(cmd, load.Legacy)
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	if _, err := p.Ask(load.Call("customers_show", arguments)); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}

// size tells how large the smallest app is, on disk and in memory once it idles.
func (b *bench) size() error {
	const mb = 1 << 20
	b.sdk.heading("the smallest app (theirs: the server of this comparison)")
	ours, err := os.Stat(b.program("hello"))
	if err != nil {
		return err
	}
	sdk, err := os.Stat(b.program("sdk"))
	if err != nil {
		return err
	}
	b.sdk.absolute("stripped program", " MB", float64(ours.Size())/mb, float64(sdk.Size())/mb, target{"≤", 12, " MB"})
	oursRSS, err := idleRSS(b.command("hello", nil, "--mcp"), load.Call("greet", `{"name":"Ada"}`))
	if err != nil {
		return err
	}
	sdkRSS, err := idleRSS(b.command("sdk", nil), load.List())
	if err != nil {
		return err
	}
	b.sdk.absolute("resident memory, idle", " MB", oursRSS/mb, sdkRSS/mb, target{"≤", 20, " MB"})
	return nil
}

// idleRSS is the memory that a server holds after it was used a little.
func idleRSS(cmd *exec.Cmd, use load.Request) (float64, error) {
	p, err := load.Start(cmd, load.Legacy)
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	for _, r := range []load.Request{load.List(), use} {
		if _, err := p.Ask(r); err != nil {
			return 0, fmt.Errorf("use %s: %w", cmd.Path, err)
		}
	}
	time.Sleep(time.Second) // idle is what is left when nothing happens any more
	return float64(load.RSS(p.PID())), nil
}
