package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/permission"
	sessions "github.com/elyra-go/elyra/agent/internal/session"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
)

// parent is an agent in a project, whose children are whole programs and whose user answers.
type parent struct {
	t             *testing.T
	home, project string
	environ       []string
	choice        permission.Choice // of the user, at each question

	mu    sync.Mutex
	asked []string
}

// newParent makes a project with a note, a user with MCP servers, and a model that follows a script.
func newParent(t *testing.T, servers, script string) *parent {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &parent{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), choice: permission.Once}
	for name, text := range map[string]string{
		"home/.elyra/agent/settings.json": `{"sandbox":"off"}`, "home/.elyra/agent/mcp.json": servers,
		"project/.git/HEAD": "ref: refs/heads/main\n", "project/note.txt": "hello\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	url := modeltest.Anthropic(t, "prefix: free\norder: any\n"+script).URL
	p.environ = []string{
		"HOME=" + p.home, "USERPROFILE=" + p.home, "PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=k",
	}
	return p
}

// open opens the agent.
func (p *parent) open() *core.Core {
	p.t.Helper()
	elyra, err := exec.LookPath("elyra") // what TestMain has put there
	if err != nil {
		p.t.Fatal(err)
	}
	w, err := workspace.Open(p.t.Context(), workspace.Options{Environ: p.environ, Dir: p.project, UserHome: p.home})
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := core.Open(p.t.Context(), core.Options{
		Workspace: w, Environ: p.environ, UserHome: p.home, Version: "1", Executable: elyra, Model: "anthropic/claude-sonnet-4-5",
		Ask: func(_ context.Context, q permission.Question) (permission.Answer, error) {
			p.note(q.Title + ", " + strings.Join(q.Lines, ", ") + q.Diff)
			return permission.Answer{Choice: p.choice}, nil
		},
		Elicit: func(_ context.Context, server string, e mcp.ElicitParams) (mcp.ElicitResult, error) {
			p.note(server + ": " + e.Message)
			return mcp.ElicitResult{Action: mcp.ElicitAccept}, nil
		},
		Notice: func(text string) { p.t.Log("notice:", text) },
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return c
}

func (p *parent) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, text)
}

// has holds a file of the project against what it should be, "" for no file.
func (p *parent) has(name, want string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.project, name))
	if string(text) != want || (err == nil) != (want != "") {
		p.t.Errorf("%s holds %q, %v", name, text, err)
	}
}

// server is the configuration of a server, which notes its starts in a file.
func server(behaviour string) string {
	return fmt.Sprintf(`{"mcpServers": {"demo": {"command": "mcp-server", "args": ["hosttest-server", %q, "starts=starts.txt"]}}}`, behaviour)
}

