package elyra

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// described is what an app says of itself to one that asks with the given environment.
func described(t *testing.T, a *App, env map[string]string) description {
	t.Helper()
	e, err := NewEnv("dev.example.app", func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.describe(e)
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDescribeSaysWhatGrantsATool(t *testing.T) {
	t.Parallel()
	command := func(name, can string) Command {
		return NewCommand(name, func(context.Context, struct{}) (None, error) { return None{}, nil }, CommandOptions{Can: can})
	}
	app := New().Commands(command("a", "x.a"), command("b", "x.b"), command("c", "y.c")).
		MCP(NewMCP().AllowAbilities("x.*", "x.a"))
	d := described(t, app, nil)
	var got []string
	for _, tool := range d.Tools {
		got = append(got, tool.Name+" "+tool.Grant)
	}
	if want := "a x.a, b x.*"; strings.Join(got, ", ") != want {
		t.Errorf("tools and grants = %q, want %q", got, want)
	}
	if !d.App.MCP || d.TypeScript != "" {
		t.Errorf("mcp = %v, typescript = %q: want true, and none unless asked", d.App.MCP, d.TypeScript)
	}
	if d := described(t, New(), nil); d.App.MCP {
		t.Error("an app without App.MCP says that agents may connect")
	}
}

func TestDescribeGivesTypeScriptOfWhatWindowsMayCall(t *testing.T) {
	t.Parallel()
	command := func(name, can string) Command {
		return NewCommand(name, func(context.Context, struct{}) (int, error) { return 0, nil }, CommandOptions{Can: can, Live: true})
	}
	app := New().Commands(command("free", ""), command("granted_one", "x.a"), command("agents_only", "y.b")).
		AllowAbilities("x.*").
		MCP(NewMCP().AllowAbilities("y.b"))
	got := described(t, app, map[string]string{"ELYRA_DESCRIBE": "typescript"}).TypeScript
	for _, want := range []string{"  free: (", "  grantedOne: (", `watch("granted_one", args)`} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "agents_only") {
		t.Errorf("a command that windows may not call is in\n%s", got)
	}
}
