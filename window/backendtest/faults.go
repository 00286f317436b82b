package backendtest

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// What pages do to an app, on purpose or by mistake.
var faults = []test{
	{"Serve goes on while it streams", serveGoesOn},
	{"a page that floods", pageFloods},
	{"a page that never reads its stream", pageNeverReads},
	{"a page that loads again", pageLoadsAgain},
	{"a window closes with calls in flight", closesInFlight},
}

// serveGoesOn has the host write its stream while it still serves the request for it, as the bridge does.
func serveGoesOn(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.orders["main"] <- order{Op: "stream", URL: "/lasting"}
	out := receive(t, a.streams, "the stream's request")
	for _, piece := range []string{"one", strings.Repeat("x", 700), "three"} {
		if _, err := io.WriteString(out, piece); err != nil {
			t.Fatal(err)
		}
		if got := receive(t, a.chunks, "the piece "+piece[:1]); got != piece {
			t.Fatalf("the page saw %q, want %q", got, piece)
		}
	}
	receive(t, a.results["main"], "the page to report on its stream")
	if r := a.do("main", order{Op: "fetch", URL: "/probe"}); r.Status != 203 {
		t.Errorf("beside the stream a request got %d", r.Status)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
	if got := receive(t, a.chunks, "the end of the stream"); got != "the end" {
		t.Errorf("the page saw %q", got)
	}
	close(a.release) // only now Serve returns
	if r := a.do("main", order{Op: "word"}); r.Text != "word of main" {
		t.Errorf("after that the page says %q", r.Text)
	}
}

func pageFloods(t *testing.T, s Setup) {
	const requests = 500
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.orders["a"] <- order{Op: "flood", URL: "/probe", Size: requests}
	for range 10 {
		if r := a.do("b", order{Op: "fetch", URL: "/probe"}); r.Status != 203 {
			t.Errorf("beside a window that floods a request got %d", r.Status)
		}
	}
	if r := receive(t, a.results["a"], "the flood's answers"); r.Text != strconv.Itoa(requests) {
		t.Errorf("%s of %d requests were answered: %s", r.Text, requests, r.Error)
	}
}

func pageNeverReads(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.orders["a"] <- order{Op: "ignore", URL: "/stream"}
	out := receive(t, a.streams, "the stream's request")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// A web view may take all of it; then nobody is held up either.
		for range 256 {
			if _, err := out.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}()
	receive(t, a.results["a"], "the page to report on its stream")
	for _, id := range []string{"a", "b"} {
		if r := a.do(id, order{Op: "fetch", URL: "/probe"}); r.Status != 203 {
			t.Errorf("window %s: beside a stream that nobody reads a request got %d", id, r.Status)
		}
	}
	out.Close()
	receive(t, ended, "a Write that nobody takes to return after Close")
	a.do("a", order{Op: "close"})
	receive(t, a.closed, "the window to close")
	if r := a.do("b", order{Op: "word"}); r.Text != "word of b" {
		t.Errorf("the other window says %q", r.Text)
	}
}

func pageLoadsAgain(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "begin", URL: "/later"})
	receive(t, a.begun, "a call to begin")
	a.orders["main"] <- order{Op: "stream", URL: "/stream"}
	out := receive(t, a.streams, "the stream's request")
	defer out.Close()
	if _, err := io.WriteString(out, "begin"); err != nil {
		t.Fatal(err)
	}
	receive(t, a.results["main"], "the stream to begin")
	a.do("main", order{Op: "reload"})
	if r := a.do("main", order{Op: "word"}); r.Text != "word of main" {
		t.Errorf("the page that was loaded again says %q", r.Text)
	}
	failed := make(chan struct{})
	go func() {
		defer close(failed)
		for {
			if _, err := out.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}()
	receive(t, failed, "writing to a page that is gone to fail")
	close(a.release) // the call of the page before is answered now
	if r := a.do("main", order{Op: "fetch", URL: "/probe"}); r.Status != 203 {
		t.Errorf("after an answer to a page that is gone a request got %d", r.Status)
	}
}

func closesInFlight(t *testing.T, s Setup) {
	const calls = 5
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	for range calls {
		a.do("a", order{Op: "begin", URL: "/later"})
		receive(t, a.begun, "a call to begin")
	}
	a.do("a", order{Op: "close"})
	receive(t, a.closed, "the window to close")
	close(a.release)
	for range calls {
		receive(t, a.answered, "an answer to nobody")
	}
	if r := a.do("b", order{Op: "word"}); r.Text != "word of b" {
		t.Errorf("the other window says %q", r.Text)
	}
	a.do("b", order{Op: "close"})
	if err := receive(t, a.done, "Run to return"); err != nil {
		t.Errorf("Run: %v", err)
	}
}