// A worker's files are part of its parent's turn: the user was asked about each, they are named, and taken back by /undo. What
// it said is in a session of its own, which the list of sessions does not show.
func TestAWorkersChangesAreItsParents(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- request --
{"messages": [{"content": [{"text": "do it"}]}]}
-- reply --
call c1 agent {"task": "change the note", "role": "work"}
usage input=1000 output=10
-- request --
{"tools": [{"name": "read"}, {"name": "bash"}, {"name": "edit"}, {"name": "write"}, {"name": "grep"}, {"name": "find"}, {"name": "ls"}, {"name": "fetch"}], "messages": [{"content": [{"text": "change the note"}]}]}
-- reply --
call a1 read {"path": "note.txt"}
call a2 edit {"path": "note.txt", "edits": [{"oldText": "hello", "newText": "goodbye"}]}
call a3 bash {"command": "echo made > made.txt"}
call a4 write {"path": ".git/config", "content": "x"}
usage input=1000 output=10
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "a1"}, {"tool_use_id": "a2", "content": [{"text": "~^edited note.txt"}]}, {"tool_use_id": "a3"}, {"is_error": true, "content": [{"text": "~belongs to Git"}]}]}]}
-- reply --
text "It is changed."
usage input=1000 output=10
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c1", "content": [{"text": "~^It is changed.\n\nChanged files:\n- made.txt \\(created\\)\n- note.txt \\(modified\\)\n\n\\(2 requests to the model, \\$0.0063; session [0-9a-f]{16}\\)$"}]}]}]}
-- reply --
text "Done."
usage input=1000 output=10
`)
	c := p.open()
	if _, err := c.Prompt(t.Context(), model.Text("do it")); err != nil {
		t.Fatal(err)
	}
	p.has("note.txt", "goodbye\n")
	p.has("made.txt", "made\n")
	if len(p.asked) != 2 || !strings.HasPrefix(p.asked[0], "edit note.txt, for an agent (work) at work on: change the note") || !strings.Contains(p.asked[0], "+goodbye") ||
		!strings.Contains(p.asked[1], "for an agent (work) at work on: change the note") {
		t.Errorf("the user was asked %q", p.asked)
	}
	if got := c.Totals(); got.Usage.Input != 4000 || got.Cost < 0.0125 || len(c.Changed()) != 2 {
		t.Errorf("%+v, changed %q", got, c.Changed())
	}
	childOf(t, p, c)
	undone, err := c.Undo()
	if err != nil || len(undone) != 2 {
		t.Errorf("undone %q, %v", undone, err)
	}
	p.has("note.txt", "hello\n")
	p.has("made.txt", "")
}

// childOf looks at the session of the only child.
func childOf(t *testing.T, p *parent, c *core.Core) {
	t.Helper()
	d, err := home.Open(filepath.Join(p.home, ".elyra", "agent"))
	if err != nil {
		t.Fatal(err)
	}
	store := sessions.New(d, sessions.Options{})
	own, err := store.List(p.project)
	if err != nil || len(own) != 1 || own[0].Header.ID != c.Session.ID() || own[0].Sum.Cost < 0.0125 {
		t.Errorf("listed %+v, %v", own, err)
	}
	var linked []sessions.Entry
	for _, e := range c.Session.Branch() {
		if e.Kind == sessions.KindChild {
			linked = append(linked, e)
		}
	}
	if len(linked) != 1 || linked[0].Text != "an agent (work) at work on: change the note" {
		t.Fatalf("linked %+v", linked)
	}
	found, err := store.Find(linked[0].Target)
	if err != nil || found.Header.Owner != c.Session.ID() || found.Prompt != "change the note" || found.Sum.Cost < 0.006 {
		t.Fatalf("the child %+v, %v", found, err)
	}
	child, err := store.Open(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	if h := child.History(); len(h) != 4 || h[3].String() != "It is changed." {
		t.Errorf("the child said %+v", h)
	}
	if err := child.Close(); err != nil {
		t.Error(err)
	}
}

// A user who stops at a child's question ends the child and the turn.
func TestAStopAtAChildsQuestionEndsTheTurn(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- request --
{"messages": [{"content": [{"text": "go"}]}]}
-- reply --
call c1 agent {"task": "remove it", "role": "work"}
call c2 bash {"command": "rm -rf x"}
-- request --
{"messages": [{"content": [{"text": "remove it"}]}]}
-- reply --
call a1 bash {"command": "rm -rf y"}
`)
	p.choice = permission.Stop
	c := p.open()
	_, err := c.Prompt(t.Context(), model.Text("go"))
	if !errors.Is(err, loop.ErrStop) || len(p.asked) != 1 {
		t.Errorf("%v, asked %q", err, p.asked)
	}
	last := c.History()[len(c.History())-1]
	if len(last.Content) != 2 || !strings.Contains(last.Content[0].Result.Content[0].Text, "stopped by the user") ||
		!strings.Contains(last.Content[1].Result.Content[0].Text, "stopped the work before this call ran") {
		t.Errorf("%+v", last)
	}
}

// A server's question says which child's call it is about, whichever way the server asks.
func TestAServersQuestionNamesTheChild(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"good", "legacy"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			p := newParent(t, server(behaviour), `
-- request --
{"messages": [{"content": [{"text": "go"}]}]}
-- reply --
call c1 agent {"task": "get permission", "role": "work"}
-- request --
{"messages": [{"content": [{"text": "get permission"}]}]}
-- reply --
call a1 mcp_call {"server": "demo", "tool": "ask"}
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "a1", "content": [{"text": "~the answer is accept"}]}]}]}
-- reply --
text "I may."
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c1"}]}]}
-- reply --
call c2 mcp_call {"server": "demo", "tool": "ask"}
-- request --
{"messages": ["...", {"content": [{"tool_use_id": "c2"}]}]}
-- reply --
text "Good."
`)
			if _, err := p.open().Prompt(t.Context(), model.Text("go")); err != nil {
				t.Fatal(err)
			}
			want := []string{"demo ask, {}, for an agent (work) at work on: get permission", "demo: (for an agent (work) at work on: get permission)\nMay I?", "demo ask, {}", "demo: May I?"}
			if fmt.Sprint(p.asked) != fmt.Sprint(want) {
				t.Errorf("the user was asked %q", p.asked)
			}
		})
	}
}

// In plan mode there are only children that plan.
func TestPlanModeHasNoWorkers(t *testing.T) {
	t.Parallel()
	p := newParent(t, `{}`, `
-- reply --
call c1 agent {"task": "change it", "role": "work"}
-- request --
{"messages": ["...", {"content": [{"is_error": true, "content": [{"text": "~plan mode is on.*only agents of the role plan"}]}]}]}
-- reply --
text "A plan."
`)
	c := p.open()
	c.Gate.SetPlan(true)
	if _, err := c.Prompt(t.Context(), model.Text("go")); err != nil || len(p.asked) > 0 {
		t.Errorf("%v, asked %q", err, p.asked)
	}
}
