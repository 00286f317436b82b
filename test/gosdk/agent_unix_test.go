//go:build unix

package gosdk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// agentRig is a project, a home and a scripted model for `elyra --mode mcp`.
type agentRig struct {
	t             *testing.T
	home, project string
	environ       []string
}

// newAgentRig makes a real repository with a decision and with a change that nobody has committed.
func newAgentRig(t *testing.T) *agentRig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &agentRig{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project")}
	r.write(filepath.Join(r.home, ".elyra/agent/settings.json"), `{"sandbox": "off"}`)
	r.write(filepath.Join(r.project, "docs/adr/0001-go.md"), "# Use Go\n\nStatus: accepted\n\nIt is plain.\n")
	r.write(filepath.Join(r.project, "note.txt"), "hello\n")
	git := exec.Command("sh", "-c", `git init -q && git add . && git -c user.name=x -c user.email=x@example.com commit -q -m "a note"`)
	git.Dir, git.Env = r.project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.write(filepath.Join(r.project, "bug.go"), "panic(1)\n")
	r.environ = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home}, startModel(t)...)
	return r
}

func (r *agentRig) write(path, text string) {
	r.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		r.t.Fatal(err)
	}
}

// startModel starts the model of the peers and returns the variables by which programs find it. The test's end ends it, and
// fails the test when the model was not asked what its script says.
func startModel(t *testing.T) (environ []string) {
	t.Helper()
	cmd := exec.Command(modelBinary, filepath.Join("..", "peers", "agent", "model.txtar"))
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for len(environ) < 4 && lines.Scan() {
		environ = append(environ, strings.TrimPrefix(lines.Text(), "export "))
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the model: %v: %s", err, said.String())
		}
	})
	return environ
}

// open starts the agent as a server and connects the SDK's client to it. Reports of progress go to told.
func (r *agentRig) open(version string, told chan<- *sdk.ProgressNotificationParams, args ...string) *sdk.ClientSession {
	r.t.Helper()
	cmd := exec.Command(agentBinary, append([]string{"--mode", "mcp"}, args...)...)
	cmd.Dir, cmd.Env = r.project, r.environ
	return connectSDK(r.t, &sdk.CommandTransport{Command: cmd}, version, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, p *sdk.ProgressNotificationClientRequest) { told <- p.Params },
	})
}

// task calls elyra_task with a progress token.
func task(ctx context.Context, s *sdk.ClientSession, token, text, mode string) (*sdk.CallToolResult, error) {
	p := &sdk.CallToolParams{Name: "elyra_task", Arguments: map[string]any{"task": text, "mode": mode, "model": "anthropic/claude-sonnet-4-5"}}
	p.SetProgressToken(token)
	return s.CallTool(ctx, p)
}

// awaitReport waits for a report of a call, and returns the first whose text has that in it.
func awaitReport(t *testing.T, told <-chan *sdk.ProgressNotificationParams, token, want string) {
	t.Helper()
	for {
		if p := within(t, told, want); p.ProgressToken == token && strings.Contains(p.Message, want) {
			return
		}
	}
}

// TestSDKClientDelegatesToTheAgent has tasks done, one after the other, two at once, and one that is given up.
func TestSDKClientDelegatesToTheAgent(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		r := newAgentRig(t)
		told := make(chan *sdk.ProgressNotificationParams, 1000)
		s := r.open(version, told)
		agentTools(t, s, version)
		agentResources(t, s)

		began := time.Now()
		read, err := task(t.Context(), s, "read", "what does the note say", "read-only")
		if err != nil || read.IsError || !strings.Contains(text(read), "It says hello.") {
			t.Fatalf("%v, %+v", err, read)
		}
		awaitReport(t, told, "read", "read note.txt")
		t.Logf("a task: %v", time.Since(began))
		conforms(t, s, "elyra_task", version, read)
		made, err := task(t.Context(), s, "edit", "make a file", "edit")
		if err != nil || made.IsError || !strings.Contains(text(made), "- made.txt (created)\n- ran.txt (created)") {
			t.Errorf("%v, %s", err, text(made))
		}
		conforms(t, s, "elyra_task", version, made)
		reviewed := call(t, s, "elyra_review", `{}`)
		if reviewed.IsError || !strings.Contains(text(reviewed), "bug.go:1: it panics.") {
			t.Error(text(reviewed))
		}
		conforms(t, s, "elyra_review", version, reviewed)
		if r := call(t, s, "elyra_task", `{"task":"x","model":"anthropic/claude-nonsense-9"}`); !r.IsError || !strings.Contains(text(r), "there is none of this name") {
			t.Errorf("an unknown model: %s", text(r))
		}
		atOnce(t, s, told)
		r.givenUp(s)
	})
}

