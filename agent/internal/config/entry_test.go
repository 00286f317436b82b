package config

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// one loads one entry of a project's file, written in format's way.
func one(t *testing.T, format, entry string, env map[string]string) (Options, Set) {
	t.Helper()
	file, member := "project/.mcp.json", "mcpServers"
	switch format {
	case vscode:
		file, member = "project/.vscode/mcp.json", "servers"
	case cursor:
		file = "project/.cursor/mcp.json"
	case elyra:
		file = "project/.elyra/mcp.json"
	}
	o := world(t, map[string]string{file: `{"` + member + `": {"s": ` + entry + `}}`})
	o.Getenv = environment(env)
	return o, Load(t.Context(), o)
}

func TestEntries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, format, entry string
		want                Server
	}{
		{"local", claude, `{"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}, "cwd": "sub"}`, Server{
			Transport: Stdio, Command: "npx", Args: []string{"-y", "x"}, Env: map[string]string{"A": "b"}, Cwd: "PROJECT/sub",
		}},
		{"remote", claude, `{"url": "https://h/mcp", "headers": {"X-A": "b"}}`, Server{
			Transport: HTTP, URL: "https://h/mcp", Headers: map[string]string{"X-A": "b"},
		}},
		{"old remote", elyra, `{"url": "https://h/sse", "directTools": true}`, Server{Transport: SSE, URL: "https://h/sse", DirectTools: true}},
		{"old remote by a variable", elyra, `{"url": "${URL}/?a=b"}`, Server{Transport: SSE, URL: "https://v/sse/?a=b"}},
		{"type wins over the path", claude, `{"type": "http", "url": "https://h/sse"}`, Server{Transport: HTTP, URL: "https://h/sse"}},
		{"streamable-http", claude, `{"type": "streamable-http", "url": "https://h"}`, Server{Transport: HTTP, URL: "https://h"}},
		{"streamableHttp", cursor, `{"type": "streamableHttp", "url": "https://h"}`, Server{Transport: HTTP, URL: "https://h"}},
		{"streamable_http", cursor, `{"type": "Streamable_HTTP", "url": "https://h"}`, Server{Transport: HTTP, URL: "https://h"}},
		{"sse", claude, `{"type": "sse", "url": "https://h/x"}`, Server{Transport: SSE, URL: "https://h/x"}},
		{"type decides between two", claude, `{"type": "stdio", "command": "c", "url": "https://h"}`, Server{Transport: Stdio, Command: "c"}},
		{"local of Copilot", vscode, `{"type": "local", "command": "c"}`, Server{Transport: Stdio, Command: "c"}},
		{"numbers and null in VS Code's env", vscode, `{"command": "c", "env": {"PORT": 80, "NO": null}}`, Server{
			Transport: Stdio, Command: "c", Env: map[string]string{"PORT": "80"},
		}},
		{"null is absent", claude, `{"command": "c", "cwd": null, "url": null, "args": null}`, Server{Transport: Stdio, Command: "c"}},
		{"milliseconds", elyra, `{"command": "c", "timeout": 1500}`, Server{Transport: Stdio, Command: "c", Timeout: 1500 * time.Millisecond}},
		{"Claude Code's other timeout", claude, `{"command": "c", "request_timeout_ms": 500}`, Server{
			Transport: Stdio, Command: "c", Timeout: 500 * time.Millisecond,
		}},
		{"no timeout", elyra, `{"command": "c", "timeout": 0}`, Server{Transport: Stdio, Command: "c"}},
		{"client of Claude Code", claude, `{"url": "https://h", "oauth": {"clientId": "i", "callbackPort": 8080, "scopes": "a b",
			"authServerMetadataUrl": "https://as/.well-known/x"}}`, Server{
			Transport: HTTP, URL: "https://h", ClientID: "i", CallbackPort: 8080, Scopes: []string{"a", "b"},
			AuthMetadataURL: "https://as/.well-known/x",
		}},
		{"client of Cursor", cursor, `{"url": "https://h", "auth": {"CLIENT_ID": "${env:ID}", "CLIENT_SECRET": "s", "scopes": ["a"]}}`, Server{
			Transport: HTTP, URL: "https://h", ClientID: "id of env", ClientSecret: "s", Scopes: []string{"a"},
		}},
		{"fields of others are ignored", vscode, `{"command": "c", "gallery": true, "dev": {"watch": "x"}, "version": "1", "xyz": 1}`, Server{
			Transport: Stdio, Command: "c",
		}},
		{"home", cursor, `{"command": "${userHome}/bin/c", "cwd": "~/x"}`, Server{Transport: Stdio, Command: "HOME/bin/c", Cwd: "HOME/x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o, set := one(t, test.format, test.entry, map[string]string{"URL": "https://v/sse", "ID": "id of env"})
			if len(set.Servers) != 1 || len(set.Problems) != 0 {
				t.Fatalf("%d servers, problems %q", len(set.Servers), o.messages(set))
			}
			want := test.want
			want.Name, want.Scope, want.Line = "s", Project, 1
			want.File, want.Shown = set.Servers[0].File, set.Servers[0].Shown
			if want.Timeout == 0 {
				want.Timeout = DefaultTimeout
			}
			for _, text := range []*string{&want.Cwd, &want.Command} {
				*text = strings.NewReplacer("PROJECT", o.Project, "HOME", o.UserHome).Replace(*text)
			}
			if !reflect.DeepEqual(set.Servers[0], want) {
				t.Errorf("got  %+v\nwant %+v", set.Servers[0], want)
			}
		})
	}
}

