package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/settings"
)

func TestHooksThatCannotBeUsedAreTold(t *testing.T) {
	t.Parallel()
	r, problems := New(Options{User: map[string][]settings.HookGroup{
		"preTol":  {{Hooks: []settings.Hook{{Command: "x"}}}},
		"preTool": {{Matcher: "(", Hooks: []settings.Hook{{Command: "x"}}}, {Hooks: []settings.Hook{{Command: " "}}}},
		"Stop":    {{Hooks: []settings.Hook{{Command: "x"}}}},
	}})
	want := []string{
		"hooks.preTol: there is no such event; did you mean \"preTool\"?", `hooks.preTool: the matcher "(" is no regular expression`,
		"hooks.preTool: a hook has no command",
	}
	if !slices.Equal(problems, want) || r.Has(PreTool) || !r.Has(Stop) {
		t.Errorf("problems %q, %v", problems, r.hooks)
	}
}

func TestTrustIsAskedForScripts(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("scripts/a.sh", "1")
	write("scripts/other.sh", "1")
	write(".elyra/hooks/b.py", "1")
	if hash, lines, err := Define(project); hash != "" || lines != nil || err != nil {
		t.Errorf("without hooks: %s, %q, %v", hash, lines, err)
	}
	write(".elyra/settings.json", `{"hooks": {"stop": [{"hooks": [{"command": "sh \"$CLAUDE_PROJECT_DIR/scripts/a.sh\" ../x /etc/hosts"}]}]}}`)
	hash, lines, err := Define(project)
	if want := []string{`hooks run ".elyra/hooks/b.py"`, `hooks run "scripts/a.sh"`}; err != nil || !slices.Equal(lines, want) {
		t.Fatalf("lines %q, %v", lines, err)
	}
	write("scripts/other.sh", "2")
	if again, _, _ := Define(project); again != hash {
		t.Error("a file that no hook names counts")
	}
	for _, name := range []string{"scripts/a.sh", ".elyra/hooks/b.py"} {
		write(name, "2")
		again, _, err := Define(project)
		if err != nil || again == hash {
			t.Errorf("a change of %s does not count: %v", name, err)
		}
		hash = again
	}
}

func FuzzUnderstand(f *testing.F) {
	f.Add("preTool", `{"decision":"block","hookSpecificOutput":{"updatedInput":{"a":1}}}`)
	f.Add("userPrompt", "text")
	f.Fuzz(func(t *testing.T, event, text string) {
		o, _ := understand(Event(event), text)
		if o.Arguments != nil && o.Arguments.Kind() != '{' {
			t.Fatalf("arguments %s", o.Arguments)
		}
		if len(o.Context) > maxContext+20 {
			t.Fatalf("%d bytes of context", len(o.Context))
		}
		named(strings.ToValidUTF8(text, ""))
	})
}
