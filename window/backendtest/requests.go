package backendtest

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func requestsArrive(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	body := make([]byte, 256)
	for i := range body {
		body[i] = byte(i)
	}
	a.do("main", order{
		Op: "fetch", Method: "POST", URL: "/probe/%C3%A4%20b%2Fc?q=%C3%A4&r=1", Body: body,
		Header: map[string]string{window.BodyHeader: window.BodyBytes, "X-Probe": "value"},
	})
	found := a.find("/probe/ä b/c")
	if len(found) != 1 {
		t.Fatalf("the request was seen %d times, want once", len(found))
	}
	r := found[0]
	if r.Window != "main" || r.Method != "POST" || r.Query != "q=%C3%A4&r=1" {
		t.Errorf("window %q, method %q, query %q", r.Window, r.Method, r.Query)
	}
	if !bytes.Equal(r.Body, body) {
		t.Errorf("the body arrived as %x", r.Body)
	}
	if r.header["X-Probe"] != "value" {
		t.Errorf("the page's header arrived as %q", r.header["X-Probe"])
	}
	if o := r.header["Origin"]; r.Origin == "" || o != "" && o != r.Origin {
		t.Errorf("the app's own page has the origin %q, and the backend says %q", o, r.Origin)
	}

	a.do("main", order{Op: "fetch", URL: "/probe/get"})
	if r := a.find("/probe/get")[0]; r.Method != "GET" || r.Body != nil {
		t.Errorf("a GET arrived as %s with the body %q", r.Method, r.Body)
	}
}

func answersArrive(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	r := a.do("main", order{Op: "fetch", Method: "POST", URL: "/probe", Body: []byte{0, 255}, Header: map[string]string{window.BodyHeader: window.BodyBytes}})
	if r.Status != 203 || !bytes.Equal(r.Body, []byte{0, 255}) {
		t.Errorf("got %d %x", r.Status, r.Body)
	}
	if r.Header["x-suite"] != "yes" || r.Header["content-type"] != "application/octet-stream" {
		t.Errorf("headers %v", r.Header)
	}
	if r := a.do("main", order{Op: "fetch", URL: "/twice"}); r.Status != 201 || string(r.Body) != "first" {
		t.Errorf("a request that was answered twice got %d %q, want the first", r.Status, r.Body)
	}
	if r := a.do("main", order{Op: "fetch", URL: "/silent"}); r.Status != 500 {
		t.Errorf("a request that was not answered got %d, want 500", r.Status)
	}
}

func slowAnswer(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.orders["a"] <- order{Op: "fetch", URL: "/wait"}
	if r := a.do("b", order{Op: "fetch", URL: "/probe"}); r.Status != 203 {
		t.Errorf("got %d", r.Status)
	}
	close(a.release)
	if r := receive(t, a.results["a"], "the slow answer"); string(r.Body) != "released" {
		t.Errorf("got %q", r.Body)
	}
}

func largeBodies(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	header := map[string]string{window.BodyHeader: window.BodyBytes}
	if r := a.do("main", order{Op: "fetch", Method: "POST", URL: "/probe", Header: header, Size: 1 << 20}); r.Text != "1048576" {
		t.Errorf("a body of 1 MiB came back with %s bytes", r.Text)
	}
	a.do("main", order{Op: "fetch", Method: "POST", URL: "/size", Header: header, Size: window.MaxBody + 10})
	if n := len(a.find("/size")[0].Body); n != window.MaxBody+1 {
		t.Errorf("of a body that is too large the host got %d bytes, want %d", n, window.MaxBody+1)
	}
}

func otherBodies(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "blob", URL: "/blob", Body: []byte("abc")})
	a.do("main", order{Op: "form", URL: "/form"})
	for _, path := range []string{"/blob", "/form"} {
		if r := a.find(path)[0]; r.Body != nil {
			t.Errorf("%s: a body without %s arrived: %q", path, window.BodyHeader, r.Body)
		}
	}
	header := map[string]string{window.BodyHeader: window.BodyBytes}
	if r := a.do("main", order{Op: "blob", URL: "/blob", Body: []byte("abc"), Header: header}); string(r.Body) != "abc" {
		t.Errorf("a blob under %s came back as %q", window.BodyHeader, r.Body)
	}
	// A backend may refuse a form under it, as long as the page lives on.
	a.orders["main"] <- order{Op: "form", URL: "/form", Header: header}
	receive(t, a.results["main"], "the page to report on a form")
	if r := a.do("main", order{Op: "word"}); r.Text != "word of main" {
		t.Errorf("the page is not what it was: %q", r.Text)
	}
}

func streamArrives(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	// A page may see a response begin only with its first bytes, so the order is not waited for.
	a.orders["main"] <- order{Op: "stream", URL: "/stream"}
	out := receive(t, a.streams, "the stream's request")
	for _, piece := range []string{"one", "two", "ü", strings.Repeat("x", 700)} {
		if _, err := io.WriteString(out, piece); err != nil {
			t.Fatal(err)
		}
		// The next piece is written only after the page has seen this one.
		if got := receive(t, a.chunks, "the piece "+piece[:1]); got != piece {
			t.Fatalf("the page saw %q, want %q", got, piece)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, a.chunks, "the end of the stream"); got != "the end" {
		t.Errorf("the page saw %q", got)
	}
}

func streamEnds(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.orders["a"] <- order{Op: "stream", URL: "/stream"}
	out := receive(t, a.streams, "the stream's request")
	if _, err := io.WriteString(out, "begin"); err != nil {
		t.Fatal(err)
	}
	receive(t, a.results["a"], "the stream to begin")
	a.do("a", order{Op: "close"})
	receive(t, a.closed, "the window to close")
	failed := make(chan error, 1)
	go func() {
		for {
			if _, err := out.Write(make([]byte, 4096)); err != nil {
				failed <- err
				return
			}
		}
	}()
	receive(t, failed, "writing to a closed window to fail")
	out.Close()
	if r := a.do("b", order{Op: "word"}); r.Text != "word of b" {
		t.Errorf("the other window says %q", r.Text)
	}
}
