package backendtest

import (
	"context"
	"errors"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func windowsOpenLater(t *testing.T, s Setup) {
	later := window.Options{ID: "b", Title: "B", Width: 400, Height: 300}
	a := startKnowing(t, s, []window.Options{later}, window.Options{ID: "a"})
	a.do("a", order{Op: "word"})
	opener := a.backend.(window.Opener)
	if err := opener.Open(t.Context(), window.Options{ID: "a"}); !errors.Is(err, window.ErrAlreadyOpen) {
		t.Errorf("a window that is open was opened: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := opener.Open(ended, later); !errors.Is(err, context.Canceled) {
		t.Errorf("a window was opened although its time was over: %v", err)
	}
	for range 2 { // also when it was closed before
		if err := opener.Open(t.Context(), later); err != nil {
			t.Fatal(err)
		}
		if got := a.do("b", order{Op: "word"}).Text; got != "word of b" {
			t.Errorf("the page's first script saw %q", got)
		}
		a.do("b", order{Op: "fetch", URL: "/probe/opened"})
		if found := a.find("/probe/opened"); found[len(found)-1].Window != "b" {
			t.Errorf("the request came from window %q", found[len(found)-1].Window)
		}
		a.do("b", order{Op: "close"})
		if got := receive(t, a.closed, "window b to close"); got != "b" {
			t.Errorf("window %s closed, want b", got)
		}
	}
	// The windows of the start are no better than others: Run ends with the last one of all.
	if err := opener.Open(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	a.do("a", order{Op: "close"})
	receive(t, a.closed, "window a to close")
	if got := a.do("b", order{Op: "word"}).Text; got != "word of b" {
		t.Errorf("the window that is left says %q", got)
	}
	a.do("b", order{Op: "close"})
	if err := receive(t, a.done, "Run to return"); err != nil {
		t.Error(err)
	}
	if err := opener.Open(t.Context(), later); !errors.Is(err, window.ErrNotRunning) {
		t.Errorf("a window was opened after Run: %v", err)
	}
}

func windowsAreRaised(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.do("a", order{Op: "word"})
	opener := a.backend.(window.Opener)
	for _, id := range []string{"a", "b", "a"} {
		if err := opener.Raise(t.Context(), id, ""); err != nil {
			t.Error(err)
		}
	}
	if err := opener.Raise(t.Context(), "a", "some-startup-id_TIME123"); err != nil {
		t.Error(err)
	}
	if err := opener.Raise(t.Context(), "c", ""); err == nil {
		t.Error("a window that does not exist was raised")
	}
	if r := a.do("b", order{Op: "word"}); r.Text != "word of b" {
		t.Errorf("after that the page says %q", r.Text)
	}
	a.stop()
	receive(t, a.done, "Run to return")
	if err := opener.Raise(t.Context(), "a", ""); !errors.Is(err, window.ErrNotRunning) {
		t.Errorf("a window was raised after Run: %v", err)
	}
}

func sizesAreTold(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a", Width: 640, Height: 480}, window.Options{ID: "b", Width: 500, Height: 333})
	a.do("a", order{Op: "word"})
	a.do("b", order{Op: "word"})
	a.do("a", order{Op: "close"})
	receive(t, a.closed, "window a to close")
	a.stop()
	receive(t, a.done, "Run to return")
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, want := range map[string]window.Geometry{"a": {Width: 640, Height: 480}, "b": {Width: 500, Height: 333}} {
		if got := a.kept[id]; got != want {
			t.Errorf("window %s was %+v, want %+v", id, got, want)
		}
	}
}
