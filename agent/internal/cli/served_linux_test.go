package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcpclient"
)

// served is the whole program as a server for a host, in a project that defines a server itself.
type served struct {
	*mcpclient.Client
	p    *parent
	tell func(text string) // gets what is said of a task

	mu  sync.Mutex
	cmd *exec.Cmd
}

func (p *parent) serve() *served {
	p.t.Helper()
	config := server("good")
	if err := os.WriteFile(filepath.Join(p.project, ".mcp.json"), []byte(config), 0o600); err != nil {
		p.t.Fatal(err)
	}
	s := &served{p: p, tell: func(string) {}}
	command := func() *exec.Cmd {
		cmd := exec.Command("elyra", "--mode", "mcp", "--trust-project", "--allow", "mcp:demo/*", "--model", "anthropic/claude-sonnet-4-5")
		cmd.Dir, cmd.Env = p.project, p.environ
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cmd = cmd
		return cmd
	}
	var err error
	if s.Client, err = mcpclient.Connect(p.t.Context(), mcpclient.Command(command, mcpclient.CommandOptions{}), mcpclient.Options{}); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { s.Close() }) //nolint:errcheck // One test has killed it.
	return s
}

// pid is that of the program at work.
func (s *served) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cmd.Process.Pid
}

// task runs one and returns what its result says.
func (s *served) task(ctx context.Context, arguments map[string]any) (string, error) {
	arguments["mode"] = "edit"
	r, err := s.CallTool(ctx, "elyra_task", arguments, mcpclient.CallOptions{
		Timeout: 30 * time.Second, Progress: func(_, _ float64, text string) { s.tell(text) },
	})
	if err != nil {
		return "", err
	}
	return r.Content[0].Text, nil
}

// waits starts a task that waits in a call of the server, and returns when that reports progress. Done gets the task's end.
func (s *served) waits(ctx context.Context) (server int, session string, done <-chan error) {
	s.p.t.Helper()
	began := make(chan string, 1)
	s.tell = func(text string) {
		if found := sessionID.FindStringSubmatch(text); found != nil {
			session = found[1]
		}
		if strings.HasPrefix(text, "mcp_call demo wait") {
			select {
			case began <- session:
			default:
			}
		}
	}
	ended := make(chan error, 1)
	go func() {
		text, err := s.task(ctx, map[string]any{"task": "wait for it"})
		if err == nil {
			s.p.t.Errorf("a task that was cut off was answered: %q", text)
		}
		ended <- err
	}()
	session = <-began
	for {
		text, _ := os.ReadFile(filepath.Join(s.p.project, "starts.txt"))
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			server = pid
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for grown, last := 0, ""; grown < 6; time.Sleep(50 * time.Millisecond) { // It writes a line every 20 ms then.
		counts, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", server))
		if err != nil {
			s.p.t.Fatal(err)
		}
		written := writtenBytes.FindString(string(counts))
		if grown++; written == last {
			grown = 0
		}
		last = written
	}
	return server, session, ended
}

var (
	sessionID    = regexp.MustCompile(`session ([0-9a-f]{16})`)
	writtenBytes = regexp.MustCompile(`wchar: \d+`)
)

// A task that may edit uses the servers of a trusted project. A server that asks gets a no at once, because nobody is there.
func TestAServedTaskUsesTheProjectsServers(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- request --
{"tools": ["...", {"name": "agent"}, {"name": "mcp_search"}, {"name": "mcp_call"}], "messages": [{"content": [{"text": "use it"}]}]}
-- reply --
call c1 mcp_call {"server": "demo", "tool": "echo", "arguments": {"text": "said back"}}
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c1", "content": [{"text": "~said back"}]}]}]}
-- reply --
call c2 mcp_call {"server": "demo", "tool": "ask"}
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c2", "content": [{"text": "~the answer is decline"}]}]}]}
-- reply --
text "Nobody allowed it."
`)
	s := p.serve()
	began := time.Now()
	text, err := s.task(t.Context(), map[string]any{"task": "use it"})
	if err != nil || !strings.HasPrefix(text, "Nobody allowed it.") {
		t.Errorf("%q, %v", text, err)
	}
	t.Logf("a task with a declined question took %v", time.Since(began))
	started, err := strconv.Atoi(p.starts())
	if err != nil {
		t.Fatalf("one server: %v", err)
	}
	gone(t, started) // with its task
}

// A host that cancels a task cancels the call that it is at: the server is told, and the next task runs.
func TestACancelledTaskCancelsItsCall(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- request --
{"messages": [{"content": [{"text": "wait for it"}]}]}
-- reply --
call c1 mcp_call {"server": "demo", "tool": "wait"}
-- request --
{"messages": [{"content": [{"text": "go on"}]}]}
-- reply --
text "Next."
`)
	s := p.serve()
	ctx, cancel := context.WithCancel(t.Context())
	server, _, done := s.waits(ctx)
	cancel()
	<-done
	p.cancelled()
	gone(t, server) // with its task
	if text, err := s.task(t.Context(), map[string]any{"task": "go on"}); err != nil || !strings.HasPrefix(text, "Next.") {
		t.Errorf("%q, %v", text, err)
	}
}

// A reply to a task whose server was killed goes on in its session, in another process.
func TestAReplyAfterARestart(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- request --
{"messages": [{"content": [{"text": "wait for it"}]}]}
-- reply --
call c1 mcp_call {"server": "demo", "tool": "wait"}
-- request --
{"messages": [{"content": [{"text": "wait for it"}]}, {"role": "assistant"}, {"content": [{"tool_use_id": "c1", "is_error": true, "content": [{"text": "~did not run to its end"}]}]}, {"content": [{"text": "and now?"}]}]}
-- reply --
text "It goes on."
`)
	s := p.serve()
	server, session, done := s.waits(t.Context())
	process, err := os.FindProcess(s.pid())
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-done
	gone(t, server)
	next := p.serve()
	text, err := next.task(t.Context(), map[string]any{"task": "and now?", "session": session})
	if err != nil || !strings.HasPrefix(text, "It goes on.") || !strings.Contains(text, session) {
		t.Errorf("%q, %v", text, err)
	}
}
