package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// bench is a project with its tools.
type bench struct {
	*testing.T
	dir     string
	env     Env
	tools   map[string]Tool
	changed map[string]string // what files were before; "-" for absent ones
}

func newBench(t *testing.T, change func(*Env)) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, changed: map[string]string{}, tools: map[string]Tool{}}
	b.dir = filepath.Join(dir, "project")
	b.env = Env{
		Dir: b.dir, UserHome: filepath.Join(dir, "user"), Home: filepath.Join(dir, "user", ".elyra", "agent"),
		Overflow: filepath.Join(dir, "overflow"), Environ: os.Environ(),
		Changed: func(path string, before []byte, existed bool) {
			rel, err := filepath.Rel(b.dir, path)
			if err != nil {
				t.Error(err)
			}
			if b.changed[filepath.ToSlash(rel)] = string(before); !existed {
				b.changed[filepath.ToSlash(rel)] = "-"
			}
		},
	}
	if change != nil {
		change(&b.env)
	}
	for _, folder := range []string{b.dir, b.env.UserHome} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.start()
	return b
}

// start begins a session.
func (b *bench) start() {
	for _, tool := range New(b.env) {
		b.tools[tool.Spec().Name] = tool
	}
}

// file writes a file of the project.
func (b *bench) file(name, content string) string {
	b.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) content(name string) string {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(name)))
	if err != nil {
		b.Fatal(err)
	}
	return string(data)
}

// args writes arguments: names and values in turn.
func args(pairs ...any) jsontext.Value {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}

func edit(old, replacement string) []map[string]any {
	return []map[string]any{{"oldText": old, "newText": replacement}}
}

