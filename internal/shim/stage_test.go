package shim

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
)

// stage is a client, a shim and the apps that the shim may find. The client and the apps are the test.
type stage struct {
	t      *testing.T
	in     *io.PipeWriter // the client's words
	out    *bufio.Reader  // what the client hears
	ended  chan error     // what Run returned
	cancel context.CancelFunc

	mu    sync.Mutex
	apps  []net.Conn // what the next dials find, in order
	gone  error      // what they find then
	dials int
}

// actor is one end of a conversation with the shim.
type actor struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

// begin runs a shim that finds the apps, and then that the last one crashed.
func begin(t *testing.T, o Options, apps ...net.Conn) *stage {
	t.Helper()
	return beginWith(t, endpoint.ErrCrashed, o, apps...)
}

func beginWith(t *testing.T, gone error, o Options, apps ...net.Conn) *stage {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	s := &stage{
		t: t, in: inW, out: bufio.NewReader(outR), ended: make(chan error, 1), cancel: cancel,
		apps: apps, gone: gone,
	}
	o.Stdin, o.Stdout, o.Dial = inR, outW, s.dial
	go func() {
		s.ended <- Run(ctx, o)
		outW.Close()
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.Close()
	})
	return s
}

func (s *stage) dial(context.Context) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials++
	if len(s.apps) == 0 {
		return nil, s.gone
	}
	conn := s.apps[0]
	s.apps = s.apps[1:]
	return conn, nil
}

// set says what dials find once the apps are used up, and adds apps.
func (s *stage) set(gone error, apps ...net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone, s.apps = gone, append(s.apps, apps...)
}

// app makes an app that the shim can dial: conn for the stage, and the app itself.
func app(t *testing.T) (net.Conn, *actor) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	far.SetDeadline(time.Now().Add(20 * time.Second))
	return conn, &actor{t: t, conn: far, r: bufio.NewReader(far)}
}

func (a *actor) say(lines ...string) {
	a.t.Helper()
	if _, err := io.WriteString(a.conn, strings.Join(lines, "\n")+"\n"); err != nil {
		a.t.Fatalf("the app writes: %v", err)
	}
}

func (a *actor) hears(want string) { a.t.Helper(); hears(a.t, a.r, "the app", want) }
func (s *stage) hears(want string) { s.t.Helper(); hears(s.t, s.out, "the client", want) }

func hears(t *testing.T, r *bufio.Reader, who, want string) {
	t.Helper()
	got, err := r.ReadString('\n')
	if err != nil || strings.TrimSuffix(got, "\n") != want {
		t.Fatalf("%s heard %q, %v\nwant %q", who, got, err, want)
	}
}

func (s *stage) say(lines ...string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, strings.Join(lines, "\n")+"\n"); err != nil {
		s.t.Fatalf("the client writes: %v", err)
	}
}

func (s *stage) ends(want error) {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if !errors.Is(err, want) {
			s.t.Errorf("Run returned %v, want %v", err, want)
		}
	case <-time.After(20 * time.Second):
		s.t.Fatal("Run did not return")
	}
}

// scribe is a Headless that answers each request with its own name and what it heard.
func scribe(name string) ServeFunc {
	return func(_ context.Context, r io.Reader, w io.Writer) error {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			line := lines.Text()
			if _, rest, ok := strings.Cut(line, `"id":`); ok {
				id := rest[:strings.IndexAny(rest, ",}")]
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"by":"%s","heard":%q}}`+"\n", id, name, line)
			} else {
				fmt.Fprintf(w, `{"jsonrpc":"2.0","method":"noted","params":{"by":"%s","heard":%q}}`+"\n", name, line)
			}
		}
		return nil
	}
}

func by(name, id, line string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"by":"%s","heard":%q}}`, id, name, line)
}

func noted(name, line string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"noted","params":{"by":"%s","heard":%q}}`, name, line)
}

const (
	call1       = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"customers_store"}}`
	call2       = `{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"customers_store"}}`
	call3       = `{"method":"tools/call","params":{},"jsonrpc":"2.0","id":3}`
	list4       = `{"jsonrpc":"2.0","id":4,"method":"tools/list"}`
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func reply(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

func unknown(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32603,"message":"the app stopped; it is not known whether this ran"}}`
}
