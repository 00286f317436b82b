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

func TestLinesPassUnchanged(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	for _, line := range []string{call1, `{ "odd" :  "spacing"}`, "no JSON at all", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, "\xff\xfe"} {
		s.say(line)
		a.hears(line)
		a.say(line)
		s.hears(line)
	}
	s.say("", "  ", call2)
	a.hears(call2) // blank lines mean nothing
}

func TestWithoutAnAppHeadlessServes(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]error{
		"not running": endpoint.ErrNotRunning, "crashed": endpoint.ErrCrashed, "a stranger answers": errors.New("could not prove"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := errors.New("the database is newer than the program")
			s := beginWith(t, gone, Options{
				Headless: func(ctx context.Context, r io.Reader, w io.Writer) error {
					scribe("headless")(ctx, r, w)
					return failed
				},
				AfterQuit: func(context.Context, io.Reader, io.Writer) error { panic("nobody has quit") },
			})
			s.say(call1)
			s.hears(by("headless", "1", call1))
			s.in.Close()
			s.ends(failed)
		})
	}
}

func TestTheAppDiesWithinCalls(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.say(call1, call2, call3, list4)
	for _, line := range []string{call1, call2, call3, list4} {
		a.hears(line)
	}
	a.say(reply(`"two"`))
	io.WriteString(a.conn, `{"jsonrpc":"2.0","id":1,"resu`) // half a reply, of no use to the client
	a.conn.Close()
	s.hears(reply(`"two"`))
	s.hears(unknown("1"))
	s.hears(unknown("3"))
	s.hears(unknown("4"))
	s.say(call2)
	s.hears(by("headless", `"two"`, call2)) // nothing was retried, and the session goes on
	s.in.Close()
	s.ends(nil)
}

// brokenConn is a connection whose app is gone, which the shim learns only when it writes.
type brokenConn struct {
	net.Conn
	accepts int // bytes of a write that still leave
}

func (c *brokenConn) Write(p []byte) (int, error) {
	defer c.Close()
	return min(c.accepts, len(p)), io.ErrClosedPipe
}

func TestACallThatCouldNotBeSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		accepts int
		want    string
	}{
		{"not a byte left", 0, by("headless", "1", call1)},
		{"half of it left", 10, unknown("1")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn, _ := app(t)
			s := begin(t, Options{Headless: scribe("headless")}, &brokenConn{conn, c.accepts})
			s.say(call1)
			s.hears(c.want)
			s.say(call2)
			s.hears(by("headless", `"two"`, call2))
		})
	}
}

func TestWhatIsNotAnsweredForTheApp(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	const listen = `{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{}}`
	const batch = `[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"ping"}]`
	for _, line := range []string{call1, cancelled, listen, batch, `{"jsonrpc":"2.0","id":null,"method":"ping"}`} {
		s.say(line)
		a.hears(line)
	}
	a.say(`[{"jsonrpc":"2.0","id":8,"result":{}}]`)
	a.conn.Close()
	s.hears(`[{"jsonrpc":"2.0","id":8,"result":{}}]`)
	s.hears(`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"the app stopped; this subscription has ended"}}`)
	s.hears(unknown("9"))
	s.say(list4)
	s.hears(by("headless", "4", list4))
}

func TestALegacyClientGoesOn(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	const subscribe = `{"jsonrpc":"2.0","id":10,"method":"resources/subscribe","params":{"uri":"app://a"}}`
	const subscribeB = `{"jsonrpc":"2.0","id":11,"method":"resources/subscribe","params":{"uri":"app://b"}}`
	const unsubscribe = `{"jsonrpc":"2.0","id":12,"method":"resources/unsubscribe","params":{"uri":"app://a"}}`
	for _, line := range []string{initialize, initialized, subscribe, subscribeB, unsubscribe} {
		s.say(line)
		a.hears(line)
	}
	for _, id := range []string{"0", "10", "11", "12"} {
		a.say(reply(id))
		s.hears(reply(id))
	}
	a.conn.Close()
	// The answers to the repeated requests are swallowed; the note shows that initialized came after.
	s.hears(noted("headless", initialized))
	s.say(call1)
	s.hears(by("headless", "1", call1))
}

