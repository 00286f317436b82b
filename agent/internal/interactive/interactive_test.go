package interactive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/tools"
	"github.com/elyra-go/elyra/agent/internal/workspace"
)

// newDesk is a desk without an interface that runs.
func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".gitignore": "out\n", "main.go": "package main\n", "out": "x"} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	w, err := workspace.Open(t.Context(), workspace.Options{Environ: environ, Dir: project, UserHome: dir})
	if err != nil {
		t.Fatal(err)
	}
	return &desk{o: Options{Core: core.Options{Workspace: w, Environ: environ, UserHome: dir}, Environ: environ}}
}

func TestFilesThatAreIgnoredAreNotOffered(t *testing.T) {
	t.Parallel()
	names, err := newDesk(t).files(t.Context())
	if err != nil || strings.Join(names, " ") != ".gitignore main.go" {
		t.Errorf("%q, %v", names, err)
	}
}

func TestACommandOfTheUsers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var seen strings.Builder
	out, err := d.shell(t.Context(), "echo one; echo two >&2; exit 3", func(text string) { seen.WriteString(text) })
	if err != nil || out != "one\ntwo\n\n(exit status 3)" || seen.String() != "one\ntwo\n" {
		t.Errorf("%q, %v, seen %q", out, err, seen.String())
	}
	out, err = d.shell(t.Context(), "yes | head -c 3000000", func(string) {})
	if err != nil || len(out) != maxOutput {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := d.shell(ctx, "sleep 60 & sleep 60", func(string) {}); err != nil || time.Since(start) > 10*time.Second {
		t.Errorf("a cancelled command: %v after %v", err, time.Since(start))
	}
}

func TestChoicesSayWhatTheyAllow(t *testing.T) {
	t.Parallel()
	rules, err := permission.ParseRules([]string{"bash:go test *"})
	if err != nil {
		t.Fatal(err)
	}
	q := permission.Question{Rules: rules}
	mcp := permission.Question{Request: permission.Request{Kind: permission.MCP}}
	for text, got := range map[string]string{
		"Yes, for this session: bash:go test *":     words(permission.Session, q),
		"Yes, always: bash:go test *":               words(permission.Forever, q),
		"Yes, always: this tool as it is now":       words(permission.Forever, mcp),
		"No, and tell the agent what to do instead": words(permission.Stop, q),
		"No, go on without it":                      words(permission.No, q),
		"Yes, once":                                 words(permission.Once, q),
	} {
		if got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	text := []model.Block{model.Text("what the model sees")}
	for _, tt := range []struct {
		tool    string
		details any
		summary string
	}{
		{"bash", tools.Output{Details: tools.Details{ExitCode: 2}}, "exit 2"},
		{"bash", tools.Output{Details: tools.Details{TimedOut: true, Duration: 2 * time.Minute}}, "stopped after 2m0s"},
		{"edit", tools.Output{Diff: "+a\n", Details: tools.Details{Added: 1}}, "+1 -0 lines"},
		{"read", tools.Output{Details: tools.Details{Lines: 12}}, "12 lines"},
		{"mcp_call", nil, ""},
	} {
		got := outcome(&model.Call{Name: tt.tool}, &loop.Output{Content: text, Details: tt.details})
		if got.Summary != tt.summary || got.Text != "what the model sees" {
			t.Errorf("%s: %+v", tt.tool, got)
		}
	}
}
