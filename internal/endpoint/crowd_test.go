package endpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

const crowd = 1000

// connect reaches the listener without a handshake.
func connect(t *testing.T, l *Listener) net.Conn {
	t.Helper()
	conn, err := net.Dial(l.bound.where.Network, l.bound.where.Address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// client is one that has proved itself.
func client(t *testing.T, o Options) net.Conn {
	t.Helper()
	conn, _, err := Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// TestAThousandHalfOpenHandshakesKeepNobodyOut has strangers connect and say too little, while clients come and work.
func TestAThousandHalfOpenHandshakesKeepNobodyOut(t *testing.T) {
	eachVariant(t, func(t *testing.T, o Options) {
		l := listen(t, o, echo)
		early := client(t, o)
		for i := range crowd {
			conn := connect(t, l)
			if i%2 == 0 {
				io.WriteString(conn, `{"elyra":1,"nonce":"`)
			}
		}
		for i := range 20 {
			if err := exchange(early, fmt.Sprintf("early %d\n", i)); err != nil {
				t.Fatalf("a client from before: %v", err)
			}
			if err := exchange(client(t, o), "late\n"); err != nil {
				t.Fatalf("client %d that came later: %v", i, err)
			}
		}
	})
}

// TestAThousandClients come at once: as many as the listener takes are served, the others are told why not.
func TestAThousandClients(t *testing.T) {
	eachVariant(t, func(t *testing.T, o Options) {
		o.MaxConns = 100
		listen(t, o, echo)
		early := client(t, o)
		var mu sync.Mutex
		var served []net.Conn
		busy := 0
		var all sync.WaitGroup
		places := make(chan struct{}, 50) // that dial at the same time
		for range crowd {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				conn, _, err := Dial(t.Context(), o)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					served = append(served, conn)
				case errors.Is(err, ErrBusy):
					busy++
				default:
					t.Errorf("Dial: %v", err)
				}
			})
		}
		all.Wait()
		if len(served) != o.MaxConns-1 || busy != crowd-len(served) {
			t.Errorf("%d are served and %d are told that it is busy; want %d and %d", len(served), busy, o.MaxConns-1, crowd-o.MaxConns+1)
		}
		for _, conn := range append(served, early) {
			if err := exchange(conn, "still here\n"); err != nil {
				t.Error(err)
			}
		}
		for _, conn := range served {
			conn.Close()
		}
		// A place is free a moment after its client left.
		for deadline := time.Now().Add(10 * time.Second); ; {
			conn, _, err := Dial(t.Context(), o)
			if err == nil {
				defer conn.Close()
				if err := exchange(conn, "after the crowd\n"); err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrBusy) || time.Now().After(deadline) {
				t.Fatalf("after the crowd has left: %v", err)
			}
		}
	})
}

// TestTwentyMiBBeforeTheProof floods the listener at each point where a stranger may speak.
func TestTwentyMiBBeforeTheProof(t *testing.T) {
	eachVariant(t, func(t *testing.T, o Options) {
		l := listen(t, o, echo)
		hello := lineOf(t, helloLine{Elyra: handshakeVersion, Nonce: make([]byte, nonceSize)})
		for name, first := range map[string]string{"at once": "", "after a good hello": hello} {
			conn := connect(t, l)
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			io.WriteString(conn, first)
			sent := 0
			for block := bytes.Repeat([]byte("x"), 1<<20); sent < 20<<20; {
				n, err := conn.Write(block)
				sent += n
				if err != nil {
					break
				}
			}
			if sent == 20<<20 {
				t.Errorf("%s: 20 MiB were taken", name)
			}
			if err := exchange(client(t, o), "meanwhile\n"); err != nil {
				t.Errorf("%s: a client: %v", name, err)
			}
		}
	})
}

// TestDialTriesAgain has an app drop a connection before a word: it may be about to close.
func TestDialTriesAgain(t *testing.T) {
	t.Parallel()
	o := install(t, true)
	l := listen(t, o, echo)
	for _, c := range []struct {
		name  string
		drops int
		want  error
	}{{"once", 1, nil}, {"always", crowd, io.EOF}} {
		door, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var work sync.WaitGroup
		work.Go(func() {
			for dropped := 0; ; {
				conn, err := door.Accept()
				if err != nil {
					return
				}
				if dropped++; dropped > c.drops {
					l.proving <- struct{}{}
					work.Go(func() { l.handle(conn) })
					continue
				}
				conn.(*net.TCPConn).CloseWrite()
				work.Go(func() {
					io.Copy(io.Discard, conn)
					conn.Close()
				})
			}
		})
		if err := l.o.writePointer(pointer{Network: "tcp", Address: door.Addr().String()}); err != nil {
			t.Fatal(err)
		}
		conn, _, err := Dial(t.Context(), o)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err == nil {
			conn.Close()
		}
		door.Close()
		work.Wait()
	}
}
