package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// world makes a user's home with a project in it and returns options for both; the project is trusted. A file's name
// begins with ~ or with the project's folder, "project"; PROJECT in a text is that folder's path.
func world(t testing.TB, files map[string]string) Options {
	t.Helper()
	user, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	o := Options{
		UserHome: user, AgentHome: filepath.Join(user, ".elyra", "agent"), Project: filepath.Join(user, "work", "project"),
		Getenv: environment(nil), Trusted: true, GOOS: runtime.GOOS,
	}
	must(t, os.MkdirAll(o.Project, 0o700))
	for name, text := range files {
		write(t, o, name, text)
	}
	return o
}

func (o Options) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(o.UserHome, filepath.FromSlash(rest))
	}
	return filepath.Join(filepath.Dir(o.Project), filepath.FromSlash(name))
}

func write(t testing.TB, o Options, name, text string) {
	t.Helper()
	path := o.at(name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "PROJECT", filepath.ToSlash(o.Project))), 0o600))
}

func environment(values map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

// summary lists servers as "name=command or URL".
func summary(set Set) string {
	var texts []string
	for _, s := range set.Servers {
		texts = append(texts, s.Name+"="+s.Command+s.URL)
	}
	return strings.Join(texts, " ")
}

// messages lists problems without the folder of their file.
func (o Options) messages(set Set) []string {
	var list []string
	for _, p := range set.Problems {
		text := strings.ReplaceAll(p.String(), o.Project, "project")
		list = append(list, filepath.ToSlash(strings.ReplaceAll(text, o.UserHome, "~")))
	}
	return list
}

func servers(member string, pairs ...string) string {
	var entries []string
	for i := 0; i < len(pairs); i += 2 {
		entries = append(entries, fmt.Sprintf("%q: {\"command\": %q}", pairs[i], pairs[i+1]))
	}
	return fmt.Sprintf("{%q: {%s}}", member, strings.Join(entries, ", "))
}

func TestLaterFilesWin(t *testing.T) {
	t.Parallel()
	names := []string{
		"~/.claude.json", "~/.cursor/mcp.json", "~/.elyra/agent/mcp.json",
		"project/.vscode/mcp.json", "project/.cursor/mcp.json", "project/.mcp.json", "project/.elyra/mcp.json",
	}
	files := map[string]string{}
	for i, name := range names {
		member := "mcpServers"
		if strings.Contains(name, "vscode") {
			member = "servers"
		}
		// Server s<n> is in the first n+1 files, so the n-th wins.
		var pairs []string
		for n := i; n < len(names); n++ {
			pairs = append(pairs, fmt.Sprintf("s%d", n), fmt.Sprintf("c%d", i))
		}
		files[name] = servers(member, pairs...)
	}
	o := world(t, files)
	set := Load(t.Context(), o)
	if got, want := summary(set), "s0=c0 s1=c1 s2=c2 s3=c3 s4=c4 s5=c5 s6=c6"; got != want {
		t.Errorf("servers: %s, want %s", got, want)
	}
	for i, f := range set.Files {
		scope := User
		if i > 2 {
			scope = Project
		}
		if f.Path != o.at(names[i]) || f.Scope != scope || f.Status != Read || f.Servers != len(names)-i {
			t.Errorf("file %d: %+v", i, f)
		}
	}
	if s := set.Servers[3]; s.File != o.at(names[3]) || s.Line != 1 || s.Scope != Project {
		t.Errorf("where it is from: %+v", s)
	}
}

func TestAnUntrustedProjectDefinesNothing(t *testing.T) {
	t.Parallel()
	o := world(t, map[string]string{
		"~/.cursor/mcp.json": servers("mcpServers", "mine", "m"),
		"project/.mcp.json":  servers("mcpServers", "theirs", "t", "mine", "t"),
	})
	o.Trusted = false
	set := Load(t.Context(), o)
	if got := summary(set); got != "mine=m" {
		t.Errorf("servers: %s", got)
	}
	for _, f := range set.Files {
		switch f.Path {
		case o.at("project/.mcp.json"):
			if f.Status != Skipped || !strings.Contains(f.Reason, "--trust-project") {
				t.Errorf("%+v", f)
			}
		case o.at("~/.cursor/mcp.json"):
			if f.Status != Read {
				t.Errorf("%+v", f)
			}
		default:
			if f.Status != Missing {
				t.Errorf("%+v", f)
			}
		}
	}
	o.Project = ""
	if set := Load(t.Context(), o); len(set.Files) != 3 {
		t.Errorf("without a project there are %d files, want 3", len(set.Files))
	}
}

func TestTheHomeAsProject(t *testing.T) {
	t.Parallel()
	o := world(t, map[string]string{
		"~/.cursor/mcp.json": servers("mcpServers", "mine", "m"),
		"~/.mcp.json":        servers("mcpServers", "theirs", "t"),
	})
	o.Project, o.Trusted = o.UserHome, false
	set := Load(t.Context(), o)
	if got := summary(set); got != "mine=m" || len(set.Files) != 6 || set.Servers[0].Scope != User {
		t.Errorf("servers %s, files %+v", got, set.Files)
	}
	if _, lines, err := ProjectHash(o); err != nil || len(lines) != 1 {
		t.Errorf("%q %v: the user's own file needs no trust", lines, err)
	}
}

func TestClaudeCodeProjects(t *testing.T) {
	t.Parallel()
	const file = `{"mcpServers": {"top": {"command": "t"}, "both": {"command": "t"}}, "projects": {
		"KEY": {"mcpServers": {"here": {"command": "h"}, "both": {"command": "h"}}},
		"/somewhere/else": {"mcpServers": {"there": {"command": "e"}}}}}`
	tests := []struct {
		name string
		key  func(t *testing.T, o Options) string
		want string
	}{
		{"the same path", func(*testing.T, Options) string { return "PROJECT" }, "both=h here=h top=t"},
		{"a slash at the end", func(*testing.T, Options) string { return "PROJECT/" }, "both=h here=h top=t"},
		{"detours", func(*testing.T, Options) string { return "PROJECT/../project/." }, "both=h here=h top=t"},
		{"a link to the project", func(t *testing.T, o Options) string {
			must(t, os.Symlink(o.Project, o.at("~/link")))
			return filepath.ToSlash(o.at("~/link")) + "/"
		}, "both=h here=h top=t"},
		{"its parent", func(*testing.T, Options) string { return "PROJECT/.." }, "both=t top=t"},
		{"relative", func(*testing.T, Options) string { return "project" }, "both=t top=t"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, nil)
			write(t, o, "~/.claude.json", strings.Replace(file, "KEY", test.key(t, o), 1))
			set := Load(t.Context(), o)
			if got := summary(set); got != test.want {
				t.Errorf("servers: %s, want %s; problems %q", got, test.want, o.messages(set))
			}
		})
	}
	t.Run("started through a link", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"~/.claude.json": strings.Replace(file, "KEY", "PROJECT", 1)})
		must(t, os.Symlink(o.Project, o.at("~/link")))
		o.Project = o.at("~/link") + string(filepath.Separator)
		if got := summary(Load(t.Context(), o)); got != "both=h here=h top=t" {
			t.Errorf("servers: %s", got)
		}
	})
}

