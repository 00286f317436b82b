package main

import (
	"context"
	"io"
	"testing"

	"github.com/elyra-go/elyra/bench/internal/fair"
	"github.com/elyra-go/elyra/bench/internal/load"
)

func TestPlace(t *testing.T) {
	fair.Check(t, func(ctx context.Context, in io.Reader, out io.WriteCloser) error { return serve(ctx, in, out) }, load.Modern, load.Legacy)
}
