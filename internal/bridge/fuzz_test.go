package bridge

import (
	"net/textproto"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// FuzzServe sends what any page might send. Whatever it is, it gets one answer, and the app is reached only by a POST of
// the app's own page with the window's token and bytes.
func FuzzServe(f *testing.F) {
	f.Add("POST", "/call/c", "main", "", true, true, []byte(`{}`))
	f.Add("POST", "/live/open", "main", ownOrigin, true, true, []byte(`{"stream":"s","id":1,"command":"c","args":{}}`))
	f.Add("POST", "/live/close", "main", ownOrigin, true, true, []byte(`{"stream":"s","id":1}`))
	f.Add("POST", "/live/ack", "main", ownOrigin, true, true, []byte(`{"stream":"s","bytes":-9223372036854775808}`))
	f.Add("GET", "/../app.js", "main", "null", false, false, []byte(nil))
	f.Add("GET", "/img/a b.png", "", "", false, false, []byte(nil))
	f.Add("POST", "/call/\x00/", "other", "", true, false, []byte{0xff})
	f.Fuzz(func(t *testing.T, method, path, windowID, origin string, withToken, bytes bool, body []byte) {
		app := newApp()
		b := newBridge(t, app, nil)
		p := openPage(t, b, "main")
		_, served := p.openStream("s")
		header := textproto.MIMEHeader{}
		header.Set("Origin", origin)
		if withToken {
			header.Set(tokenHeader, p.token)
		}
		if bytes {
			header.Set(window.BodyHeader, window.BodyBytes)
		}
		a := &answer{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.Serve(&window.Request{Window: windowID, Method: method, Path: path, Origin: ownOrigin, Header: header.Get, Body: body}, a)
		}()
		select {
		case <-done:
		case <-served: // It was a second stream, which took the first one's place.
			b.Close()
			<-done
		}
		if a.times != 1 || a.status < 200 || a.status > 599 {
			t.Errorf("%d answers, the first with status %d", a.times, a.status)
		}
		allowed := method == "POST" && windowID == "main" && withToken && bytes && (origin == "" || origin == ownOrigin)
		if reached := app.calls+len(app.opened) > 0; reached && !allowed {
			t.Errorf("%s %q of window %q with the origin %q reached the app", method, path, windowID, origin)
		}
	})
}