// TestALargeFileIsReadTheSame reads a file whose history is blanked before it is parsed.
func TestALargeFileIsReadTheSame(t *testing.T) {
	t.Parallel()
	history := strings.Repeat(`{"display":"é \"mcpServers\": {","n":[1,2]},`+"\n", 3000) + "1"
	for _, comment := range []string{"", "// not strict\n"} {
		o := world(t, map[string]string{"~/.claude.json": comment + `{"history": [` + history + `], "mcpServers": {"a": {"command": "c"}, "x": 1},
			"projects": {"/else": {"history": [` + history + `]}, "PROJECT": {"history": [], "servers": {"no": {}}, "mcpServers": {"b": {"command": "d"}}}}}`})
		set := Load(t.Context(), o)
		if got := summary(set); got != "a=c b=d" {
			t.Errorf("servers: %s", got)
		}
		line := 3001 + strings.Count(comment, "\n")
		want := fmt.Sprintf("~/.claude.json:%d:48: mcpServers.x: expected an object, found a number", line)
		if got := o.messages(set); len(got) != 1 || got[0] != want {
			t.Errorf("problems: %q, want %q", got, want)
		}
	}
}

func TestTolerantJSON(t *testing.T) {
	t.Parallel()
	o := world(t, map[string]string{
		"~/.cursor/mcp.json": "\ufeff// before\n{\n  /* between */ \"mcpServers\": {\n    \"a\": {\"command\": \"c\",}, // after\n  },\n}\n// end",
		"project/.mcp.json":  "",
	})
	set := Load(t.Context(), o)
	if summary(set) != "a=c" || len(set.Problems) != 0 || set.Servers[0].Line != 4 {
		t.Errorf("%s %+v", summary(set), set.Problems)
	}
}

