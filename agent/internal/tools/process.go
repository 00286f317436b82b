package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/process"
)

const (
	// flushTime is how long what a shell leaves behind may go on printing before it is ended.
	flushTime = 100 * time.Millisecond
	// graceTime is how long processes that were asked to end may take.
	graceTime = time.Second
	// closeTime is how long their output may stay open afterwards: a process can have left the group.
	closeTime = time.Second
)

// execution is one command and all that it starts.
type execution struct {
	started func(group int) (ended func())
	argv    []string
	dir     string
	env     []string
	timeout time.Duration
	out     spool
}

// ending is how a command ended.
type ending struct {
	code      int // -1 when a signal ended it
	signal    string
	timedOut  bool
	cancelled bool
	flooded   bool
}

// says writes down an ending that is not plain success.
func (e ending) says(seconds int) []string {
	switch {
	case e.cancelled:
		return []string{"cancelled: the command and all that it started were ended"}
	case e.flooded:
		return []string{fmt.Sprintf("ended because it printed more than %s", result.Size(maxFlood))}
	case e.timedOut:
		return []string{fmt.Sprintf("ended after %d seconds, its timeout; give a longer one if it needs that, and no command that waits for input: it gets none", seconds)}
	case e.signal != "":
		return []string{"ended by a signal: " + e.signal}
	case e.code != 0:
		return []string{fmt.Sprintf("exit code %d", e.code)}
	}
	return nil
}

// run starts the command and waits until it and its group have ended. The error says why it could not be started.
func (p *execution) run(ctx context.Context) (ending, error) {
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	var flooded atomic.Bool
	p.out.flooded = func() { flooded.Store(true); cancel() }

	reader, writer, err := os.Pipe()
	if err != nil {
		return ending{}, err
	}
	defer reader.Close()
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, writer, writer
	g, err := process.StartSession(cmd)
	writer.Close()
	if err != nil {
		return ending{}, fmt.Errorf("start %s: %w", p.argv[0], plainError(err))
	}
	defer g.Release()
	defer p.started(cmd.Process.Pid)()
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(&p.out, reader) // It ends when the last process has closed its output, or reader is closed.
	}()
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	waited := p.await(limited, g, exited)

	// What is left was started in the background.
	if !closed(copied, flushTime) {
		g.Kill()
		if !closed(copied, closeTime) {
			reader.Close()
			<-copied
		}
	}
	g.Kill()

	e := ending{code: cmd.ProcessState.ExitCode(), signal: signalOf(cmd)}
	var exit *exec.ExitError
	if waited != nil && !errors.As(waited, &exit) {
		e.code = -1
	}
	if limited.Err() != nil && e.code != 0 {
		e.cancelled = ctx.Err() != nil
		e.flooded = flooded.Load() && !e.cancelled
		e.timedOut = !e.cancelled && !e.flooded
		e.code = -1
	}
	return e, nil
}

// await waits for the command, and ends its group when ctx ends before it.
func (p *execution) await(ctx context.Context, g process.Group, exited <-chan error) error {
	select {
	case err := <-exited:
		return err
	case <-ctx.Done():
	}
	g.Terminate()
	select {
	case err := <-exited:
		return err
	case <-time.After(graceTime):
	}
	g.Kill()
	return <-exited
}

// closed waits for a channel to be closed.
func closed(c <-chan struct{}, most time.Duration) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}
