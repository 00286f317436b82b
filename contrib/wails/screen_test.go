//go:build linux && cgo && gtk3 && !android

package wails

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// listingUser answers the questions of the suite without a screen.
type listingUser struct {
	noFileDialogs
	questions chan string
	answers   chan bool
}

func (u listingUser) ask(ctx context.Context, q window.Question) bool {
	select {
	case u.questions <- q.Title:
	case <-ctx.Done():
		return false
	}
	select {
	case accept := <-u.answers:
		return accept
	case <-ctx.Done():
		return false
	}
}

func (u listingUser) Sees(*testing.T) string            { return <-u.questions }
func (u listingUser) Answers(_ *testing.T, accept bool) { u.answers <- accept }

// noFileDialogs is the part of a user of the suite that the backend has no use for: it is no window.FileDialogs.
type noFileDialogs struct{}

func (noFileDialogs) Chooses(t *testing.T, _, _ string) {
	t.Helper()
	t.Fatal("the backend has no file dialogs")
}

// xdotool moves the pointer and presses keys as the X server knows them, so that the toolkit sees no difference to a person.
func xdotool(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("xdotool", args...).Output()
	if err != nil {
		t.Fatalf("xdotool %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// eventually waits for ok. It bounds a failing test only.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// windowOf waits for the X window with a title.
func windowOf(t testing.TB, title string) (id string) {
	t.Helper()
	eventually(t, "a window with the title "+title, func() bool {
		out, _ := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+title+"$").Output()
		if found := strings.Fields(string(out)); len(found) == 1 {
			id = found[0]
		}
		return id != ""
	})
	return id
}

// screenUser is the person of the backend suite: it looks for the question's window on the screen and presses keys.
type screenUser struct {
	noFileDialogs
	mu      sync.Mutex
	current *backend
}

// backend makes a backend and remembers it: the suite runs one at a time. Without a window manager the window under the
// pointer has the keyboard, so the pointer goes where none is.
func (u *screenUser) backend() window.Backend {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.current = newBackend(Options{})
	_ = exec.Command("xdotool", "mousemove", "1279", "1023").Run()
	return u.current
}

// asking gives the question on the screen, and how often its guard went up. It is nil while none takes input.
func (u *screenUser) asking() (a *question, guards int) {
	u.mu.Lock()
	s := u.current.running.Load()
	u.mu.Unlock()
	if s == nil {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.questions) > 0 && s.questions[0].ready {
		return s.questions[0], s.questions[0].guards
	}
	return nil, 0
}

func (u *screenUser) Sees(t *testing.T) string {
	t.Helper()
	return u.sees(t, "a question that takes input", func(*question, int) bool { return true }).Title
}

// sees waits for a question that takes input and is the one that is meant.
func (u *screenUser) sees(t *testing.T, what string, meant func(a *question, guards int) bool) (found *question) {
	t.Helper()
	eventually(t, what, func() bool {
		a, guards := u.asking()
		if a != nil && meant(a, guards) {
			found = a
		}
		return found != nil
	})
	return found
}

// Answers gives the keyboard to the question, which has it take no input for a while, and presses keys after that.
func (u *screenUser) Answers(t *testing.T, accept bool) {
	t.Helper()
	a := u.sees(t, "a question that takes input", func(*question, int) bool { return true })
	_, before := u.asking()
	xdotool(t, "windowfocus", "--sync", windowOf(t, a.Title))
	u.sees(t, "the guard to go up and down", func(_ *question, guards int) bool { return guards > before })
	if accept {
		xdotool(t, "key", "Tab", "Return")
	} else {
		xdotool(t, "key", "Escape")
	}
	eventually(t, "the question to go away", func() bool {
		now, _ := u.asking()
		return now != a
	})
}