func TestWhatIsShownHasNoSecrets(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		`{"command": "${PROG}", "args": ["--db", "${DB:-none}"]}`: "${PROG} --db ${DB:-none}",
		`{"url": "https://h/${DB}"}`:                              "https://h/${DB}",
	} {
		_, set := one(t, cursor, entry, map[string]string{"PROG": "p", "DB": "secret"})
		if len(set.Servers) != 1 || set.Servers[0].Shown != want {
			t.Errorf("%s is shown as %+v", entry, set.Servers)
		}
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, format, entry, want string
		kept                      bool
	}{
		{"no object", claude, `"npx x"`, `project/.mcp.json:1:22: mcpServers.s: expected an object, found a string`, false},
		{"nothing", claude, `{}`, `:1:22: mcpServers.s: it has neither a command (a local server) nor a url`, false},
		{"command and url", claude, `{"command": "c", "url": "u"}`, `it has a command and a url`, false},
		{"near miss", claude, `{"comand": "npx"}`, `:1:23: mcpServers.s.comand: an unknown field; did you mean "command"?`, false},
		{"near miss that does no harm", claude, `{"command": "c", "timeuot": 1}`, `mcpServers.s.timeuot: an unknown field; did you mean "timeout"?`, true},
		{"near miss of off", claude, `{"command": "c", "enabled": false}`, `did you mean "disabled"?`, true},
		{"args is a string", claude, `{"command": "c", "args": "-y x"}`, `:1:47: mcpServers.s.args: expected an array of strings, found a string`, false},
		{"an argument is a number", claude, `{"command": "c", "args": ["a", 1]}`, `mcpServers.s.args[1]: expected a string, found a number`, false},
		{"env holds a number", claude, `{"command": "c", "env": {"A B": 1}}`, `mcpServers.s.env["A B"]: expected a string, found a number`, false},
		{"env has a bad name", vscode, `{"command": "c", "env": {"A=B": "1"}}`, `servers.s.env["A=B"]: the name is empty or has a character`, false},
		{"command is an array", claude, `{"command": ["c"]}`, `mcpServers.s.command: expected a string, found an array`, false},
		{"disabled is a string", claude, `{"command": "c", "disabled": "true"}`, `.disabled: expected true or false, found a string`, false},
		{"timeout is a string", claude, `{"command": "c", "timeout": "60"}`, `.timeout: expected a number of milliseconds, found a string`, false},
		{"timeout is negative", claude, `{"command": "c", "timeout": -1}`, `.timeout: expected a number of milliseconds between 0 and`, false},
		{"seconds", cursor, `{"command": "c", "timeout": 30}`, `.timeout: 30 is taken for seconds, which hosts do not agree about: write 30000`, true},
		{"less than a second", elyra, `{"command": "c", "timeout": 30}`, `.timeout: 30 is less than a second`, true},
		{"type unknown", claude, `{"type": "ws", "url": "u"}`, `.type: "ws" is no transport that elyra knows`, false},
		{"type without its field", claude, `{"type": "sse", "command": "c"}`, `a remote server needs a url`, false},
		{"no web URL", vscode, `{"type": "http", "url": "unix:///x.sock"}`, `servers.s.url: expected a URL that begins with https:// or http://`, false},
		{"no host", claude, `{"url": "https:///x"}`, `the URL names no host`, false},
		{"bad header", claude, `{"url": "https://h", "headers": {"A B": "x"}}`, `headers["A B"]: no such header can be sent`, false},
		{"header with a line break", claude, `{"url": "https://h", "headers": {"A": "x\ny"}}`, `headers.A: no such header can be sent`, false},
		{"NUL", claude, `{"command": "a\u0000b"}`, `.command: the text has a NUL character`, false},
		{"oauth is a string", claude, `{"url": "https://h", "oauth": "x"}`, `.oauth: expected an object, found a string`, false},
		{"oauth near miss", claude, `{"url": "https://h", "oauth": {"clientID": "x"}}`, `.oauth.clientID: an unknown field; did you mean "clientId"?`, true},
		{"port", claude, `{"url": "https://h", "oauth": {"callbackPort": 70000}}`, `.oauth.callbackPort: expected a port between 0 and 65535`, false},
		{"envFile", cursor, `{"command": "c", "envFile": ".env"}`, `.envFile: elyra does not read the file`, true},
		{"headersHelper", claude, `{"url": "https://h", "headersHelper": "x"}`, `.headersHelper: elyra does not run programs for headers`, true},
		{"input", vscode, `{"command": "c", "env": {"K": "${input:key}"}}`, `servers.s.env.K: it needs the input "key"`, false},
		{"unset", claude, `{"command": "c", "args": ["x", "${DATABASE_URL}"]}`, `mcpServers.s.args[1]: the environment variable DATABASE_URL is not set`, false},
		{"secret in arguments", claude, `{"command": "c", "args": ["--key=${GITHUB_TOKEN}"]}`, `args[0]: ${GITHUB_TOKEN} looks like a secret`, true},
		{"password in arguments", claude, `{"command": "c", "args": ["${DB}"]}`, `args[0]: ${DB} looks like a secret`, true},
		{"empty command", claude, `{"command": "${EMPTY}"}`, `.command: the command is empty when its variables are expanded`, false},
		{"this agent", claude, `{"command": "elyra", "args": ["--mode", "mcp"]}`, `mcpServers.s: it would run elyra inside elyra`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"GITHUB_TOKEN": "ghp_topsecret", "DB": "postgres://u:topsecret@h/db", "EMPTY": ""}
			o, set := one(t, test.format, test.entry, env)
			got := strings.Join(o.messages(set), "\n")
			if !strings.Contains(got, test.want) {
				t.Errorf("problems %q, want %q", got, test.want)
			}
			if strings.Contains(got, "topsecret") {
				t.Errorf("a message holds a secret: %s", got)
			}
			if kept := len(set.Servers) == 1; kept != test.kept {
				t.Errorf("kept: %v, want %v", kept, test.kept)
			}
			for _, p := range set.Problems {
				if p.Server != "s" {
					t.Errorf("the problem is not said to be the server's: %+v", p)
				}
			}
		})
	}
}