func TestReplayToAnAppThatRestarted(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	conn2, a2 := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn, conn2)
	const subscribe = `{"jsonrpc":"2.0","id":10,"method":"resources/subscribe","params":{"uri":"app://a"}}`
	for _, line := range []string{initialize, initialized, subscribe} {
		s.say(line)
		a.hears(line)
	}
	a.say(reply("0"), reply("10"))
	s.hears(reply("0"))
	s.hears(reply("10"))
	a.conn.Close()
	a2.hears(`{"jsonrpc":"2.0","id":"elyra-shim-1","method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	a2.say(`{"jsonrpc":"2.0","id":"elyra-shim-1","result":{}}`)
	a2.hears(initialized)
	a2.hears(`{"jsonrpc":"2.0","id":"elyra-shim-2","method":"resources/subscribe","params":{"uri":"app://a"}}`)
	a2.say(`{"jsonrpc":"2.0","id":"elyra-shim-2","result":{}}`, `{"jsonrpc":"2.0","method":"hello"}`)
	s.hears(`{"jsonrpc":"2.0","method":"hello"}`)
}

func TestTheAppDiesWithinTheOpening(t *testing.T) {
	t.Parallel()
	const discover = `{"jsonrpc":"2.0","id":"d","method":"server/discover"}`
	for name, c := range map[string]struct{ line, id string }{
		"initialize": {initialize, "0"}, "server/discover": {discover, `"d"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, a := app(t)
			s := begin(t, Options{Headless: scribe("headless")}, conn)
			s.say(c.line)
			a.hears(c.line)
			a.conn.Close()
			s.hears(by("headless", c.id, c.line)) // the client gets the answer it waits for, once
			s.say(call1)
			s.hears(by("headless", "1", call1))
		})
	}
}

func TestAnAppThatDropsEveryConnectionIsNotTriedForEver(t *testing.T) {
	t.Parallel()
	var apps []net.Conn
	for range 5 {
		conn, a := app(t)
		a.conn.Close()
		apps = append(apps, conn)
	}
	s := begin(t, Options{Headless: scribe("headless")}, apps...)
	s.say(list4)
	line, err := s.out.ReadString('\n') // lost with the first app, or served if it was noticed before
	if err != nil || (line != unknown("4")+"\n" && line != by("headless", "4", list4)+"\n") {
		t.Fatalf("heard %q, %v", line, err)
	}
	s.say(call1)
	s.hears(by("headless", "1", call1))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dials > 2 {
		t.Errorf("the app was dialled %d times", s.dials)
	}
}

func TestAQuestionOfTheLostAppIsSettled(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.say(call1)
	a.hears(call1)
	const question = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{}}`
	a.say(question)
	s.hears(question)
	a.conn.Close()
	s.hears(unknown("1"))
	s.hears(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"the app stopped"}}`)
	// The late consent was given to somebody else and must reach nobody.
	s.say(`{"jsonrpc":"2.0","id":"q1","result":{"action":"accept"}}`, call2)
	s.hears(by("headless", `"two"`, call2))
}

