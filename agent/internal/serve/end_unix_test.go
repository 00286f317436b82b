//go:build unix

package serve_test

import (
	"bufio"
	"context"
	"errors"
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

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// within is how long the server may take to end what it has started.
const within = 2 * time.Second

// stubborn is a model that runs a command which has children and does not want to end.
const stubborn = `-- reply --
text "I begin."
call c1 bash {"command": "trap '' TERM; sleep 300 & echo $! > child; echo $$ > shell; wait; sleep 300"}
`

// running waits until the command of a stubborn model runs, and returns the processes of it.
func (r *rig) running() (pids []int) {
	r.t.Helper()
	for _, name := range []string{"child", "shell"} {
		await(r.t, "the command runs", func() bool {
			text, err := os.ReadFile(filepath.Join(r.project, name))
			pid, convErr := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil || convErr != nil {
				return false
			}
			pids = append(pids, pid)
			r.t.Cleanup(func() {
				if r.t.Failed() { // Then it may be there still.
					syscall.Kill(pid, syscall.SIGKILL)
				}
			})
			return true
		})
	}
	return pids
}

// gone waits until processes are gone, and returns how long that took.
func gone(t *testing.T, pids []int, since time.Time) time.Duration {
	t.Helper()
	await(t, "the processes of the task end", func() bool {
		for _, pid := range pids {
			if syscall.Kill(pid, 0) == nil && !zombie(pid) {
				return false
			}
		}
		return true
	})
	return time.Since(since)
}

// zombie reports a process that has ended and that nobody has asked about.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}

// kept holds that the session of an ended task is there and has what was said.
func (r *rig) kept() {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.home, ".elyra/agent/sessions/*/*.jsonl"))
	if err != nil || len(files) != 1 {
		r.t.Fatalf("sessions: %v %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		r.t.Fatal(err)
	}
	has(r.t, string(text), "be stubborn", "I begin.")
}

func stubbornTask() map[string]any {
	return map[string]any{"task": "be stubborn", "mode": "edit", "model": sonnet}
}

// TestCancelEndsTheProcessTree and keeps the session.
func TestCancelEndsTheProcessTree(t *testing.T) {
	t.Parallel()
	r := newRig(t, stubborn)
	c := r.start("")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	began := time.Now()
	var told lines
	go func() {
		_, err := c.CallTool(ctx, "elyra_task", stubbornTask(), mcpclient.CallOptions{Progress: told.add})
		failed <- err
	}()
	pids := r.running()
	await(t, "the command is told", func() bool { return strings.Contains(told.String(), "bash trap '' TERM") })
	t.Logf("call → first progress: %v", told.at[0].Sub(began))
	if told.at[0].Sub(began) > time.Second {
		t.Error("that was too late")
	}
	began = time.Now()
	cancel()
	if err := <-failed; err == nil {
		t.Error("a cancelled call was answered")
	}
	took := gone(t, pids, began)
	t.Logf("cancel → process tree gone: %v", took)
	if took > within {
		t.Errorf("cancel took %v", took)
	}
	r.kept()
}

// program is the whole program without a client around it.
type program struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stdout io.Closer
	stderr io.Closer
}

func (r *rig) program() *program {
	r.t.Helper()
	p := &program{Cmd: r.command()}
	in, err := p.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	said, err := p.StderrPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	p.in, p.out, p.stdout, p.stderr = in, bufio.NewReader(out), out, said
	if err := p.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { p.Process.Kill() })
	return p
}

