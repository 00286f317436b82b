package main

import (
	"context"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/bench/internal/fair"
	"github.com/elyra-go/elyra/bench/internal/load"
)

func TestPlace(t *testing.T) {
	fair.Check(t, func(ctx context.Context, in io.Reader, out io.WriteCloser) error {
		return serve(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: out})
	}, load.Modern, load.Legacy)
}
