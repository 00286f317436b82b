package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/internal/process"
)

// killTime is how long the system may take to end a process that was killed.
const killTime = 2 * time.Second

// CommandOptions configure Command.
type CommandOptions struct {
	// Stderr gets the server's standard error as it comes, from one goroutine; a slow writer slows the server down and its
	// errors are ignored. Nil: only the last 8 KB are kept, which error messages quote in either case.
	Stderr io.Writer
	// Started is told the process id of each server, which is that of its process group too. What it returns is called once
	// the process was waited for and its group killed. Nil: nobody is told.
	Started func(pid int) (ended func())
	// Grace is how long the server may take to exit after its standard input was closed, and again after it was asked to
	// terminate, before its whole process group is killed. Zero: 2 s.
	Grace time.Duration
}

func (o CommandOptions) withDefaults() CommandOptions {
	if o.Grace <= 0 {
		o.Grace = 2 * time.Second
	}
	if o.Started == nil {
		o.Started = func(int) func() { return func() {} }
	}
	return o
}

// Command is a Transport that starts a process per connection and speaks over its standard streams. NewCmd is called for
// each start and returns a command that was not started; its Stdin, Stdout and Stderr are replaced. The process leads a
// process group of its own (a job object on Windows), and the group is killed when the process is gone, so nothing that it
// started outlives the connection unless it left the group on purpose.
func Command(newCmd func() *exec.Cmd, o CommandOptions) Transport {
	o = o.withDefaults()
	return transportFunc(func(ctx context.Context, _ bool) (Conn, error) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("start MCP server: %w", err)
		}
		return startProcess(newCmd(), o)
	})
}

// running is a server and the parent's ends of its three streams.
type running struct {
	cmd   *exec.Cmd
	group process.Group
	grace time.Duration

	stdin     *os.File
	stdout    *os.File
	stderr    *os.File
	last      *tail         // of standard error
	drained   chan struct{} // closed when standard error has ended
	exited    chan struct{} // closed when the process was waited for and its group killed
	exit      error         // how it ended; readable once exited is closed
	closeOnce sync.Once
	closeErr  error
}

// startProcess starts cmd with pipes of our own. They are files, so that exec starts no copying goroutines that an
// orphaned grandchild could keep alive.
func startProcess(cmd *exec.Cmd, o CommandOptions) (*running, error) {
	var open []*os.File
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			open = append(open, r, w)
		}
		return r, w, err
	}
	inR, inW, err1 := pipe()
	outR, outW, err2 := pipe()
	errR, errW, err3 := pipe()
	fail := func(err error) (*running, error) {
		for _, f := range open {
			f.Close()
		}
		return nil, err
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return fail(fmt.Errorf("start MCP server: make pipes: %w", err))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	group, err := process.Start(cmd)
	if err != nil {
		return fail(startError(cmd, err))
	}
	// The child has its own copies; ours would keep the streams open after it is gone.
	inR.Close()
	outW.Close()
	errW.Close()

	p := &running{
		cmd: cmd, group: group, grace: o.Grace, stdin: inW, stdout: outR, stderr: errR,
		last: &tail{}, drained: make(chan struct{}), exited: make(chan struct{}),
	}
	go p.drain(o.Stderr)
	go p.reap(o.Started(cmd.Process.Pid))
	return p, nil
}

// drain reads standard error until it ends: a server whose standard error is not read stops at a full pipe.
func (p *running) drain(also io.Writer) {
	defer close(p.drained)
	buf := make([]byte, 4<<10)
	for {
		n, err := p.stderr.Read(buf)
		p.last.Write(buf[:n])
		if also != nil && n > 0 {
			also.Write(buf[:n]) //nolint:errcheck // Documented: the caller's log does not decide over the server.
		}
		if err != nil {
			return
		}
	}
}

// reap waits for the process and then kills what is left of its group. Only that ends the streams when a child of the
// server still holds them.
func (p *running) reap(ended func()) {
	err := p.cmd.Wait()
	p.group.Kill()
	p.group.Release()
	ended()
	if err == nil {
		p.exit = errors.New("the server exited (exit status 0)")
	} else {
		p.exit = fmt.Errorf("the server ended: %w", err)
	}
	close(p.exited)
}

