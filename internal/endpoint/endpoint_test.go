package endpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// install returns options for a new install in folders of its own. Sockets need short paths, which the
// folder of a test with a long name is not.
func install(t *testing.T, loopback bool) Options {
	t.Helper()
	return Options{
		AppID: "dev.elyra.test", Version: "1.2.3", BuildID: "build-a",
		Paths:  Paths{ConfigDir: filepath.Join(t.TempDir(), "config"), RuntimeDir: shortDir(t)},
		system: system{loopback: loopback},
	}
}

func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// eachVariant runs a test on sockets and on loopback.
func eachVariant(t *testing.T, test func(t *testing.T, o Options)) {
	t.Helper()
	for _, loopback := range []bool{false, true} {
		t.Run(fmt.Sprintf("loopback=%t", loopback), func(t *testing.T) {
			t.Parallel()
			test(t, install(t, loopback))
		})
	}
}

// echo sends back what comes and stops at the end of the input or of ctx.
func echo(ctx context.Context, conn net.Conn, _ Peer) {
	stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn})
}

func listen(t *testing.T, o Options, serve Serve) *Listener {
	t.Helper()
	l, err := Listen(t.Context(), o, serve)
	if err != nil {
		t.Fatalf("Listen: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		l.Close(ctx)
	})
	return l
}

// crash ends a listener as the death of its process would: nothing is removed.
func crash(t *testing.T, l *Listener) {
	t.Helper()
	l.cancel()
	l.bound.inner.Close()
	l.closeConns(true)
	l.closeConns(false)
	l.work.Wait()
	l.once.Do(func() {})
}

func exchange(conn net.Conn, line string) error {
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, line); err != nil {
		return err
	}
	got := make([]byte, len(line))
	if _, err := io.ReadFull(conn, got); err != nil {
		return err
	}
	if string(got) != line {
		return fmt.Errorf("got %q back, want %q", got, line)
	}
	return nil
}

func TestEndsMeetAndExchangeTheirBuilds(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		seen := make(chan Peer, 1)
		listen(t, o, func(ctx context.Context, conn net.Conn, peer Peer) {
			seen <- peer
			echo(ctx, conn, peer)
		})
		client := o
		client.Version, client.BuildID = "1.1.0", "build-b"
		client.Paths.RuntimeDir = "" // the client's environment has no such variable
		conn, peer, err := Dial(t.Context(), client)
		if err != nil {
			t.Fatalf("Dial: %v", err)
		}
		defer conn.Close()
		if want := (Peer{"1.2.3", "build-a"}); peer != want {
			t.Errorf("the client saw %+v, want %+v", peer, want)
		}
		if got, want := <-seen, (Peer{"1.1.0", "build-b"}); got != want {
			t.Errorf("the server saw %+v, want %+v", got, want)
		}
		if err := exchange(conn, "one line\n"); err != nil {
			t.Error(err)
		}
		if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			t.Errorf("CloseWrite: %v", err)
		}
		if rest, err := io.ReadAll(conn); err != nil || len(rest) > 0 {
			t.Errorf("after the half-close: %q, %v", rest, err)
		}
	})
}

func TestDialTellsWhyNobodyAnswers(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		_, _, err := Dial(t.Context(), o)
		if !errors.Is(err, ErrNotRunning) || errors.Is(err, ErrCrashed) {
			t.Errorf("before the first start: %v, want ErrNotRunning", err)
		}
		l := listen(t, o, echo)
		crash(t, l)
		if _, _, err = Dial(t.Context(), o); !errors.Is(err, ErrNotRunning) || !errors.Is(err, ErrCrashed) {
			t.Errorf("after a crash: %v, want ErrCrashed, which is an ErrNotRunning", err)
		}
		l = listen(t, o, echo) // replaces what the crash left
		conn, _, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatalf("after a new start: %v", err)
		}
		conn.Close()
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
		if _, _, err = Dial(t.Context(), o); !errors.Is(err, ErrNotRunning) || errors.Is(err, ErrCrashed) {
			t.Errorf("after a deliberate quit: %v, want plain ErrNotRunning", err)
		}
		for _, path := range []string{o.pointerPath(), l.bound.where.Address} {
			if _, err := os.Lstat(path); err == nil {
				t.Errorf("%s was not removed", path)
			}
		}
	})
}

