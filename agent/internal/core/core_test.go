package core

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/workspace"
)

func TestMain(m *testing.M) {
	hosttest.Main()
	os.Exit(m.Run())
}

// place is a project and a home of a test.
type place struct {
	t             *testing.T
	home, project string
	environ       []string
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project")}
	p.environ = append(p.environ, "PATH="+os.Getenv("PATH"), "HOME="+p.home)
	for _, folder := range []string{filepath.Join(p.home, ".elyra", "agent"), filepath.Join(p.project, ".git")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// open opens an agent whose model follows a script.
func (p *place) open(script string, change func(*Options)) *Core {
	p.t.Helper()
	server := modeltest.Anthropic(p.t, script)
	environ := append(p.environ, "ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL="+server.URL)
	w, err := workspace.Open(p.t.Context(), workspace.Options{Environ: environ, Dir: p.project, UserHome: p.home})
	if err != nil {
		p.t.Fatal(err)
	}
	o := Options{
		Workspace: w, Environ: environ, UserHome: p.home, Version: "test", Model: "anthropic/claude-sonnet-4-5",
		Notice: func(text string) { p.t.Log("notice:", text) },
	}
	if change != nil {
		change(&o)
	}
	c, err := Open(p.t.Context(), o)
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

func (p *place) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.project, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func prompt(t *testing.T, c *Core, text string) string {
	t.Helper()
	m, err := c.Prompt(t.Context(), model.Text(text))
	if err != nil {
		t.Fatal(err)
	}
	return m.String()
}

// answers is an asker that gives the next of its choices and keeps what it was asked.
type answers struct {
	choices []permission.Choice
	asked   []string
	diffs   []string
}

func (a *answers) ask(_ context.Context, q permission.Question) (permission.Answer, error) {
	a.asked, a.diffs = append(a.asked, q.Title), append(a.diffs, q.Diff)
	if len(a.choices) == 0 {
		return permission.Answer{}, fmt.Errorf("nobody answers %q", q.Title)
	}
	next := a.choices[0]
	a.choices = a.choices[1:]
	return permission.Answer{Choice: next}, nil
}

const server = `{"mcpServers": {"demo": {"command": %q, "args": ["hosttest-server", "good"%s]}}}`

func demo(options string) string { return fmt.Sprintf(server, os.Args[0], options) }

// What is allowed for ever holds for the tool as it was: one that changes asks again, and one that does not is asked about
// once in all sessions.
func TestAnApprovalHoldsForTheToolAsItWas(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"home/.elyra/agent/mcp.json": demo("")})
	const script = `
-- reply --
call c1 mcp_search {"query": "say a text back"}
-- reply --
call c2 mcp_call {"server": "demo", "tool": "echo", "arguments": {"text": "hi"}}
-- request --
{"messages": ["...", {"content": [{"content": [{"text": "~hi"}]}]}]}
-- reply --
text "done"
`
	who := &answers{choices: []permission.Choice{permission.Forever}}
	for range 2 {
		c := p.open(script, func(o *Options) { o.Ask = who.ask })
		prompt(t, c, "echo hi")
	}
	if len(who.asked) != 1 || who.asked[0] != "demo echo" {
		t.Fatalf("asked %q", who.asked)
	}
	config := filepath.Join(p.home, ".elyra", "agent", "mcp.json")
	if err := os.WriteFile(config, []byte(demo(`, "other-words"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	who.choices = []permission.Choice{permission.Once}
	c := p.open(script, func(o *Options) { o.Ask = who.ask })
	prompt(t, c, "echo hi")
	if len(who.asked) != 2 {
		t.Errorf("a tool with another description was not asked about: %q", who.asked)
	}
}

func TestPlanModeAndUndo(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"project/note.txt": "hello\n"})
	const script = `
-- reply --
call c1 read {"path": "note.txt"}
call c2 edit {"path": "note.txt", "edits": [{"oldText": "hello", "newText": "goodbye"}]}
call c3 write {"path": "new.txt", "content": "new\n"}
-- reply --
text "done"
`
	who := &answers{choices: []permission.Choice{permission.Once, permission.Once}}
	c := p.open(script, func(o *Options) { o.Ask = who.ask })
	c.Gate.SetPlan(true)
	prompt(t, c, "change it")
	if p.read("note.txt") != "hello\n" || len(who.asked) != 0 {
		t.Errorf("plan mode: %q, asked %q", p.read("note.txt"), who.asked)
	}
	c = p.open(script, func(o *Options) { o.Ask = who.ask })
	prompt(t, c, "change it")
	if p.read("note.txt") != "goodbye\n" || len(who.asked) != 2 || len(c.Changed()) != 2 {
		t.Errorf("%q, asked %q, changed %q", p.read("note.txt"), who.asked, c.Changed())
	}
	if !strings.Contains(who.diffs[0], "-hello\n+goodbye\n") || !strings.Contains(who.diffs[1], "+new\n") {
		t.Errorf("the user was shown %q", who.diffs)
	}
	undone, err := c.Undo()
	if err != nil || len(undone) != 2 || p.read("note.txt") != "hello\n" {
		t.Errorf("undone %q, %v: %q", undone, err, p.read("note.txt"))
	}
	if _, err := os.Stat(filepath.Join(p.project, "new.txt")); err == nil {
		t.Error("a file that was made is still there")
	}
	if _, err := c.Undo(); err == nil {
		t.Error("there was nothing left to take back")
	}
}

func TestTheUsersStopEndsTheWork(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	who := &answers{choices: []permission.Choice{permission.Stop}}
	c := p.open("-- reply --\ncall c1 bash {\"command\": \"rm -rf x\"}\n", func(o *Options) { o.Ask = who.ask })
	if _, err := c.Prompt(t.Context(), model.Text("go")); err == nil || !strings.Contains(err.Error(), "stopped by the user") {
		t.Errorf("error %v", err)
	}
}

func TestASessionGoesOn(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	t.Run("first", func(t *testing.T) { // Its agent is closed at its end.
		first := *p
		first.t = t
		prompt(t, first.open("-- reply --\ntext \"first\"\n", nil), "one")
	})
	const again = `
-- request --
{"messages": [{"content": [{"text": "one"}]}, {"role": "assistant", "content": [{"text": "first"}]}, {"content": [{"text": "two"}]}]}
-- reply --
text "second"
`
	c := p.open(again, func(o *Options) { o.Session.Continue = true })
	if got := prompt(t, c, "two"); got != "second" || c.Totals().Requests != 2 {
		t.Errorf("%q, %+v", got, c.Totals())
	}
}

func TestWithoutAModel(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"home/.elyra/agent/settings.json": `{"providers": {"mine": {"baseUrl": "http://127.0.0.1:9/v1", "models": [{"id": "m"}]}}}`})
	w, err := workspace.Open(t.Context(), workspace.Options{Environ: p.environ, Dir: p.project, UserHome: p.home})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"":                            "set ANTHROPIC_API_KEY or OPENAI_API_KEY",
		"anthropic/claude-sonnet-4-5": "there is no key; set ANTHROPIC_API_KEY",
		"anthropic/claude-nonsense":   "there is none of this name",
	} {
		if _, err := Open(t.Context(), Options{Workspace: w, Environ: p.environ, UserHome: p.home, Model: name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	c, err := Open(t.Context(), Options{Workspace: w, Environ: p.environ, UserHome: p.home, Model: "mine/m"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnAgentThatReadsHasNothingElse(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"home/.elyra/agent/mcp.json": demo("")})
	c := p.open("-- reply --\ntext \"x\"\n", func(o *Options) { o.ReadOnly = true })
	var names []string
	for _, tool := range c.tools {
		names = append(names, tool.Spec().Name)
	}
	if got := strings.Join(names, " "); got != "read grep find ls" || c.Host != nil {
		t.Errorf("tools %s", got)
	}
	prompt(t, c, "x")
}
