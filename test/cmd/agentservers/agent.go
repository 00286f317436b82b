package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// patience is how long one run of the agent may take; ending how long it may take to end when it is told to.
const (
	patience = 90 * time.Second
	ending   = 8 * time.Second
)

// agent runs the agent's program in a home of its own.
type agent struct {
	program string
	home    string
	project string // where it runs
}

// outcome is how a run ended.
type outcome struct {
	status      int
	out, errors string
	took        time.Duration
}

func (o outcome) String() string {
	return fmt.Sprintf("exit status %d after %v\n%s%s", o.status, o.took.Round(time.Millisecond), o.out, o.errors)
}

// environ is what the agent and, through it, the servers get.
func (a *agent) environ() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.home, "LANG=C.UTF-8"}
}

// running is a run that has not ended.
type running struct {
	command     *exec.Cmd
	out, errors bytes.Buffer
	began       time.Time
	ended       chan error
}

func (a *agent) start(args ...string) (*running, error) {
	r := &running{command: exec.Command(a.program, args...), began: time.Now(), ended: make(chan error, 1)}
	r.command.Env, r.command.Dir = a.environ(), a.project
	r.command.Stdout, r.command.Stderr = &r.out, &r.errors
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	go func() { r.ended <- r.command.Wait() }()
	return r, nil
}

// wait waits for the end, and kills what does not end in time.
func (r *running) wait(ctx context.Context, limit time.Duration) outcome {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var err error
	late := ""
	select {
	case err = <-r.ended:
	case <-timer.C:
		late = "it did not end in time\n"
	case <-ctx.Done():
		late = "it was interrupted\n"
	}
	if late != "" {
		r.command.Process.Kill() //nolint:errcheck // It may be gone by now.
		err = <-r.ended
	}
	o := outcome{out: r.out.String(), errors: late + r.errors.String(), took: time.Since(r.began)}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		o.status = exit.ExitCode()
	} else if err != nil {
		o.status = -2
	}
	return o
}

func (a *agent) run(ctx context.Context, args ...string) outcome {
	r, err := a.start(args...)
	if err != nil {
		return outcome{status: -2, errors: err.Error()}
	}
	return r.wait(ctx, patience)
}

// decode runs a command that prints JSON.
func (a *agent) decode(ctx context.Context, dst any, args ...string) (outcome, error) {
	o := a.run(ctx, args...)
	if err := json.Unmarshal([]byte(o.out), dst); err != nil {
		return o, fmt.Errorf("%w: %v", err, o)
	}
	return o, nil
}

// left finds the processes that have the home of this agent in their environment.
func (a *agent) left() []string {
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	for _, folder := range folders {
		environ, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !strings.Contains("\x00"+string(environ), "\x00HOME="+a.home+"\x00") {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		if len(line) == 0 { // A process that has ended and waits to be noticed.
			continue
		}
		found = append(found, filepath.Base(folder)+" "+strings.ReplaceAll(string(line), "\x00", " "))
	}
	return found
}

// none waits until no process is left, and returns those that stay.
func (a *agent) none(ctx context.Context, except ...int) []string {
	var found []string
	for range 100 {
		found = nil
		for _, line := range a.left() {
			pid, _, _ := strings.Cut(line, " ")
			mine := false
			for _, e := range except {
				mine = mine || pid == strconv.Itoa(e)
			}
			if !mine {
				found = append(found, line)
			}
		}
		if len(found) == 0 || ctx.Err() != nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return found
}
