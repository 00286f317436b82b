package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Exit codes by which the CRM says why it opened no window.
const (
	exitNoLibrary = 3
	exitNoDisplay = 4
	exitRaised    = 0 // it is open already, and its window was raised
)

// windowApp is the CRM's process with its window.
type windowApp struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	err  error
}

// open starts the CRM with a window. The app is nil when there is none of ours: then either one is
// open already, or the agent is served headless. How says it in words.
func open(ctx context.Context, binary string, headless bool) (app *windowApp, alreadyOpen bool, how string, err error) {
	if headless {
		return nil, false, "No window was asked for: the agent is served headless.", nil
	}
	var said strings.Builder
	cmd := exec.Command(binary)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, false, "", fmt.Errorf("start the CRM: %w", err)
	}
	a := &windowApp{cmd: cmd, done: make(chan struct{})}
	go func() {
		a.err = cmd.Wait()
		close(a.done)
	}()
	// The window needs about a second. An app that cannot open one says so sooner.
	select {
	case <-time.After(2500 * time.Millisecond):
		return a, false, "The CRM's window is open.", nil
	case <-ctx.Done():
		return nil, false, "", errors.Join(ctx.Err(), a.close())
	case <-a.done:
	}
	switch cmd.ProcessState.ExitCode() {
	case exitNoLibrary, exitNoDisplay:
		return nil, false, "No window can be opened here, so the agent is served headless. The app's own words:\n\n" + indent(said.String()), nil
	case exitRaised:
		return nil, true, "The CRM is already open: the agent works in that window.", nil
	}
	return nil, false, "", fmt.Errorf("the CRM ended at once (%v):\n%s", a.err, indent(said.String()))
}

// close ends the process as a user would who logs out, and waits for it.
func (a *windowApp) close() error {
	if a == nil {
		return nil
	}
	if err := a.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("close the CRM: %w", err)
	}
	select {
	case <-a.done:
		return nil
	case <-time.After(10 * time.Second):
		return errors.Join(errors.New("the CRM did not close within 10 s"), a.cmd.Process.Kill())
	}
}

// wait returns when the window was closed or ctx ends.
func (a *windowApp) wait(ctx context.Context) error {
	select {
	case <-a.done:
	case <-ctx.Done():
	}
	return nil
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ")
}