func TestABrokenFileCostsNoOther(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000)
	tests := []struct{ name, text, want string }{
		{"cut", "{\n  \"mcpServers\": {\n", "~/.cursor/mcp.json:3:1: the file is no JSON: "},
		{"no comma", "{\"é\": 1\n \"b\": 2}", "~/.cursor/mcp.json:2:2: the file is no JSON: "},
		{"no object", "\n []", "~/.cursor/mcp.json:2:2: expected an object, found an array"},
		{"deep", deep, "~/.cursor/mcp.json:1:201: the file nests values deeper than 200 levels"},
		{"hidden deep", `{"a": "\"[", /* [ */ "b": ` + deep, "deeper than 200 levels"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "~/.cursor/mcp.json:1:1: the file is not UTF-8"},
		{"no servers", `{"mcpServers": []}`, "~/.cursor/mcp.json:1:16: mcpServers: expected an object of servers by name, found an array"},
		{"VS Code's word", `{"servers": {"a": {"command": "c"}}}`, "~/.cursor/mcp.json:1:13: servers is not read in a file of Cursor: call it mcpServers"},
		{"huge", strings.Repeat(" ", maxFile+1), "longer than 1 MiB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{
				"~/.cursor/mcp.json": test.text,
				"project/.mcp.json":  servers("mcpServers", "good", "g"),
			})
			set := Load(t.Context(), o)
			if got := o.messages(set); len(got) != 1 || !strings.Contains(got[0], test.want) {
				t.Errorf("problems %q, want one with %q", got, test.want)
			}
			if got := summary(set); got != "good=g" {
				t.Errorf("servers: %s", got)
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"~/.cursor/mcp.json/x": "", "project/.mcp.json": servers("mcpServers", "good", "g")})
		if set := Load(t.Context(), o); summary(set) != "good=g" || set.Files[1].Status != Broken || len(set.Problems) != 1 {
			t.Errorf("%+v", set)
		}
	})
}

// TestATornFileIsReadAgain reads while another program has written half of the file.
func TestATornFileIsReadAgain(t *testing.T) {
	t.Parallel()
	whole := servers("mcpServers", "a", "c")
	for name, torn := range map[string]string{"half": whole[:len(whole)/2], "empty": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"~/.claude.json": torn})
			synctest.Test(t, func(t *testing.T) {
				go func() {
					time.Sleep(tornPause / 2)
					write(t, o, "~/.claude.json", whole)
				}()
				set := Load(t.Context(), o)
				if got := summary(set); got != "a=c" || len(set.Problems) != 0 {
					t.Errorf("servers %q, problems %q", got, o.messages(set))
				}
			})
		})
	}
	t.Run("for ever", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"~/.claude.json": whole[:10]})
		if set := Load(t.Context(), o); len(set.Problems) != 1 || set.Files[0].Status != Broken {
			t.Errorf("%+v", set)
		}
	})
}

