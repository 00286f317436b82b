package shim

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
)

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
