package main

import (
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// BenchmarkCall is for profiles of the whole way of a call, within one process. Its figures hold the
// load, too, which the table's do not.
func BenchmarkCall(b *testing.B) {
	env, err := elyra.NewEnv(appID, func(string) string { return "/nonexistent" }, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		b.Fatal(err)
	}
	app, err := build(env)
	if err != nil {
		b.Fatal(err)
	}
	instance, err := app.Start(b.Context(), env)
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(b.TempDir(), "s"))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = instance.ServeMCP(b.Context(), conn, conn)
		}
	}()
	for _, era := range []string{load.Modern, load.Legacy} {
		for _, inFlight := range []int{1, 16} {
			b.Run(era+"/"+strconv.Itoa(inFlight), func(b *testing.B) {
				conn, err := net.Dial("unix", l.Addr().String())
				if err != nil {
					b.Fatal(err)
				}
				defer conn.Close()
				client, err := load.Open(conn, conn, era)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				if err := client.Repeat(load.Call(workload.Place, workload.Arguments), inFlight, b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
