package config

import (
	"bytes"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
)

// FuzzFiles reads a file as each of the formats, with everything that is done to one.
func FuzzFiles(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers": {"a": {"command": "c", "args": ["${A}"], "env": {"K": "v"}, "timeout": 30}}}`,
		`{"servers": {"a": {"url": "${input:x}", "headers": {"A": "b"}}}, "inputs": [{"id": "x"}]}`,
		"\ufeff// c\n{\"projects\": {\"/p\": {\"mcpServers\": {\"\": {}, \"x\": {\"comand\": 1,},},},},}",
		`{"mcpServers": {"a": {"url": "https://h/sse", "oauth": {"clientId": "i", "scopes": ["s"], "callbackPort": 1e3}}}}`,
		`{"mcpServers": {"a": {"command": "sh", "args": ["-c", "cd \"x\" && exec elyra --mode mcp"]}}}`,
		"{\"a\": \"\\ud800\", \"mcpServers\": {\"\\u0000\": {}, \"a\\/b\": [1]}} ",
		"[[[[", "{\"a\":1}x", "\xff", "{/*", "//", "",
	} {
		f.Add([]byte(seed))
	}
	o := Options{
		UserHome: f.TempDir(), Getenv: environment(map[string]string{"A": "a", "KEY": "topsecret"}),
		Project: f.TempDir(), GOOS: runtime.GOOS, Executable: "/bin/elyra",
	}
	o.AgentHome = filepath.Join(o.UserHome, "agent")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range o.sources() {
			doc, problem := parse(s.path, data, s.rewritten)
			if problem != nil {
				inside(t, data, *problem)
				continue
			}
			list, problems := o.definitions(s, doc)
			for _, d := range list {
				server, more, ok := o.build(d)
				if ok && (server.Name == "" || server.Transport == "" || server.Timeout <= 0 || server.Command == "" && server.URL == "") {
					t.Errorf("an empty server: %+v", server)
				}
				if !ok && len(more) == 0 {
					t.Errorf("%q was dropped without a word", d.name)
				}
				if line := d.describe(); strings.ContainsAny(line, "\x00\x1b\n\r") {
					t.Errorf("a line for a terminal is %q", line)
				}
				canonical(d.value)
				problems = append(problems, more...)
			}
			for _, p := range problems {
				inside(t, data, p)
			}
		}
	})
}

// inside wants a problem at a place that the file has.
func inside(t *testing.T, data []byte, p Problem) {
	t.Helper()
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	if p.Message == "" || p.Line < 1 || p.Column < 1 || p.Line > len(lines) || p.Column > utf8.RuneCount(lines[p.Line-1])+1 {
		t.Errorf("%s: no such place", p)
	}
}

// FuzzServersOf holds that what is taken out of a file defines the same servers at the same places as the whole.
func FuzzServersOf(f *testing.F) {
	f.Add(`{"a": [1, {"mcpServers": {}}], "mcpServers": {"x": {}}, "projects": {"p": {"h": "é\"", "mcpServers": {"y": 1}}, "q": 1}}`)
	f.Add(`{"mcpServers": 1, "mcpServers": {"a": 2}}`)
	f.Add(`{"a":"\\","projects":[{"mcpServers":{}}],"servers":{"v":null}, "b":-1e5 ,"c":true}`)
	f.Fuzz(func(t *testing.T, text string) {
		data := []byte(text)
		taken, ok := serversOf(data)
		whole, problem := parse("f", data, false)
		if problem != nil || !ok {
			return
		}
		read, broken := jsonc.Parse("f", data, func([]byte) (jsonc.Excerpt, bool) { return taken, true })
		if broken != nil {
			t.Fatalf("only the part is broken: %s", broken)
		}
		part := &document{read}
		o := Options{Project: "/p"}
		s := source{path: "f", scope: User, format: claude}
		a, _ := o.definitions(s, whole)
		b, _ := o.definitions(s, part)
		if len(a) != len(b) {
			t.Fatalf("%d servers became %d", len(a), len(b))
		}
		for i := range a {
			if a[i].name != b[i].name || a[i].at != b[i].at || canonical(a[i].value) != canonical(b[i].value) {
				t.Errorf("%+v became %+v", a[i], b[i])
			}
		}
	})
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"${A}", "${B:-${A:-x}}", "${env:A}", "${input:x}", "a${", "${workspaceFolder}${/}", "${:-}", "${${A}}"} {
		f.Add(seed)
	}
	x := expander{environment(map[string]string{"A": "value", "LONG": strings.Repeat("x", 1000)}), "/p", "/h", "linux"}
	f.Fuzz(func(t *testing.T, s string) {
		out, used, err := x.expand(s)
		if err != nil {
			return
		}
		if !strings.Contains(s, "${") && out != s {
			t.Errorf("%q became %q", s, out)
		}
		for _, v := range used {
			if !strings.Contains(out, v.value) {
				t.Errorf("%s was used and is not in %q", v.name, out)
			}
		}
	})
}

