package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRunsThisAgent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self := filepath.Join(dir, "elyra-1.2")
	link := filepath.Join(dir, "assistant")
	other := filepath.Join(dir, "other")
	must(t, os.WriteFile(self, nil, 0o700))
	must(t, os.WriteFile(other, nil, 0o700))
	must(t, os.Symlink(self, link))
	tests := []struct {
		name  string
		words []string
		want  bool
	}{
		{"plain", []string{"elyra", "--mode", "mcp"}, true},
		{"one word", []string{"elyra", "--mode=mcp"}, true},
		{"with more options", []string{"elyra", "--trust-project", "--mode", "mcp", "--read-only"}, true},
		{"a path", []string{"/usr/local/bin/elyra", "--mode", "mcp"}, true},
		{"on Windows", []string{`C:\Program Files\Elyra\Elyra.EXE`, "--mode", "mcp"}, true},
		{"this program's name", []string{"elyra-1.2", "--mode", "mcp"}, true},
		{"a link to this program", []string{link, "--mode", "mcp"}, true},
		{"another program by path", []string{other, "--mode", "mcp"}, false},
		{"another mode", []string{"elyra", "--mode", "json"}, false},
		{"no mode", []string{"elyra", "mcp"}, false},
		{"the mode of another program", []string{"other", "--mode", "mcp"}, false},
		{"a name that begins alike", []string{"elyrax", "--mode", "mcp"}, false},
		{"the mode comes before", []string{"--mode", "mcp", "elyra"}, false},

		{"sh -c", []string{"sh", "-c", "elyra --mode mcp"}, true},
		{"the wrapper of the documentation", []string{"sh", "-c", "cd /path/to/project && exec elyra --mode mcp"}, true},
		{"a path in quotes", []string{"bash", "-lc", `cd "/a b"; '/opt/my elyra/bin/elyra' --mode "mcp" 2>/dev/null`}, true},
		{"assignments", []string{"sh", "-c", "A=1 B='x y' elyra --mode mcp"}, true},
		{"assignments before a wrapper", []string{"sh", "-c", "A=1 npx -y elyra --mode mcp"}, true},
		{"a shell in a shell", []string{"sh", "-c", `exec bash -c "elyra --mode mcp"`}, true},
		{"a subshell", []string{"sh", "-c", "(cd x; elyra --mode=mcp)"}, true},
		{"two commands", []string{"sh", "-c", "elyra --version; other --mode mcp"}, false},
		{"cmd", []string{"cmd", "/c", "elyra", "--mode", "mcp"}, true},
		{"cmd with a line", []string{"cmd.exe", "/d", "/c", `C:\bin\elyra.exe --mode mcp`}, true},
		{"PowerShell", []string{"pwsh", "-NoProfile", "-Command", "& elyra --mode mcp"}, true},

		{"env", []string{"env", "A=b", "elyra", "--mode", "mcp"}, true},
		{"env with an option", []string{"/usr/bin/env", "-i", "elyra", "--mode", "mcp"}, true},
		{"env -S", []string{"env", "-S", "A=b elyra --mode mcp"}, true},
		{"nice", []string{"nice", "-n", "5", "elyra", "--mode", "mcp"}, true},
		{"after --", []string{"anything", "--", "elyra", "--mode", "mcp"}, true},
		{"npx", []string{"npx", "-y", "elyra@latest", "--mode", "mcp"}, true},
		{"npx with the package of the vendor", []string{"npx", "-y", "@elyracode/cli@1", "--mode", "mcp"}, true},
		{"a package that ends alike", []string{"npx", "-y", "not-elyra", "--mode", "mcp"}, false},
		{"bun", []string{"bun", "x", "elyra", "--mode", "mcp"}, true},
		{"go run", []string{"go", "run", "github.com/elyra-go/elyra/agent/cmd/elyra@latest", "--mode", "mcp"}, true},
		{"docker", []string{"docker", "run", "-i", "ghcr.io/x/elyra", "--mode", "mcp"}, true},
		{"the value of an option", []string{"some-server", "--client", "elyra", "--mode", "mcp"}, false},
		{"a text about it", []string{"notes", "--title", "how to use mcp"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := Server{Transport: Stdio, Command: test.words[0], Args: test.words[1:]}
			if got := RunsThisAgent(s, self); got != test.want {
				t.Errorf("RunsThisAgent(%q) = %v", test.words, got)
			}
		})
	}
	t.Run("a remote server", func(t *testing.T) {
		t.Parallel()
		if RunsThisAgent(Server{Transport: HTTP, URL: "https://elyra/?--mode=mcp"}, self) {
			t.Error("a URL runs nothing here")
		}
	})
	t.Run("without the own path", func(t *testing.T) {
		t.Parallel()
		if RunsThisAgent(Server{Transport: Stdio, Command: link, Args: []string{"--mode", "mcp"}}, "") {
			t.Error("the link cannot be known")
		}
	})
}
