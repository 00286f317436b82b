package backendtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// chosen is what a file dialog came to.
type chosen struct {
	paths []string
	err   error
}

func (a *app) openFile(ctx context.Context, id string, d window.OpenDialog) <-chan chosen {
	result := make(chan chosen, 1)
	go func() {
		paths, err := a.backend.(window.FileDialogs).OpenFile(ctx, id, d)
		result <- chosen{paths, err}
	}()
	return result
}

func (a *app) saveFile(ctx context.Context, id string, d window.SaveDialog) <-chan chosen {
	result := make(chan chosen, 1)
	go func() {
		path, err := a.backend.(window.FileDialogs).SaveFile(ctx, id, d)
		result <- chosen{[]string{path}, err}
	}()
	return result
}

func filesAreChosen(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.do("a", order{Op: "word"})
	there := filepath.Join(t.TempDir(), "größe 1.txt")
	if err := os.WriteFile(there, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	texts := []window.FileType{{Name: "Texts", Patterns: []string{"*.txt", "*.md"}}, {Patterns: []string{"*"}}}
	expect := func(what string, result <-chan chosen, want ...string) {
		t.Helper()
		if got := receive(t, result, what); got.err != nil || !slices.Equal(got.paths, want) {
			t.Errorf("%s: got %q, %v; want %q", what, got.paths, got.err, want)
		}
	}
	for _, d := range []window.OpenDialog{{Title: "Open one", Types: texts}, {Title: "Open some", Multiple: true}} {
		result := a.openFile(t.Context(), "a", d)
		a.user.Chooses(t, d.Title, there)
		expect("the file to open", result, there)
	}
	result := a.openFile(t.Context(), "", window.OpenDialog{Title: "Open none"})
	a.user.Chooses(t, "Open none", "")
	expect("no file to open", result)

	fresh := filepath.Join(filepath.Dir(there), "new.txt")
	result = a.saveFile(t.Context(), "b", window.SaveDialog{Title: "Save one", Name: "suggested.txt", Types: texts})
	a.user.Chooses(t, "Save one", fresh)
	expect("the file to write", result, fresh)
	if _, err := os.Stat(fresh); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the dialog has made the file: %v", err)
	}
	result = a.saveFile(t.Context(), "b", window.SaveDialog{Title: "Save none"})
	a.user.Chooses(t, "Save none", "")
	expect("no file to write", result, "")
}

func fileDialogsEnd(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.do("a", order{Op: "word"})
	a.do("b", order{Op: "word"})
	fails := func(what string, result <-chan chosen, want error) {
		t.Helper()
		if got := receive(t, result, what); !errors.Is(got.err, want) || len(got.paths) > 1 || len(got.paths) == 1 && got.paths[0] != "" {
			t.Errorf("%s: got %q, %v; want the error %v", what, got.paths, got.err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := a.openFile(ctx, "a", window.OpenDialog{Title: "Taken back"})
	cancel()
	fails("a dialog that is taken back", result, context.Canceled)

	if got := receive(t, a.openFile(t.Context(), "c", window.OpenDialog{}), "a window that is not there"); got.err == nil {
		t.Error("a window that is not there has a file dialog")
	}
	result = a.saveFile(t.Context(), "a", window.SaveDialog{Title: "Closed"})
	// The second one may be the first to arrive, so one of the two is refused: a window has one at a time.
	other := a.openFile(t.Context(), "a", window.OpenDialog{Title: "Closed"})
	open := result
	select {
	case got := <-other:
		if got.err == nil {
			t.Error("a window has two file dialogs")
		}
	case got := <-result:
		if got.err == nil {
			t.Error("a window has two file dialogs")
		}
		open = other
	}
	a.do("a", order{Op: "close"})
	fails("a dialog whose window closes", open, window.ErrClosed)

	a.do("b", order{Op: "close"})
	receive(t, a.done, "Run to return")
	fails("a dialog after Run", a.openFile(t.Context(), "", window.OpenDialog{}), window.ErrNotRunning)
}