// send writes a modern request.
func (p *program) send(t *testing.T, id int, method, params string) {
	t.Helper()
	_, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":%q,`+
		`"io.modelcontextprotocol/clientInfo":{"name":"host","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n", id, method, params, mcp.V2026_07_28)
	if err != nil {
		t.Fatal(err)
	}
}

const stubbornCall = `"name":"elyra_task","arguments":{"task":"be stubborn","mode":"edit","model":"` + sonnet + `"},`

// TestEndsWithItsHost ends what runs when the input ends, and at a signal, and exits with 0.
func TestEndsWithItsHost(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *program) error{
		"end of input":         func(p *program) error { return p.in.Close() },
		"SIGTERM":              func(p *program) error { return p.Process.Signal(syscall.SIGTERM) },
		"interrupt":            func(p *program) error { return p.Process.Signal(os.Interrupt) },
		"all of it gone":       func(p *program) error { return errors.Join(p.stderr.Close(), p.stdout.Close(), p.in.Close()) },
		"half a line and gone": func(p *program) error { io.WriteString(p.in, `{"jsonrpc":`); return p.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, stubborn)
			p := r.program()
			p.send(t, 1, "tools/call", stubbornCall)
			pids := r.running()
			began := time.Now()
			if err := end(p); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(p.out)
			err := p.Wait()
			took := time.Since(began)
			t.Logf("%s → exit: %v; %s", name, took, rest)
			if err != nil || took > within {
				t.Errorf("exit %v after %v", err, took)
			}
			gone(t, pids, began)
			if name == "end of input" && strings.Count(string(rest), `"id":1`) != 1 {
				t.Errorf("the accepted call was not answered once: %s", rest)
			}
			r.kept()
		})
	}
}

// TestParentGone ends a server whose starter has died while somebody else holds its input open.
func TestParentGone(t *testing.T) {
	t.Parallel()
	r := newRig(t, stubborn)
	server := r.command()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	host := exec.Command("sh", "-c", `"$@" <&3 & echo $! > server; exec 3<&-; wait`, "sh", server.Path, "--mode", "mcp")
	host.Dir, host.Env, host.ExtraFiles = r.project, server.Env, []*os.File{reader}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	reader.Close()
	p := &program{in: writer}
	p.send(t, 1, "tools/call", stubbornCall)
	pids := r.running()
	text, err := os.ReadFile(filepath.Join(r.project, "server"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait() // It was killed.
	took := gone(t, append(pids, pid), began)
	t.Logf("parent gone → all gone: %v", took)
	if took > within+time.Second/4 { // It looks four times a second.
		t.Errorf("it took %v", took)
	}
	r.kept()
}

// TestAnswersAtOnce prints the time from the start of the program to its answer to server/discover, the best of five. A busy
// machine decides about it, so it is no bound.
func TestAnswersAtOnce(t *testing.T) {
	r := newRig(t, "")
	best := time.Hour
	for range 5 {
		began := time.Now()
		p := r.program()
		p.send(t, 1, "server/discover", "")
		line, err := p.out.ReadString('\n')
		took := time.Since(began)
		if err != nil || !strings.Contains(line, `"id":1`) {
			t.Fatal(line, err)
		}
		best = min(best, took)
		p.in.Close()
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("start → answer to server/discover: %v", best)
}

// TestTwoInstances work in one project at once, each on its own task.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	r := newRig(t, "order: any\n-- reply --\n#delay 300ms\ntext \"Done.\"\n-- reply --\n#delay 300ms\ntext \"Done.\"\n")
	results := make(chan outcome)
	for range 2 {
		c := r.start("")
		go func() {
			var got outcome
			call(t, c, "elyra_task", map[string]any{"task": "a", "model": sonnet}, &got)
			results <- got
		}()
	}
	one, two := <-results, <-results
	if one.Answer != "Done." || two.Answer != "Done." || one.Session == two.Session {
		t.Errorf("%+v %+v", one, two)
	}
}

// TestNothingStrayOnStandardOutput has a task's command and a damaged setting speak: only messages arrive.
func TestNothingStrayOnStandardOutput(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\ncall c1 bash {\"command\": \"echo loud; echo loud > /dev/tty\"}\n-- reply --\ntext \"Done.\"\n")
	r.write("../home/.elyra/agent/settings.json", `{"sandbox":"off","nonsense":1}`)
	c := r.start(mcp.V2025_11_25)
	call(t, c, "elyra_task", map[string]any{"task": "a", "mode": "edit", "model": sonnet}, nil)
	if n := c.SkippedLines(); n != 0 {
		t.Errorf("%d lines were no messages", n)
	}
}

// TestProjectsOwnFilesNeedTrust starts nothing that a project's files define, unless --trust-project says so.
func TestProjectsOwnFilesNeedTrust(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode string
		args []string
		runs bool
	}{
		{"edit", nil, false},
		{"edit", []string{"--trust-project"}, true},
		{"read-only", []string{"--trust-project"}, false},
	} {
		t.Run(tt.mode+strings.Join(tt.args, ""), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "-- reply --\ntext \"Done.\"\n")
			r.write(".elyra/settings.json", `{"hooks": {"userPrompt": [{"hooks": [{"type": "command", "command": "touch ran"}]}]}}`)
			call(t, r.start("", tt.args...), "elyra_task", map[string]any{"task": "a", "mode": tt.mode, "model": sonnet}, nil)
			if _, err := os.Stat(filepath.Join(r.project, "ran")); (err == nil) != tt.runs {
				t.Errorf("a hook of the project ran: %v, want %v", err == nil, tt.runs)
			}
		})
	}
}