// TestSDKClientIsGivenNoEdit starts the agent with --read-only.
func TestSDKClientIsGivenNoEdit(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		r := &agentRig{t: t, home: t.TempDir(), project: t.TempDir()}
		r.environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home}
		s := r.open(version, make(chan *sdk.ProgressNotificationParams, 100), "--read-only")
		for tool, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			if schema, err := json.Marshal(tool.InputSchema); err != nil || strings.Contains(string(schema), `"edit"`) || !tool.Annotations.ReadOnlyHint {
				t.Errorf("%s offers to edit: %v %s", tool.Name, err, schema)
			}
		}
		if r := call(t, s, "elyra_task", `{"task":"x","mode":"edit"}`); !r.IsError || !strings.Contains(text(r), "--read-only") {
			t.Error(text(r))
		}
	})
}

func agentTools(t *testing.T, s *sdk.ClientSession, version string) {
	t.Helper()
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatal(list, err)
	}
	for i, want := range []string{"elyra_decisions", "elyra_review", "elyra_task"} {
		tool := list.Tools[i]
		if tool.Name != want || tool.Annotations.ReadOnlyHint == (want == "elyra_task") || (tool.OutputSchema != nil) != mcp.AtLeast(version, mcp.V2025_06_18) {
			t.Errorf("%+v", tool)
		}
	}
}

func agentResources(t *testing.T, s *sdk.ClientSession) {
	t.Helper()
	const uri = "elyra://decisions/docs/adr/0001-go.md"
	if r := call(t, s, "elyra_decisions", `{}`); r.IsError || !strings.Contains(text(r), "Use Go (accepted)") {
		t.Error(text(r))
	}
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != uri {
		t.Errorf("%v, %+v", err, list)
	}
	read, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil || !strings.Contains(read.Contents[0].Text, "It is plain.") {
		t.Errorf("%v, %+v", err, read)
	}
}

// conforms holds a result against the tool's output schema, where results have data.
func conforms(t *testing.T, s *sdk.ClientSession, tool, version string, r *sdk.CallToolResult) {
	t.Helper()
	if (r.StructuredContent != nil) != mcp.AtLeast(version, mcp.V2025_06_18) {
		t.Errorf("%s: data %v", tool, r.StructuredContent)
	}
	if r.StructuredContent == nil {
		return
	}
	for described, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if described.Name != tool {
			continue
		}
		text, err := json.Marshal(described.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := mcpschema.CompileSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(r.StructuredContent); err != nil {
			t.Errorf("%s: the result is not what the schema says: %v", tool, err)
		}
	}
}

// atOnce calls twice at once.
func atOnce(t *testing.T, s *sdk.ClientSession, told <-chan *sdk.ProgressNotificationParams) {
	t.Helper()
	first := make(chan string, 1)
	go func() {
		r, err := task(t.Context(), s, "first", "the first of two", "read-only")
		if err != nil {
			first <- err.Error()
			return
		}
		first <- text(r)
	}()
	awaitReport(t, told, "first", "at work")
	second, err := task(t.Context(), s, "second", "the second of two", "read-only")
	if one := within(t, first, "the first answer"); err != nil || !strings.Contains(one, "First.") || !strings.Contains(text(second), "Second.") {
		t.Errorf("%v, %s, %+v", err, one, second)
	}
	awaitReport(t, told, "second", "1 is before this one")
}

// givenUp cancels a task whose command does not want to end.
func (r *agentRig) givenUp(s *sdk.ClientSession) {
	t := r.t
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := task(ctx, s, "stubborn", "be stubborn", "edit")
		failed <- err
	}()
	var pids []int
	for _, name := range []string{"child.pid", "shell.pid"} {
		path := filepath.Join(r.project, name)
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			content, _ := os.ReadFile(path)
			if pid, err := strconv.Atoi(strings.TrimSpace(string(content))); err == nil {
				pids = append(pids, pid)
				break
			}
			if time.Now().After(end) {
				t.Fatal("the command does not run")
			}
		}
	}
	began := time.Now()
	cancel()
	if err := within(t, failed, "the end of the call"); err == nil {
		t.Error("a call that was given up was answered")
	}
	for _, pid := range pids {
		for alive(pid) && time.Since(began) < 10*time.Second {
			time.Sleep(5 * time.Millisecond)
		}
	}
	took := time.Since(began)
	t.Logf("cancel → all gone: %v", took)
	if took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	after, err := task(t.Context(), s, "after", "and after that", "read-only")
	if err != nil || !strings.Contains(text(after), "Free again.") {
		t.Errorf("%v, %+v", err, after)
	}
}

// alive reports a process that has not ended. One that has ended and that nobody has asked about does not count.
func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}