// TestManyMistakes gives an entry more mistakes than anybody reads.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]string{
		"arguments": `{"command": "c", "args": [` + strings.Repeat("1,", 10_000) + `]}`,
		"fields":    `{` + strings.Repeat(`"comand": 1,`, 10_000) + `}`,
	} {
		_, set := one(t, claude, entry, nil)
		if n := len(set.Problems); n != maxProblems || len(set.Servers) != 0 || !set.Problems[0].Dropped && !set.Problems[n-1].Dropped {
			t.Errorf("%s: %d problems, %d servers", name, n, len(set.Servers))
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, quoted string
		ok           bool
	}{
		{"other scripts", `"Übersetzer 翻訳 مترجم"`, true},
		{"punctuation", `"a.b/c@d"`, true},
		{"emoji of several characters", `"👩\u200d💻"`, true},
		{"empty", `""`, false},
		{"blank", `"  "`, false},
		{"escape", `"a\u001b[31m"`, false},
		{"right to left override", `"a\u202eb"`, false},
		{"longest", `"` + strings.Repeat("a", maxName) + `"`, true},
		{"too long", `"` + strings.Repeat("a", maxName+1) + `"`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"~/.cursor/mcp.json": `{"mcpServers": {` + test.quoted + `: {"command": "c"}, "ok": {"command": "c"}}}`})
			set := Load(t.Context(), o)
			want := 1
			if test.ok {
				want = 2
			}
			if len(set.Servers) != want || len(set.Problems) != 2-want {
				t.Errorf("%d servers, problems %q", len(set.Servers), o.messages(set))
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"~/.cursor/mcp.json": servers("mcpServers", "a", "first", "a", "second")})
		set := Load(t.Context(), o)
		if got := o.messages(set); summary(set) != "a=second" || len(got) != 1 || !strings.Contains(got[0], "the name is there twice") {
			t.Errorf("%s %q", summary(set), got)
		}
	})
}
