package shim

import "testing"

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