func TestTwoListenersAtOnce(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		const starts = 12
		errs := make([]error, starts)
		listeners := make([]*Listener, starts)
		var all sync.WaitGroup
		for i := range starts {
			all.Go(func() { listeners[i], errs[i] = Listen(t.Context(), o, echo) })
		}
		all.Wait()
		won := 0
		for i, err := range errs {
			if err == nil {
				won++
				defer listeners[i].Close(t.Context())
			} else if !errors.Is(err, ErrInUse) {
				t.Errorf("start %d: %v, want ErrInUse", i, err)
			}
		}
		if won != 1 {
			t.Fatalf("%d starts are listening, want 1", won)
		}
		conn, _, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatalf("Dial: %v", err)
		}
		conn.Close()
	})
}

func TestFirstStartsAgreeOnOneToken(t *testing.T) {
	t.Parallel()
	o := install(t, true)
	prepared, err := o.prepare()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(o.dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	tokens := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range tokens {
		all.Go(func() {
			unlock, err := prepared.lock(t.Context())
			if err != nil {
				t.Errorf("lock: %v", err)
				return
			}
			defer unlock()
			if tokens[i], err = prepared.ensureToken(); err != nil {
				t.Errorf("ensureToken: %v", err)
			}
		})
	}
	all.Wait()
	for _, token := range tokens {
		if len(token) != tokenSize || !bytes.Equal(token, tokens[0]) {
			t.Fatalf("tokens differ: %x and %x", token, tokens[0])
		}
	}
}

func TestManyConnectionsAtOnce(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		listen(t, o, echo)
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				conn, _, err := Dial(t.Context(), o)
				if err != nil {
					t.Errorf("connection %d: %v", i, err)
					return
				}
				defer conn.Close()
				if err := exchange(conn, fmt.Sprintf("line of %d\n", i)); err != nil {
					t.Errorf("connection %d: %v", i, err)
				}
			})
		}
		all.Wait()
	})
}

func TestConnectionCap(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		o.MaxConns = 2
		left := make(chan struct{}, 2)
		listen(t, o, func(ctx context.Context, conn net.Conn, peer Peer) {
			echo(ctx, conn, peer)
			left <- struct{}{}
		})
		var conns []net.Conn
		for range 2 {
			conn, _, err := Dial(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conns = append(conns, conn)
		}
		if _, _, err := Dial(t.Context(), o); !errors.Is(err, ErrBusy) || errors.Is(err, ErrNotRunning) {
			t.Errorf("the third connection: %v, want ErrBusy", err)
		}
		if _, err := Listen(t.Context(), o, echo); !errors.Is(err, ErrInUse) {
			t.Errorf("a second listener beside a busy one: %v, want ErrInUse", err)
		}
		conns[0].Close()
		<-left
		// The place is free a moment after serve returned.
		for {
			conn, _, err := Dial(t.Context(), o)
			if err == nil {
				conn.Close()
				break
			}
			if !errors.Is(err, ErrBusy) {
				t.Fatalf("after one left: %v", err)
			}
		}
	})
}

func TestCloseDrains(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		l := listen(t, o, func(ctx context.Context, conn net.Conn, _ Peer) {
			<-ctx.Done()
			io.WriteString(conn, "the last reply\n")
		})
		conn, _, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("the second Close: %v", err)
		}
		got := make([]byte, len("the last reply\n"))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != "the last reply\n" {
			t.Errorf("read %q, %v", got, err)
		}
	})
}

func TestCloseCutsWhatDoesNotFinish(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		l := listen(t, o, func(_ context.Context, conn net.Conn, _ Peer) { io.Copy(io.Discard, conn) })
		conn, _, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		// One that never says anything must not hold the end up either.
		silent, err := net.Dial(l.bound.where.Network, l.bound.where.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("no time left")
		cancel(why)
		if err := l.Close(ctx); !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
			t.Errorf("Close: %v, want the reason the context ended", err)
		}
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("the connection is still open")
		}
	})
}

func TestListenRefusesOptions(t *testing.T) {
	t.Parallel()
	cases := map[string]Options{
		"no app id":        {Paths: Paths{ConfigDir: t.TempDir()}},
		"no config folder": {AppID: "a"},
		"long version":     {AppID: "a", Version: string(make([]byte, maxName+1)), Paths: Paths{ConfigDir: t.TempDir()}},
	}
	for name, o := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Listen(t.Context(), o, echo); err == nil {
				t.Error("Listen took them")
			}
			if _, _, err := Dial(t.Context(), o); err == nil || errors.Is(err, ErrNotRunning) {
				t.Errorf("Dial: %v", err)
			}
		})
	}
}
