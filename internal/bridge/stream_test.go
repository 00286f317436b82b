package bridge

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/internal/live"
)

func TestStreamCarriesResultsErrorsAndMessages(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	stream, _ := p.openStream("s")
	if a := p.post("/live/open", `{"stream":"s","id":7,"command":"customers_index","args":{"page":2}}`); a.status != 204 {
		t.Fatalf("open: %d %s", a.status, a.body)
	}
	l := app.live(0)
	if l.window != "main" || l.command != "customers_index" || l.args != `{"page":2}` {
		t.Errorf("the app was asked for %+v", l)
	}
	for _, step := range []struct {
		send func()
		want string
	}{
		{func() { l.updates <- live.Update{Value: []byte(`[1]`)} }, `{"t":"live","id":7,"value":[1]}`},
		{func() { l.updates <- live.Update{Err: errors.New("gone")} }, `{"t":"live","id":7,"error":{"kind":"command","message":"gone"}}`},
		{func() { l.updates <- live.Update{} }, `{"t":"live","id":7,"value":null}`},
		{func() { app.messages <- Message{"a\"b", []byte(`{"n":1}`)} }, `{"t":"channel","channel":"a\"b","value":{"n":1}}`},
		{func() { app.messages <- Message{"\xff", []byte(`1`)} }, ``},
	} {
		step.send()
		if got := p.frame(stream); got != step.want {
			t.Errorf("got the frame %s, want %s", got, step.want)
		}
	}
	if a := p.post("/live/close", `{"stream":"s","id":7}`); a.status != 204 {
		t.Errorf("close: %d %s", a.status, a.body)
	}
	<-l.closed
	if a := p.post("/live/close", `{"stream":"s","id":7}`); a.status != 204 {
		t.Errorf("close again: %d %s", a.status, a.body)
	}
}

func TestOpenIsRefused(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	p.openStream("s")
	if a := p.post("/live/open", `{"stream":"s","id":1,"command":"refused"}`); a.status != 418 {
		t.Errorf("what the app refuses: %d %s", a.status, a.body)
	}
	if a := p.post("/live/open", `{"stream":"s","id":1}`); a.status != 404 {
		t.Errorf("no command: %d %s", a.status, a.body)
	}
	if a := p.post("/live/nothing", `{"stream":"s"}`); a.status != 404 {
		t.Errorf("no such path: %d %s", a.status, a.body)
	}
	for i := range maxSubscriptions {
		if a := p.post("/live/open", fmt.Sprintf(`{"stream":"s","id":%d,"command":"c"}`, i)); a.status != 204 {
			t.Fatalf("open %d: %d %s", i, a.status, a.body)
		}
	}
	if a := p.post("/live/open", `{"stream":"s","id":999,"command":"c"}`); a.status != 429 || kindOf(t, a) != "limit" {
		t.Errorf("one too many: %d %s", a.status, a.body)
	}
	<-app.live(maxSubscriptions).closed
	if a := p.post("/live/open", `{"stream":"s","id":0,"command":"again"}`); a.status != 204 {
		t.Errorf("the same id again: %d %s", a.status, a.body)
	}
	<-app.live(0).closed
}

func TestStreamEndsWithTheWindow(t *testing.T) {
	t.Parallel()
	app := newApp()
	b := newBridge(t, app, nil)
	p := openPage(t, b, "main")
	stream, served := p.openStream("s")
	p.post("/live/open", `{"stream":"s","id":1,"command":"c"}`)
	b.Closed("main")
	<-served
	<-app.live(0).closed
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	if app.stopped != 1 {
		t.Errorf("the channels were stopped %d times, want once", app.stopped)
	}
}

func TestStreamEndsWhenThePageIsGone(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	stream, served := p.openStream("s")
	p.post("/live/open", `{"stream":"s","id":1,"command":"c"}`)
	stream.Close()
	app.live(0).updates <- live.Update{Value: []byte("1")}
	<-served
	<-app.live(0).closed
	if a := p.post("/live/open", `{"stream":"s","id":2,"command":"c"}`); a.status != 409 {
		t.Errorf("an open after the end: %d %s", a.status, a.body)
	}
	<-app.live(1).closed
}

func TestStreamEndsWithTheChannels(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	_, served := p.openStream("s")
	close(app.messages)
	<-served
}