// run runs a tool as the loop does: with the paths that permission was asked about.
func (b *bench) run(tool string, pairs ...any) Output {
	b.Helper()
	a := args(pairs...)
	paths, _ := b.tools[tool].Paths(a)
	out, err := b.tools[tool].Run(context.Background(), Call{Arguments: a, Paths: paths})
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// ok runs a tool that must not fail.
func (b *bench) ok(tool string, pairs ...any) Output {
	b.Helper()
	out := b.run(tool, pairs...)
	if out.IsError {
		b.Fatalf("%s failed: %s", tool, out.Text)
	}
	return out
}

// fails runs a tool that must fail and say so.
func (b *bench) fails(says, tool string, pairs ...any) {
	b.Helper()
	if out := b.run(tool, pairs...); !out.IsError || !strings.Contains(out.Text, says) {
		b.Errorf("%s: %v %q, want a failure with %q", tool, out.IsError, out.Text, says)
	}
}

// equal compares a text.
func (b *bench) equal(got, want string) {
	b.Helper()
	if got != want {
		b.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(e *Env) { e.Sandbox = &Sandbox{} })
	for _, tool := range New(b.env) {
		s := tool.Spec()
		var schema struct {
			Type       string                     `json:"type"`
			Closed     *bool                      `json:"additionalProperties"`
			Properties map[string]json.RawMessage `json:"properties"`
			Required   []string                   `json:"required"`
		}
		if err := json.Unmarshal(s.InputSchema, &schema); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if schema.Type != "object" || schema.Closed == nil || *schema.Closed || len(s.Description) < 100 {
			t.Errorf("%s: %s", s.Name, s.InputSchema)
		}
		for name := range schema.Properties {
			if !strings.Contains(s.Description, name) {
				t.Errorf("%s: the prompt does not explain %s", s.Name, name)
			}
		}
		out := b.run(s.Name, "nonsense", 1)
		if !out.IsError || !strings.Contains(out.Text, `there is no argument "nonsense"`) {
			t.Errorf("%s: %q", s.Name, out.Text)
		}
		if got := tool.Describe(jsontext.Value(`[]`)); got != s.Name {
			t.Errorf("%s: Describe = %q", s.Name, got)
		}
	}
}

func TestNew_readOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(e *Env) { e.ReadOnly = true })
	for name, tool := range b.tools {
		if tool.Kind() != Read {
			t.Errorf("%s is of the kind %s", name, tool.Kind())
		}
	}
	if len(b.tools) != 4 {
		t.Errorf("%d tools", len(b.tools))
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for name, c := range map[string]struct{ tool, args, says string }{
		"unknown":        {"read", `{"path":"a","ofset":3}`, `there is no argument "ofset"; did you mean "offset"?; the arguments are path, offset, limit`},
		"unknown, inner": {"edit", `{"path":"a","edits":[{"old_text":"a","newText":"b"}]}`, `there is no argument "edits/0/old_text"`},
		"type":           {"read", `{"path":7}`, `the argument "path" is wrong: it cannot be a JSON number`},
		"fraction":       {"read", `{"path":"a","limit":1.5}`, `the argument "limit" is wrong`},
		"no object":      {"read", `"a"`, "no JSON object"},
		"nothing":        {"read", ``, "no JSON object"},
		"broken":         {"read", `{"path":`, "no proper JSON"},
		"twice":          {"read", `{"path":"a","path":"b"}`, "no proper JSON"},
		"low":            {"read", `{"path":"a","offset":0}`, `"offset" is 0: it must be from 1`},
		"word":           {"grep", `{"pattern":"a","mode":"file"}`, `"mode" is "file"; did you mean "files"?`},
		"no path":        {"read", `{}`, "the path is empty"},
		"no content":     {"write", `{"path":"a"}`, `"content" is missing`},
		"no edits":       {"edit", `{"path":"a","edits":[]}`, `"edits" is missing or empty`},
		"no new text":    {"edit", `{"path":"a","edits":[{"oldText":"x"}]}`, "edit 1 lacks oldText or newText"},
		"regexp":         {"grep", `{"pattern":"a("}`, "no regular expression that RE2 knows"},
		"NUL":            {"read", `{"path":"a\u0000b"}`, "NUL"},
	} {
		out, err := b.tools[c.tool].Run(context.Background(), Call{Arguments: jsontext.Value(c.args)})
		if err != nil || c.says != "" && (!out.IsError || !strings.Contains(out.Text, c.says)) {
			t.Errorf("%s: %v %q, want %q", name, err, out.Text, c.says)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	outside := filepath.Dir(b.dir)
	b.file("src/a.go", "x")
	for name, target := range map[string]string{"out": outside, "in": "src", "dangling": filepath.Join(outside, "new"), "loop": "loop", "git": ".git"} {
		if err := os.Symlink(target, filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	in := func(elem ...string) string { return filepath.Join(append([]string{b.dir}, elem...)...) }
	for name, want := range map[string]Path{
		"src/a.go":             {Path: in("src", "a.go"), Write: true},
		"src/../src/new/b.go":  {Path: in("src", "new", "b.go"), Write: true},
		in("src"):              {Path: in("src"), Write: true},
		"in/a.go":              {Path: in("src", "a.go"), Write: true},
		"out/x":                {Path: filepath.Join(outside, "x"), Write: true, Outside: true},
		"dangling":             {Path: filepath.Join(outside, "new"), Write: true, Outside: true},
		"dangling/x":           {Path: filepath.Join(outside, "new", "x"), Write: true, Outside: true},
		"../x":                 {Path: filepath.Join(outside, "x"), Write: true, Outside: true},
		"~/x":                  {Path: filepath.Join(b.env.UserHome, "x"), Write: true, Outside: true},
		"~x":                   {Path: in("~x"), Write: true},
		".git/config":          {Path: in(".git", "config"), Write: true, Deny: "it belongs to Git's own data: use git commands"},
		".GIT./x":              {Path: in(".GIT.", "x"), Write: true, Deny: "it belongs to Git's own data: use git commands"},
		"git/config":           {Path: in(".git", "config"), Write: true, Deny: "it belongs to Git's own data: use git commands"},
		"sub/.g\u200cit/x":     {Path: in("sub", ".g\u200cit", "x"), Write: true, Deny: "it belongs to Git's own data: use git commands"},
		".gitignore":           {Path: in(".gitignore"), Write: true},
		".elyra/settings.json": {Path: in(".elyra", "settings.json"), Write: true, Deny: "it belongs to the agent's settings: the user changes them"},
		"~/.elyra/agent/x":     {Path: filepath.Join(b.env.Home, "x"), Write: true, Outside: true, Deny: "it belongs to the agent's own folder"},
	} {
		got, err := b.tools["write"].Paths(args("path", name, "content", ""))
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, %v\nwant %+v", name, got, err, want)
		}
		if want.Deny != "" {
			b.fails(want.Deny, "write", "path", name, "content", "x")
		}
	}
	if _, err := b.tools["write"].Paths(args("path", "loop/x", "content", "")); err == nil {
		t.Error("a loop of links has a path")
	}
	if got, _ := b.tools["read"].Paths(args("path", filepath.Join(b.env.Overflow, "x"))); got[0].Outside {
		t.Error("what was cut is outside")
	}
	if got, _ := b.tools["read"].Paths(args("path", "~/.elyra/agent/auth.json")); got[0].Deny == "" {
		t.Error("keys may be read")
	}
}

func TestPaths_changedSincePermission(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.file("a/x", "inside")
	link := filepath.Join(b.dir, "l")
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	for tool, a := range map[string]jsontext.Value{
		"read": args("path", "l/x"), "write": args("path", "l/y", "content", "z"), "edit": args("path", "l/x", "edits", edit("a", "b")),
		"ls": args("path", "l"), "grep": args("path", "l", "pattern", "x"), "find": args("path", "l", "pattern", "x"), "bash": args("command", "cat l/x"),
	} {
		paths, err := b.tools[tool].Paths(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(b.env.UserHome, link); err != nil {
			t.Fatal(err)
		}
		out, err := b.tools[tool].Run(context.Background(), Call{Arguments: a, Paths: paths})
		if err != nil || !out.IsError || !strings.Contains(out.Text, "elsewhere than when permission was given") {
			t.Errorf("%s: %v %q", tool, err, out.Text)
		}
		os.Remove(link)
		if err := os.Symlink("a", link); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(e *Env) { e.Sandbox = &Sandbox{} })
	for _, c := range []struct {
		tool string
		args jsontext.Value
		want string
	}{
		{"read", args("path", "a.go"), "read a.go"},
		{"read", args("path", "a.go", "offset", 5, "limit", 10), "read a.go:5–14"},
		{"write", args("path", "a.go", "content", "x\ny\n"), "write a.go (2 lines)"},
		{"edit", args("path", "a.go", "edits", edit("a", "b")), "edit a.go"},
		{"edit", args("path", "a.go", "edits", append(edit("a", "b"), edit("c", "d")...)), "edit a.go (2 places)"},
		{"bash", args("command", "ls\nrm x"), "bash ls rm x"},
		{"bash", args("command", "ls", "unsandboxed", true), "bash (outside the sandbox) ls"},
		{"bash", args("command", "ls \x1b[2J\u202eabc"), "bash ls <U+202E>abc"},
		{"grep", args("pattern", "a b", "glob", "*.go"), `grep "a b" in . (*.go)`},
		{"find", args("pattern", "*.go", "path", "src"), "find *.go in src"},
		{"ls", args(), "ls ."},
		{"ls", args("path", strings.Repeat("x", 500)), "ls " + strings.Repeat("x", 200) + "…"},
	} {
		if got := b.tools[c.tool].Describe(c.args); got != c.want {
			t.Errorf("Describe(%s) = %q, want %q", c.args, got, c.want)
		}
	}
}

// posix reports whether modes, pipes and shells are those of Unix here.
func posix() bool { return runtime.GOOS != "windows" }
