package load

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Process is a server that runs as a program of its own, on its standard input and output. What it
// writes to standard error is discarded.
type Process struct {
	*Client
	cmd *exec.Cmd
	in  io.Closer
}

// Start starts cmd and opens a client of the era to it.
func Start(cmd *exec.Cmd, era string) (*Process, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	p := &Process{cmd: cmd, in: in}
	if p.Client, err = Open(out, in, era); err != nil {
		p.Stop()
		return nil, fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err)
	}
	return p, nil
}

// Stop closes the server's input and waits for its end, for a few seconds at most.
func (p *Process) Stop() {
	p.in.Close()
	late := time.AfterFunc(5*time.Second, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	p.cmd.Wait()
}

// PID is the server's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// CPU is how much processor time a process has used. It is 0 where the system does not tell as Linux
// does.
func CPU(pid int) time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	var sum time.Duration
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // a thread that has just ended
		}
		first, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(first, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// RSS is how many bytes of memory a process holds resident. It is 0 where the system does not tell as
// Linux does.
func RSS(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