func TestNewStreamReplacesTheOldOne(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	_, served := p.openStream("old")
	p.post("/live/open", `{"stream":"old","id":1,"command":"c"}`)
	stream, _ := p.openStream("new")
	<-served
	<-app.live(0).closed
	if a := p.post("/live/open", `{"stream":"old","id":1,"command":"c"}`); a.status != 409 || kindOf(t, a) != "stream" {
		t.Errorf("the old stream is still known: %d %s", a.status, a.body)
	}
	p.post("/live/open", `{"stream":"new","id":1,"command":"c"}`)
	app.live(1).updates <- live.Update{Value: []byte("2")}
	if got := p.frame(stream); got != `{"t":"live","id":1,"value":2}` {
		t.Errorf("got %s", got)
	}
}

func TestStreamsOfWindowsAreTheirOwn(t *testing.T) {
	t.Parallel()
	app := newApp()
	b := newBridge(t, app, nil)
	one, two := openPage(t, b, "one"), openPage(t, b, "two")
	one.openStream("s")
	if a := two.post("/live/open", `{"stream":"s","id":1,"command":"c"}`); a.status != 409 {
		t.Errorf("a window used another's stream: %d %s", a.status, a.body)
	}
}

func TestSubscriptionThatTheAppClosesIsDropped(t *testing.T) {
	t.Parallel()
	app := newApp()
	p := openPage(t, newBridge(t, app, nil), "main")
	stream, _ := p.openStream("s")
	p.post("/live/open", `{"stream":"s","id":1,"command":"c"}`)
	close(app.live(0).updates)
	app.messages <- Message{"c", []byte("1")}
	if got := p.frame(stream); !strings.Contains(got, "channel") {
		t.Errorf("got %s", got)
	}
}

// A page that reads nothing must cost the app no memory: results are taken only when they can be sent.
func TestPageThatIsBehindGetsTheNewestResultOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		app := newApp()
		p := openPage(t, newBridge(t, app, nil), "main")
		stream, _ := p.openStream("s")
		p.post("/live/open", `{"stream":"s","id":1,"command":"c"}`)
		l := app.live(0)
		big := `"` + strings.Repeat("x", maxUnread) + `"`
		l.updates <- live.Update{Value: []byte(big)}
		if got := p.frame(stream); len(got) < maxUnread {
			t.Fatalf("got %d bytes", len(got))
		}
		// The page has not said yet that it read this.
		for i := range 5 {
			select {
			case <-l.updates:
			default:
			}
			l.updates <- live.Update{Value: fmt.Append(nil, i)}
			synctest.Wait()
		}
		if len(l.updates) != 1 {
			t.Fatal("a result was taken for a page that has not read the one before")
		}
		p.post("/live/ack", fmt.Sprintf(`{"stream":"s","bytes":%d}`, maxUnread))
		if got := p.frame(stream); got != `{"t":"live","id":1,"value":4}` {
			t.Errorf("got %s", got)
		}
	})
}

func TestPageThatStallsLosesItsStream(t *testing.T) {
	t.Parallel()
	const stall = 10 * time.Second
	for name, acknowledge := range map[string]bool{"never reads": false, "reads a little first": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				app := newApp()
				p := openPage(t, newBridge(t, app, func(o *Options) { o.StallTimeout = stall }), "main")
				stream, served := p.openStream("s")
				p.post("/live/open", `{"stream":"s","id":1,"command":"c"}`)
				app.live(0).updates <- live.Update{Value: []byte(`"` + strings.Repeat("x", 2*maxUnread) + `"`)}
				p.frame(stream)
				want := stall
				began := time.Now()
				if acknowledge {
					synctest.Wait()
					time.Sleep(stall / 2)
					p.post("/live/ack", `{"stream":"s","bytes":10}`)
					want += stall / 2
				}
				<-served
				if after := time.Since(began); after != want {
					t.Errorf("the stream was lost after %v, want %v", after, want)
				}
				<-app.live(0).closed
			})
		})
	}
}

func TestWriteThatIsNotTakenEndsTheStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		app := newApp()
		p := openPage(t, newBridge(t, app, func(o *Options) { o.StallTimeout = time.Second }), "main")
		_, served := p.openStream("s")
		began := time.Now()
		app.messages <- Message{"c", []byte("1")}
		<-served
		if after := time.Since(began); after != time.Second {
			t.Errorf("the stream was lost after %v, want 1s", after)
		}
	})
}
