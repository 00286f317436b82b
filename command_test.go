package elyra_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/elyra-go/elyra"
)

func TestCommandNamesAreToolNames(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, struct{}) (elyra.None, error) { return elyra.None{}, nil }
	env, err := elyra.NewEnv("dev.elyra.names", func(string) string { return "/nonexistent" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for name, valid := range map[string]bool{
		"a": true, "notes_store2": true, strings.Repeat("a", 64): true,
		"": false, "_a": false, "a_": false, "a__b": false, "2a": false, "Notes": false, "notesStore": false, "notes.store": false,
		"notes-store": false, "notes store": false, "é": false, "a\xff": false, "a\n": false, strings.Repeat("a", 65): false,
	} {
		instance, err := elyra.New().Commands(elyra.NewCommand(name, nothing, elyra.CommandOptions{})).Start(t.Context(), env)
		if (err == nil) != valid {
			t.Errorf("a command named %q: %v; want it valid: %v", name, err, valid)
		}
		if err == nil {
			if err := instance.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}
