// Package backendtest is the suite that every window backend passes.
//
// It promises to use nothing but package window's interfaces: the page that it serves does, in a real web view, what a
// test asks for. It is imported by tests only.
package backendtest

import (
	"testing"

	"github.com/elyra-go/elyra/window"
)

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
