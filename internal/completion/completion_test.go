package completion

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// tool is a program with everything that completion knows.
func tool() Command {
	help := Flag{Name: "help", Help: "Show help; don't run."}
	return Command{
		Name: "tool", Flags: []Flag{help},
		Commands: []Command{
			{Name: "make:table", Help: "Write a table: its `code`, too.", Flags: []Flag{help, {Name: "dir", Help: "Folder.", Value: true}}},
			{Name: "make:test", Help: `Write a test \ nothing else.`, Flags: []Flag{help}},
			{Name: "mcp", Help: "Agents.", Flags: []Flag{help}, Commands: []Command{
				{Name: "inspect", Help: "Look.", Flags: []Flag{help}},
				{Name: "install", Help: "Connect.", Flags: []Flag{help, {Name: "client", Help: "The client.", Value: true, Values: []string{"claude", "cursor"}}}},
			}},
			{Name: "completion", Help: "Print a script.", Flags: []Flag{help}, Values: []string{"bash", "zsh"}},
		},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, shell := range Shells {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			got, err := Script(shell, tool())
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "tool."+shell)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || string(want) != got {
				t.Errorf("the script is not %s (%v); with -update it becomes:\n%s", path, err, got)
			}
		})
	}
	if _, err := Script("nushell", tool()); err == nil || !strings.Contains(err.Error(), "bash, zsh, fish") {
		t.Errorf("for an unknown shell: %v", err)
	}
}

// TestBash reads the script into a real bash and asks it as the key Tab does.
func TestBash(t *testing.T) {
	t.Parallel()
	script, err := Script("bash", tool())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ line, want string }{
		{"tool ", "make:table make:test mcp completion"},
		{"tool m", "make:table make:test mcp"},
		{"tool make:ta", "table"}, // bash replaces what follows the colon
		{"tool make:", "table test"},
		{"tool mcp in", "inspect install"},
		{"tool  mcp\tinst", "install"},
		{"tool mcp install --c", "--client"},
		{"tool mcp install --client ", "claude cursor"},
		{"tool mcp install --client cu", "cursor"},
		{"tool completion z", "zsh"},
		{"tool --", "--help"},
		{"tool --help mcp ", "inspect install"},
		{"tool make:table mcp ", ""}, // an argument, and then file names
		{"tool nothing ", "make:table make:test mcp completion"},
		{"tool mcp x*", ""},
		{"tool mcp $(exit 3)`exit 3", ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("bash", "-u", "-c", script+`
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"><=;|&(:' COMPREPLY=()
complete -p tool >/dev/null || exit
_tool
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"`, "bash", tt.line)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("bash: %v\n%s", err, out)
			}
			if got := strings.Fields(string(out)); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("bash offers %q, want %q", got, tt.want)
			}
		})
	}
}