func FuzzRunsThisAgent(f *testing.F) {
	for _, seed := range []string{"cd x && exec elyra --mode mcp", `"a b" 'c' \d`, "$(elyra --mode=mcp)", "A=1 \\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, words := range splitCommands(line) {
			if len(words) == 0 {
				t.Errorf("%q has a command without words", line)
			}
		}
		RunsThisAgent(Server{Transport: Stdio, Command: "sh", Args: []string{"-c", line}}, "")
		for _, quoted := range []string{line + "\nelyra --mode mcp", "elyra --mode mcp;" + line} {
			if !strings.ContainsAny(line, `"'\`) && !RunsThisAgent(Server{Transport: Stdio, Command: "sh", Args: []string{"-c", quoted}}, "") {
				t.Errorf("%q hides the agent", quoted)
			}
		}
	})
}

// FuzzEdit adds to and removes from a file, which must still be read as before with one server more.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\"mcpServers\": {}}", "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // c\n\t},\n}", "{\"mcpServers\":{\"new\":1,/*x*/\"new\":2}}",
		"{\"mcpServers\":{\"a\":1 // c\n}}", "{\"x\":1/*y*/,/*z*/}", "{//\n}", "{\"mcpServers\":{/* a */\"a\"/* b */:/* c */{}/* d */}}\r\n",
	} {
		f.Add([]byte(seed))
	}
	o := Options{Getenv: environment(nil)}
	s := source{path: "f", format: elyra}
	names := func(t *testing.T, data []byte) (list []string) {
		doc, problem := parse("f", data, false)
		if problem != nil {
			t.Fatalf("%s: %q", problem, data)
		}
		definitions, _ := o.definitions(s, doc)
		for _, d := range definitions {
			if d.name != "new" {
				list = append(list, d.name)
			}
		}
		return list
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, problem := parse("f", data, false)
		if problem != nil {
			return
		}
		before := names(t, data)
		servers, ok := jsonc.Member(doc.Root, claudeMember)
		if ok && servers.Value.Kind() != '{' {
			return
		}
		var added []byte
		var err error
		if ok {
			added, err = doc.Insert(servers, "new", Entry{Command: "c"})
		} else {
			added, err = doc.Insert(doc.Value, claudeMember, map[string]Entry{"new": {Command: "c"}})
		}
		must(t, err)
		if got := names(t, added); strings.Join(got, "\n") != strings.Join(before, "\n") {
			t.Errorf("%q has servers %q, had %q", added, got, before)
		}
		doc, problem = parse("f", added, false)
		if problem != nil {
			t.Fatal(problem)
		}
		servers, _ = jsonc.Member(doc.Root, claudeMember)
		if _, ok := jsonc.Member(jsonc.ObjectOf(servers), "new"); !ok {
			t.Fatalf("%q lacks the new server", added)
		}
		removed := doc.Remove(jsonc.ObjectOf(servers), "new")
		if got := names(t, removed); strings.Join(got, "\n") != strings.Join(before, "\n") {
			t.Errorf("%q has servers %q, had %q", removed, got, before)
		}
	})
}
