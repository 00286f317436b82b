// Package backendtest is the suite that every window backend passes.
//
// It promises to use nothing but package window's interfaces: the page that it serves does, in a real web view, what a
// test asks for. It is imported by tests only.
package backendtest

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// patience is how long a page may take for one thing before a test fails. It bounds a failing test only.
const patience = 30 * time.Second

// Setup is how the suite uses a backend.
type Setup struct {
	// New gives a fresh backend.
	New func() window.Backend
	// Main runs a function on the goroutine that may call the backend's Run, and waits for it.
	Main func(run func())
	// User is in front of the screen of a backend that is a window.Asker or has window.FileDialogs. Default: the backend is
	// neither.
	User User
}

// Run runs the suite.
func Run(t *testing.T, s Setup) {
	tests := []test{
		{"nothing to open", nothingToOpen},
		{"each window has its script", eachWindowHasItsScript},
		{"requests arrive as they were made", requestsArrive},
		{"answers arrive as they were given", answersArrive},
		{"a slow answer holds up nothing", slowAnswer},
		{"large bodies", largeBodies},
		{"bodies that are no bytes", otherBodies},
		{"a stream arrives piece by piece", streamArrives},
		{"a stream ends with its window", streamEnds},
		{"foreign pages are seen as such", foreignPages},
		{"a page closes its window", pageCloses},
		{"the end of ctx closes all", contextEnds},
		{"sizes are told", sizesAreTold},
	}
	tests = append(tests, faults...)
	_, asks := s.New().(window.Asker)
	if asks && s.User == nil {
		t.Fatal("the backend asks questions, and the setup has no user who answers")
	}
	if asks {
		tests = append(tests, []test{
			{"questions are answered", questionsAreAnswered},
			{"questions take turns", questionsTakeTurns},
			{"questions are taken back", questionsAreTakenBack},
			{"questions end with the windows", questionsEndWithTheWindows},
			{"pages cannot answer questions", pagesCannotAnswer},
		}...)
	}
	if _, opens := s.New().(window.Opener); opens {
		tests = append(tests, []test{
			{"windows open while others are", windowsOpenLater},
			{"windows are raised", windowsAreRaised},
		}...)
	}
	if _, chooses := s.New().(window.FileDialogs); chooses {
		tests = append(tests, []test{
			{"files are chosen", filesAreChosen},
			{"file dialogs end", fileDialogsEnd},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, s) })
	}
}

type test struct {
	name string
	run  func(*testing.T, Setup)
}

// app is one Run of the backend.
type app struct {
	*host
	t       *testing.T
	backend window.Backend
	user    User
	stop    context.CancelFunc
	done    chan error // Run's result
}

func start(t *testing.T, s Setup, windows ...window.Options) *app {
	t.Helper()
	return startKnowing(t, s, nil, windows...)
}

// startKnowing is start for an app that will open windows of more ids.
func startKnowing(t *testing.T, s Setup, later []window.Options, windows ...window.Options) *app {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	a := &app{host: newHost(slices.Concat(windows, later)), t: t, backend: s.New(), user: s.User, stop: stop, done: make(chan error, 1)}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		s.Main(func() { a.done <- a.backend.Run(ctx, a.host, windows) })
	}()
	t.Cleanup(func() {
		stop()
		receive(t, finished, "the end of Run")
	})
	return a
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited %v for %s", patience, what)
		panic("unreachable")
	}
}

// do has the page of a window carry out an order.
func (a *app) do(id string, o order) result {
	a.t.Helper()
	select {
	case a.orders[id] <- o:
	case <-time.After(patience):
		a.t.Fatalf("the page of window %q does not ask for orders", id)
	}
	r := receive(a.t, a.results[id], "the page to report on "+o.Op)
	if r.Error != "" {
		a.t.Fatalf("%s: the page says %s", o.Op, r.Error)
	}
	return r
}

func nothingToOpen(t *testing.T, s Setup) {
	s.Main(func() {
		if err := s.New().Run(t.Context(), newHost(nil), nil); err == nil {
			t.Error("Run without windows returned no error")
		}
	})
}

func eachWindowHasItsScript(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "one"}, window.Options{ID: "two", Title: "Two", Width: 300, Height: 200})
	for _, id := range []string{"one", "two"} {
		if got, want := a.do(id, order{Op: "word"}).Text, "word of "+id; got != want {
			t.Errorf("window %s: the page's first script saw %q, want %q", id, got, want)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scripts["one"] != 1 || a.scripts["two"] != 1 {
		t.Errorf("DocumentStart was asked %v times, want once a window", a.scripts)
	}
}

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

func foreignPages(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	if r := a.do("main", order{Op: "foreign", URL: "/foreign"}); r.Text != "undefined" {
		t.Errorf("a foreign page saw the script of the app's pages: %q", r.Text)
	}
	// A backend may keep foreign pages from the app altogether. What gets through must be known as foreign,
	// or at least not carry a header of the page's choice, so that it cannot carry a token.
	for _, r := range a.find("/foreign") {
		known := r.header["Origin"] != "" && r.header["Origin"] != r.Origin
		if !known && r.header["X-Probe"] != "" {
			t.Errorf("a foreign page's request came with a header of its own and the origin %q", r.header["Origin"])
		}
	}
}

func pageCloses(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	for _, id := range []string{"a", "b"} {
		a.do(id, order{Op: "close"})
		if got := receive(t, a.closed, "window "+id+" to close"); got != id {
			t.Errorf("window %s closed, want %s", got, id)
		}
	}
	if err := receive(t, a.done, "Run to return after the last window"); err != nil {
		t.Errorf("Run: %v", err)
	}
}

func contextEnds(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.do("a", order{Op: "word"})
	a.do("b", order{Op: "word"})
	a.stop()
	if err := receive(t, a.done, "Run to return after ctx ended"); err != nil {
		t.Errorf("Run: %v", err)
	}
	closed := map[string]bool{<-a.closed: true, <-a.closed: true}
	if !closed["a"] || !closed["b"] || len(a.closed) != 0 {
		t.Errorf("closed: %v and %d more", closed, len(a.closed))
	}
}