func TestAfterADeliberateQuit(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless"), AfterQuit: scribe("closed")}, conn)
	s.set(endpoint.ErrNotRunning)
	s.say(initialize, initialized)
	a.hears(initialize)
	a.hears(initialized)
	a.say(reply("0"))
	s.hears(reply("0"))
	a.conn.Close()
	s.hears(noted("closed", initialized))
	s.say(call1)
	s.hears(by("closed", "1", call1))

	conn2, a2 := app(t)
	s.set(endpoint.ErrNotRunning, conn2) // the user opens the app again
	s.say(call2)
	a2.hears(`{"jsonrpc":"2.0","id":"elyra-shim-2","method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	a2.say(`{"jsonrpc":"2.0","id":"elyra-shim-2","result":{}}`)
	a2.hears(initialized)
	a2.hears(call2)
	a2.say(reply(`"two"`))
	s.hears(reply(`"two"`))
	s.in.Close()
	if _, err := a2.r.ReadByte(); err != io.EOF {
		t.Errorf("the app read %v, want the half-close", err)
	}
	a2.conn.Close()
	s.ends(nil)
}

func TestAQuitWithoutAfterQuitGoesOnHeadless(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.set(endpoint.ErrNotRunning)
	a.say(`{"jsonrpc":"2.0","method":"hello"}`)
	s.hears(`{"jsonrpc":"2.0","method":"hello"}`)
	a.conn.Close()
	s.say(call1)
	if line, _ := s.out.ReadString('\n'); line == unknown("1")+"\n" { // it may have crossed the quit
		s.say(call1)
		s.hears(by("headless", "1", call1))
	} else if line != by("headless", "1", call1)+"\n" {
		t.Errorf("heard %q", line)
	}
}

func TestHeadlessFails(t *testing.T) {
	t.Parallel()
	failed := errors.New("the schema is newer than the program")
	conn, a := app(t)
	s := begin(t, Options{Headless: func(_ context.Context, r io.Reader, _ io.Writer) error {
		bufio.NewReader(r).ReadString('\n') // takes the opening and gives up
		return failed
	}}, conn)
	s.say(initialize)
	a.hears(initialize)
	a.conn.Close()
	s.hears(unknown("0"))
	s.ends(failed)
}

func TestStdinEndsAndRepliesDrain(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.say(call1)
	s.in.Close()
	a.hears(call1)
	if _, err := a.r.ReadByte(); err != io.EOF {
		t.Fatalf("the app read %v, want the half-close", err)
	}
	a.say(reply("1"))
	a.conn.Close()
	s.hears(reply("1"))
	s.ends(nil)
}

func TestAnAppThatNeverFinishesIsLeftAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.say(call1)
	a.hears(call1)
	start := time.Now()
	s.in.Close()
	s.ends(nil)
	if took := time.Since(start); took < drainTime || took > drainTime+5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAProbeClosedAtOnce(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.in.Close()
	if _, err := a.r.ReadByte(); err != io.EOF {
		t.Errorf("the app read %v, want the half-close", err)
	}
	a.conn.Close()
	s.ends(nil)
}

func TestRunEndsWithItsContextThoughStdinStaysOpen(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	s.say(call1)
	a.hears(call1)
	s.cancel()
	a.say(reply("1"))
	a.conn.Close()
	s.hears(reply("1"))
	s.ends(nil)
}

func TestTheClientStopsReading(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	inR, inW := io.Pipe()
	defer inW.Close()
	outR, outW := io.Pipe()
	outR.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{
			Stdin: inR, Stdout: outW, Headless: scribe("headless"),
			Dial: func(context.Context) (net.Conn, error) { return conn, nil },
		})
	}()
	a.say(reply("1"))
	if err := <-ended; err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
}

func TestAnOverlongLinePassesInPieces(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	s := begin(t, Options{Headless: scribe("headless")}, conn)
	long := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"` + strings.Repeat("x", 17<<20) + `"}`
	go func() { s.in.Write([]byte(long + "\n" + list4 + "\n")) }()
	a.hears(long)
	a.hears(list4)
	answer := `{"jsonrpc":"2.0","id":4,"result":"` + strings.Repeat("y", 17<<20) + `"}`
	go func() {
		io.WriteString(a.conn, answer+"\n"+`{"jsonrpc":"2.0","id":5,"result":"`+strings.Repeat("z", 17<<20))
		a.conn.Close()
	}()
	s.hears(answer)
	if torn, err := s.out.ReadString('\n'); err != nil || !strings.HasPrefix(torn, `{"jsonrpc":"2.0","id":5,`) {
		t.Fatalf("the torn line: %.40q, %v", torn, err)
	}
	s.hears(unknown("1")) // the long request was known by its beginning, the long answer too
	s.say(call2)
	s.hears(by("headless", `"two"`, call2))
}
