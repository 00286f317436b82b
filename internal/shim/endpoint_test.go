package shim

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
)

// install returns an install of its own, with a path short enough for a socket.
func install(tb testing.TB) endpoint.Options {
	tb.Helper()
	dir, err := os.MkdirTemp("", "e")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { os.RemoveAll(dir) })
	return endpoint.Options{AppID: "app", Paths: endpoint.Paths{ConfigDir: filepath.Join(dir, "config")}}
}

// serving makes an app's serve of a ServeFunc, which ends with its context.
func serving(serve ServeFunc) endpoint.Serve {
	return func(ctx context.Context, conn net.Conn, _ endpoint.Peer) {
		stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Unix(1, 0)) })
		defer stop()
		serve(ctx, conn, conn)
	}
}

func dialer(o endpoint.Options) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		conn, _, err := endpoint.Dial(ctx, o)
		return conn, err
	}
}

// TestTheWholeWay starts without an app, then meets one, which quits and is opened again.
func TestTheWholeWay(t *testing.T) {
	t.Parallel()
	o := install(t)
	run := func() (say func(string), hear func(string), end func()) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- Run(t.Context(), Options{
				Stdin: inR, Stdout: outW, Dial: dialer(o),
				Headless: scribe("headless"), AfterQuit: scribe("closed"),
			})
			outW.Close()
		}()
		out := bufio.NewReader(outR)
		return func(line string) { io.WriteString(inW, line+"\n") },
			func(want string) { t.Helper(); hears(t, out, "the client", want) },
			func() {
				t.Helper()
				inW.Close()
				if err := <-ended; err != nil {
					t.Errorf("Run: %v", err)
				}
			}
	}
	say, hear, end := run()
	say(call1)
	hear(by("headless", "1", call1))
	end()

	first, err := endpoint.Listen(t.Context(), o, serving(scribe("app")))
	if err != nil {
		t.Fatal(err)
	}
	say, hear, end = run()
	say(call1)
	hear(by("app", "1", call1))
	say(initialize)
	hear(by("app", "0", initialize))
	say(initialized)
	hear(noted("app", initialized))
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	hear(noted("closed", initialized)) // the client is introduced to whoever serves next
	say(call2)
	hear(by("closed", `"two"`, call2))
	second, err := endpoint.Listen(t.Context(), o, serving(scribe("app")))
	if err != nil {
		t.Fatal(err)
	}
	say(list4)
	hear(noted("app", initialized))
	hear(by("app", "4", list4))
	end()
	if err := second.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// echoLines answers every line with itself.
func echoLines(_ context.Context, r io.Reader, w io.Writer) error {
	in := bufio.NewReaderSize(r, 128<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
}

// BenchmarkRoundTrip compares a client that talks to a server over pipes with one that does so through
// the shim and the endpoint.
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []int{200, 64 << 10} {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"text":%q}}`+"\n", bytes.Repeat([]byte("x"), size))
		b.Run(fmt.Sprintf("%d/pipe", size), func(b *testing.B) {
			roundTrips(b, line, func(r io.Reader, w io.Writer) error { return echoLines(b.Context(), r, w) })
		})
		b.Run(fmt.Sprintf("%d/shim", size), func(b *testing.B) {
			o := install(b)
			l, err := endpoint.Listen(b.Context(), o, serving(echoLines))
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close(context.Background())
			roundTrips(b, line, func(r io.Reader, w io.Writer) error {
				return Run(b.Context(), Options{Stdin: r, Stdout: w, Dial: dialer(o), Headless: func(context.Context, io.Reader, io.Writer) error {
					return errors.New("the app was not reached")
				}})
			})
		})
	}
}

func roundTrips(b *testing.B, line string, serve func(io.Reader, io.Writer) error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- serve(inR, outW)
		outW.Close()
	}()
	got := make([]byte, len(line))
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		go io.WriteString(inW, line) // a pipe is smaller than the long line
		if _, err := io.ReadFull(outR, got); err != nil {
			b.Fatal(err)
		}
	}
	inW.Close()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
