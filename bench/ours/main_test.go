package main

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/bench/internal/fair"
	"github.com/elyra-go/elyra/bench/internal/load"
)

func TestPlace(t *testing.T) {
	env, err := elyra.NewEnv(appID, func(string) string { return "/nonexistent" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	app, err := build(env)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := app.Start(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	fair.Check(t, func(ctx context.Context, in io.Reader, out io.WriteCloser) error {
		return instance.ServeMCP(ctx, in, out)
	}, load.Modern, load.Legacy)
	if err := instance.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
