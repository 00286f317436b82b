package hostile

import (
	"bytes"
	"io"
	"os/exec"
	"testing"
	"time"
)

// Process is a client of a server that is a process of its own.
type Process struct {
	*Client
	Cmd *exec.Cmd

	stdin  io.WriteCloser
	stderr bytes.Buffer
	ended  chan struct{}
	err    error // of Wait; readable once ended is closed
}

// Start starts cmd and connects a client to its standard input and output. What is left of it at the
// end of the test is killed.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Cmd: cmd, ended: make(chan struct{})}
	cmd.Stderr = &p.stderr
	// Not StdoutPipe: Wait would close it while there is something to read.
	out, in := io.Pipe()
	cmd.Stdout = in
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		p.err = cmd.Wait()
		in.Close()
	}()
	p.Client = New(t, out, p.stdin)
	t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
		out.Close()
		<-p.ended
	})
	return p
}

// CloseInput ends the server's input.
func (p *Process) CloseInput() {
	p.t.Helper()
	if err := p.stdin.Close(); err != nil {
		p.t.Errorf("close the input: %v", err)
	}
}

// Exited waits for the end of the process, which must be a good one, and returns its log.
func (p *Process) Exited() string {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(Patience):
		p.t.Fatalf("the process did not end within %v:\n%s", Patience, p.stderr.String())
	}
	if p.err != nil {
		p.t.Errorf("the process ended with %v:\n%s", p.err, p.stderr.String())
	}
	return p.stderr.String()
}

// Running reports whether the process has not ended yet.
func (p *Process) Running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}
