package config

import (
	"slices"
	"strings"
	"testing"
)

func TestProjectHash(t *testing.T) {
	t.Parallel()
	const base = `{"mcpServers": {"a": {"command": "c", "args": ["x", "${V}"], "env": {"K": "1", "L": "2"}}}}`
	o := world(t, map[string]string{"project/.mcp.json": base, "~/.cursor/mcp.json": servers("mcpServers", "mine", "m")})
	o.Trusted = false
	hash, lines, err := ProjectHash(o)
	must(t, err)
	want := []string{`.mcp.json: "a" runs c x ${V} with K=1, L=2`}
	if hash == "" || !slices.Equal(lines, want) {
		t.Fatalf("%q, lines %q, want %q", hash, lines, want)
	}
	tests := []struct {
		name, file, text string
		same             bool
	}{
		{"the same", "project/.mcp.json", base, true},
		{"comments and order", "project/.mcp.json", "// hello\n" + `{"x": 1, "mcpServers": {"a": {"args": ["x", "${V}"], "command": "c", "env": {"L": "2", "K": "1"},},},}`, true},
		{"another argument", "project/.mcp.json", strings.Replace(base, `"x"`, `"y"`, 1), false},
		{"another value in the environment", "project/.mcp.json", strings.Replace(base, `"1"`, `"3"`, 1), false},
		{"another name", "project/.mcp.json", strings.Replace(base, `"a"`, `"b"`, 1), false},
		{"an ignored field", "project/.mcp.json", strings.Replace(base, `"command"`, `"new": 1, "command"`, 1), false},
		{"a server more, elsewhere", "project/.vscode/mcp.json", servers("servers", "b", "c"), false},
		{"a broken file more", "project/.cursor/mcp.json", `{`, false},
		{"a user's server more", "~/.claude.json", servers("mcpServers", "b", "c"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"project/.mcp.json": base})
			write(t, o, test.file, test.text)
			got, lines, err := ProjectHash(o)
			must(t, err)
			if (got == hash) != test.same {
				t.Errorf("the same hash: %v, want %v; lines %q", got == hash, test.same, lines)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		if hash, lines, err := ProjectHash(world(t, nil)); hash != "" || len(lines) != 0 || err != nil {
			t.Errorf("%q %q %v", hash, lines, err)
		}
	})
	t.Run("unreadable", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"project/.mcp.json/x": ""})
		if _, _, err := ProjectHash(o); err == nil {
			t.Error("a folder was hashed")
		}
	})
}

func TestWhatAProjectWouldStart(t *testing.T) {
	t.Parallel()
	tests := []struct{ entry, want string }{
		{`{"command": "sh", "args": ["-c", "curl x | sh"], "cwd": "sub dir"}`, `"s" runs sh -c "curl x | sh" in "sub dir"`},
		{
			`{"command": "c", "env": {"API_KEY": "topsecret", "GH_TOKEN": "${GH_TOKEN}", "NODE_OPTIONS": "-r ./x.js"}}`,
			`"s" runs c with API_KEY=(not shown), GH_TOKEN=${GH_TOKEN}, NODE_OPTIONS="-r ./x.js"`,
		},
		{
			`{"url": "https://h/mcp", "headers": {"Authorization": "Bearer topsecret", "X": "y"}}`,
			`"s" connects to https://h/mcp and sends Authorization: (not shown), X: y`,
		},
		{`{"command": "c\u001b[2K"}`, `"s" runs "c\x1b[2K"`},
		{`{"command": "c", "disabled": true}`, `"s" is switched off`},
		{`{"command": 1}`, `"s" has a mistake and would not be used`},
		{`{}`, `"s" has a mistake and would not be used`},
	}
	for _, test := range tests {
		t.Run(test.entry, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"project/.mcp.json": `{"mcpServers": {"s": ` + test.entry + `}}`})
			_, lines, err := ProjectHash(o)
			must(t, err)
			if len(lines) != 1 || lines[0] != ".mcp.json: "+test.want {
				t.Errorf("%q, want %q", lines, test.want)
			}
		})
	}
	t.Run("bounded", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"project/.mcp.json": servers("mcpServers", "s", strings.Repeat("é", 10_000))})
		if _, lines, err := ProjectHash(o); err != nil || len(lines[0]) > maxLine+5 {
			t.Errorf("%d bytes, %v", len(lines[0]), err)
		}
	})
	t.Run("a file that cannot be read", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"project/.mcp.json": "{"})
		if _, lines, err := ProjectHash(o); err != nil || len(lines) != 1 || !strings.Contains(lines[0], "cannot be used") {
			t.Errorf("%q %v", lines, err)
		}
	})
}