func TestTheLastFileDecidesAlone(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, entry, want string }{
		{"another command", `{"command": "theirs"}`, "s=theirs"},
		{"a mistake", `{"command": 1}`, ""},
		{"an unset variable", `{"command": "${NONE}"}`, ""},
		{"switched off", `{"command": "${NONE}", "disabled": true}`, "s=${NONE}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set := Load(t.Context(), world(t, map[string]string{
				"~/.cursor/mcp.json": servers("mcpServers", "s", "mine"),
				"project/.mcp.json":  `{"mcpServers": {"s": ` + test.entry + `}}`,
			}))
			if got := summary(set); got != test.want {
				t.Errorf("servers: %q, want %q", got, test.want)
			}
			if len(set.Servers) == 1 && set.Servers[0].Disabled != (test.name == "switched off") {
				t.Errorf("%+v", set.Servers[0])
			}
		})
	}
}

func TestShadowing(t *testing.T) {
	t.Parallel()
	const mine = `{"command": "c", "args": ["a"], "env": {"K": "v"}}`
	tests := []struct {
		name, user, project string
		want                bool
	}{
		{"the same", mine, mine, false},
		{"the same, another timeout", mine, `{"command": "c", "args": ["a"], "env": {"K": "v"}, "timeout": 5000}`, false},
		{"another command", mine, `{"command": "d", "args": ["a"], "env": {"K": "v"}}`, true},
		{"other arguments", mine, `{"command": "c", "args": ["b"], "env": {"K": "v"}}`, true},
		{"another environment", mine, `{"command": "c", "args": ["a"], "env": {"K": "v", "NODE_OPTIONS": "-r x"}}`, true},
		{"another URL", `{"url": "https://a/mcp"}`, `{"url": "https://b/mcp"}`, true},
		{"other headers", `{"url": "https://a/mcp"}`, `{"url": "https://a/mcp", "headers": {"X": "y"}}`, true},
		{"the user's is broken", `{"url": 1}`, `{"url": "https://b/mcp"}`, true},
		{"not the user's", ``, `{"url": "https://b/mcp"}`, false},
		{"switched off", mine, `{"command": "d", "disabled": true}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"project/.mcp.json": `{"mcpServers": {"s": ` + test.project + `}}`}
			if test.user != "" {
				files["~/.claude.json"] = `{"mcpServers": {"s": ` + test.user + `}}`
			}
			o := world(t, files)
			set := Load(t.Context(), o)
			if len(set.Servers) != 1 || set.Servers[0].ShadowsUser != test.want {
				t.Fatalf("%+v %q", set.Servers, o.messages(set))
			}
			said := slices.ContainsFunc(set.Problems, func(p Problem) bool {
				return !p.Dropped && strings.Contains(p.Message, filepath.Join("~", ".claude.json"))
			})
			if said != test.want {
				t.Errorf("problems: %q", o.messages(set))
			}
		})
	}
}

func TestTooManyServers(t *testing.T) {
	t.Parallel()
	var pairs []string
	for i := range maxServers - 1 {
		pairs = append(pairs, fmt.Sprintf("a%04d", i), "c")
	}
	o := world(t, map[string]string{
		"~/.cursor/mcp.json": servers("mcpServers", pairs...),
		"project/.mcp.json":  servers("mcpServers", "b", "c", "d", "c", "e", "c"),
	})
	set := Load(t.Context(), o)
	if got := len(set.Servers); got != maxServers || set.Servers[got-1].Name != "b" {
		t.Errorf("%d servers", got)
	}
	want := []string{"project/.mcp.json: more than 1000 servers are configured: those after the first 1 of this file are left out"}
	if got := o.messages(set); !reflect.DeepEqual(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
}
