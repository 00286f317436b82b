package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waiting is a parent whose first child waits in a call of a server's tool.
const waiting = `
-- request --
{"messages": [{"content": [{"text": "go"}]}]}
-- reply --
call c1 agent {"task": "wait for it", "role": "work"}
-- request --
{"messages": [{"content": [{"text": "wait for it"}]}]}
-- reply --
call a1 mcp_call {"server": "demo", "tool": "wait"}
`

// program is the whole program at work.
type program struct {
	*exec.Cmd
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// start starts the program, and returns when the child waits, with the process ids of child and server.
func (p *parent) start() (run *program, child, server int) {
	p.t.Helper()
	cmd := exec.Command("elyra", "--mode", "rpc", "--allow", "mcp:demo/*", "--model", "anthropic/claude-sonnet-4-5")
	cmd.Dir, cmd.Env = p.project, p.environ
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() }) //nolint:errcheck // It has ended already, unless the test failed.
	run = &program{cmd, p.t, in, bufio.NewReader(out)}
	run.say(`{"type":"prompt","text":"go"}`)
	run.until("still waiting")
	if server, err = strconv.Atoi(p.starts()); err != nil {
		p.t.Fatalf("one server: %v", err)
	}
	return run, childOfProcess(p.t, cmd.Process.Pid), server
}

// starts is what the server has noted: a line for each start.
func (p *parent) starts() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.project, "starts.txt"))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// cancelled waits until the server has said on standard error that its call was cancelled, which it says once.
func (p *parent) cancelled() {
	p.t.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(p.home, ".elyra", "agent", "logs", "mcp-demo.log"))
		n := strings.Count(string(text), "wait was cancelled")
		if n == 1 {
			return
		}
		if n > 1 || time.Now().After(end) {
			p.t.Fatalf("the server was told %d times of a cancel: %s", n, text)
		}
	}
}

func (r *program) say(line string) {
	r.t.Helper()
	if _, err := fmt.Fprintln(r.in, line); err != nil {
		r.t.Fatal(err)
	}
}

// until reads lines up to one that has a text in it.
func (r *program) until(text string) string {
	r.t.Helper()
	late := time.AfterFunc(20*time.Second, func() { r.Process.Kill() }) //nolint:errcheck // The reading ends then.
	defer late.Stop()
	for {
		line, err := r.out.ReadString('\n')
		if strings.Contains(line, text) {
			return line
		}
		if err != nil {
			r.t.Fatalf("%q was not said: %v", text, err)
		}
	}
}

// childOfProcess is the child agent of a process.
func childOfProcess(t *testing.T, parent int) int {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		status, _ := os.ReadFile(filepath.Join(folder, "status"))
		if bytes.Contains(line, []byte("\x00child-agent\x00")) && bytes.Contains(status, fmt.Appendf(nil, "\nPPid:\t%d\n", parent)) {
			pid, err := strconv.Atoi(filepath.Base(folder))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("there is no child")
	return 0
}

func gone(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				syscall.Kill(-pid, syscall.SIGKILL) //nolint:errcheck // It is in nobody's way then.
				t.Fatalf("process %d is still there", pid)
			}
		}
	}
}

// A child that is killed in a call costs that call: the server is told and stays, its parent goes on, and the next child has
// its place.
func TestAKilledChildCostsItsCall(t *testing.T) {
	t.Parallel()
	p := newParent(t, server("good"), waiting+`
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c1", "is_error": true, "content": [{"text": "~(?s)^The agent is not done: its process ended before it had answered.*requests to the model, .*; session [0-9a-f]+\\)$"}]}]}]}
-- reply --
call c2 agent {"task": "again", "role": "work"}
-- request --
{"messages": [{"content": [{"text": "again"}]}]}
-- reply --
call b1 mcp_call {"server": "demo", "tool": "pid"}
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "b1"}]}]}
-- reply --
text "The same server."
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c2", "content": [{"text": "~^The same server"}]}]}]}
-- reply --
text "It goes on."
`)
	run, child, server := p.start()
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if line := run.until(`"type":"end"`); strings.Contains(line, "error") {
		t.Error(line)
	}
	p.cancelled()
	if got := p.starts(); got != strconv.Itoa(server) {
		t.Errorf("starts %s", got)
	}
	run.say(`{"type":"get_session_stats"}`)
	run.until(`"type":"response"`)
	run.in.(io.Closer).Close()
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	gone(t, child, server)
}

// A cancel in the parent ends the child at once and reaches the server, which stays.
func TestACancelInTheParentReachesTheServer(t *testing.T) {
	t.Parallel()
	p := newParent(t, server("good"), waiting)
	run, child, server := p.start()
	began := time.Now()
	run.say(`{"type":"abort"}`)
	run.until(`"type":"end"`)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	gone(t, child)
	p.cancelled()
	if err := syscall.Kill(server, 0); err != nil {
		t.Errorf("the server: %v", err)
	}
	run.in.(io.Closer).Close()
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	gone(t, server)
}

// A parent that is killed leaves neither child nor server, and its session has the child's.
func TestAKilledParentLeavesNeitherChildNorServer(t *testing.T) {
	t.Parallel()
	p := newParent(t, server("good"), waiting)
	run, child, server := p.start()
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	gone(t, child, server)
	files, err := filepath.Glob(filepath.Join(p.home, ".elyra", "agent", "sessions", "*", "*.jsonl"))
	if err != nil || len(files) != 2 {
		t.Fatalf("sessions %q, %v", files, err)
	}
	linked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`"kind":"child"`)) || bytes.Contains(text, []byte(`"owner":"`)) {
			linked++
		}
	}
	if linked != 2 {
		t.Errorf("%d of two sessions name the other", linked)
	}
}
