package shim

import (
	"io"
	"net"
	"testing"
)

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
