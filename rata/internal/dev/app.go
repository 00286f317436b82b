package dev

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/elyra-go/elyra/internal/process"
)

// grace is how long an app may take to end once it is asked to.
const grace = 5 * time.Second

// app is an app that runs, with all that it starts.
type app struct {
	path, folder string
	group        process.Group
	exited       chan int // gets the exit code once, -1 after a signal
	gone         chan struct{}
}

func start(r result, o Options, environ []string) (*app, error) {
	cmd := exec.Command(r.path, o.Args...)
	cmd.Dir = o.Dir
	cmd.Env = append(cmd.Environ(), environ...)
	cmd.Stdout, cmd.Stderr = o.Output.Stdout, o.Output.Stderr
	// A child of the app's that has its output does not hold up its end.
	cmd.WaitDelay = time.Second
	group, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	a := &app{path: r.path, folder: r.folder, group: group, exited: make(chan int, 1), gone: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // The code says how it ended; output that a child still has may be cut off.
		group.Kill()   // what it left
		group.Release()
		close(a.gone)
		a.exited <- cmd.ProcessState.ExitCode()
	}()
	return a, nil
}

// stop asks the app to end, and makes it end if that takes too long. The exit code comes through exited.
func (a *app) stop() {
	a.group.Terminate()
	select {
	case <-a.gone:
	case <-time.After(grace):
		a.group.Kill()
	}
}

// sameFile reports whether two files have the same content. Programs that differ do so early, in their
// build IDs.
func sameFile(one, two string) bool {
	a, err := os.Open(one)
	if err != nil {
		return false
	}
	defer a.Close()
	b, err := os.Open(two)
	if err != nil {
		return false
	}
	defer b.Close()
	left, right := make([]byte, 256<<10), make([]byte, 256<<10)
	for {
		n, err := io.ReadFull(a, left)
		m, otherErr := io.ReadFull(b, right)
		if !bytes.Equal(left[:n], right[:m]) || err != otherErr {
			return false
		}
		if err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}