func (p *running) Read(b []byte) (int, error)  { return p.stdout.Read(b) }
func (p *running) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close ends the process: it closes standard input, waits, asks it to terminate, waits, kills the group. A server whose
// exit status is not zero is no error here, because it was told to leave.
func (p *running) Close() error {
	p.closeOnce.Do(func() { p.closeErr = p.shutdown() })
	return p.closeErr
}

func (p *running) shutdown() error {
	// Closing can wait for a write that is stuck in a full pipe on systems whose pipes cannot be interrupted.
	stdinClosed := make(chan struct{})
	go func() {
		defer close(stdinClosed)
		p.stdin.Close()
	}()
	gone := waitFor(p.exited, p.grace)
	if !gone {
		p.group.Terminate()
		gone = waitFor(p.exited, p.grace)
	}
	if !gone {
		p.group.Kill()
		gone = waitFor(p.exited, killTime)
	}
	if !gone {
		// A process in an uninterruptible system call ignores even a kill; the reaper waits on for it.
		p.stdout.Close()
		p.stderr.Close()
		return fmt.Errorf("close MCP server %s: process %d is still there %v after it was killed", p.name(), p.cmd.Process.Pid, killTime)
	}
	<-stdinClosed
	// A descendant that left the group may hold the streams open for ever; ours are closed after a moment.
	waitFor(p.drained, 100*time.Millisecond)
	p.stdout.Close()
	p.stderr.Close()
	return nil
}

// explain waits a moment for the process to be gone and says how it ended, with the end of its standard error.
func (p *running) explain(err error) error {
	if !waitFor(p.exited, time.Second) {
		return fmt.Errorf("the server closed its standard output but is still running: %w%s", err, p.quoteStderr())
	}
	waitFor(p.drained, 100*time.Millisecond)
	return fmt.Errorf("%w%s%s", p.exit, p.missing(), p.quoteStderr())
}

// Exit codes of a shell or of env that did not find the program that it was to run.
const (
	codeNotFound        = 127
	codeNotFoundWindows = 9009
)

// missing prints the PATH of a server that did not find a program itself. A script such as npx is found by its absolute path,
// and fails when node is only in the PATH of the user's shell.
func (p *running) missing() string {
	var exit *exec.ExitError
	if !errors.As(p.exit, &exit) || exit.ExitCode() != codeNotFound && exit.ExitCode() != codeNotFoundWindows {
		return ""
	}
	path := ""
	for _, variable := range p.cmd.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	return fmt.Sprintf(" (a program that it starts was not found in PATH=%s; give the server a PATH in its configuration)", path)
}

func (p *running) quoteStderr() string {
	if s := p.last.text(); s != "" {
		return "; its standard error ended with:\n" + s
	}
	return "; it wrote nothing to standard error"
}

func (p *running) name() string { return filepath.Base(p.cmd.Path) }

// startError says what could not be started and what to do. A missing program is the commonest mistake of a configuration:
// a graphical program has another PATH than the shell in which the command works.
func startError(cmd *exec.Cmd, err error) error {
	base := fmt.Errorf("start MCP server %q: %w", cmd.Path, err)
	if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
		return base
	}
	if _, statErr := os.Stat(cmd.Dir); cmd.Dir != "" && statErr != nil {
		return fmt.Errorf("%w (the working directory %q of the command: %w)", base, cmd.Dir, statErr)
	}
	if _, statErr := os.Stat(cmd.Path); statErr == nil && filepath.IsAbs(cmd.Path) {
		return fmt.Errorf("%w (the file exists, so the interpreter that its first line names is missing)", base)
	}
	// Package exec has searched the PATH of this process, so that one is printed and not the command's own.
	return fmt.Errorf("%w (searched in PATH=%s; use an absolute path if the program is elsewhere)", base, os.Getenv("PATH"))
}
