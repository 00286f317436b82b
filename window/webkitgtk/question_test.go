//go:build webkit && linux

package webkitgtk

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// asking is an app with one window that has the keyboard, and what it asks.
type asking struct {
	*counter
	t       *testing.T
	backend window.Backend
	main    string // the X window
	done    chan error
}

const mainTitle = "The app"

func startAsking(t *testing.T, script string) *asking {
	c := newCounter()
	b := newBackend(Options{})
	done := runAppOn(t, c, b, `await report("loaded");`+script, window.Options{Title: mainTitle, Width: 500, Height: 400})
	expect(t, c, `["loaded"]`)
	a := &asking{c, t, b, windowOf(t, mainTitle), done}
	return a
}

// front gives the app's window the keyboard.
func (a *asking) front() {
	a.t.Helper()
	focus(a.t, a.main)
	eventually(a.t, "the window to have the keyboard", func() (active bool) {
		onGTK(func(s *session) { _, active = s.front() })
		return active
	})
}

// ask asks in the background. The answer is "accepted", "refused" or the error's text.
func (a *asking) ask(ctx context.Context, q window.Question) chan string {
	answer := make(chan string, 1)
	go func() {
		accepted, err := a.backend.(window.Asker).Ask(ctx, q)
		switch {
		case err != nil:
			answer <- err.Error()
		case accepted:
			answer <- "accepted"
		default:
			answer <- "refused"
		}
	}()
	return answer
}

// shown asks and waits until the dialog is on the screen, guarded still.
func (a *asking) shown(title string) chan string {
	a.t.Helper()
	a.front()
	answer := a.ask(a.t.Context(), window.Question{Title: title, Text: "May it?"})
	windowOf(a.t, title)
	return answer
}

// open asks and waits until the dialog has the keyboard and takes input.
func (a *asking) open(title string) chan string {
	a.t.Helper()
	answer := a.shown(title)
	activate(a.t, title)
	return answer
}

func gets(t *testing.T, answer chan string, want string) {
	t.Helper()
	if got := next(t, answer, "the question to be "+want); got != want {
		t.Fatalf("the question was %s, want %s", got, want)
	}
}

// stays checks, for somewhat longer than the guard is up, that a question is not answered.
func stays(t *testing.T, answer chan string) {
	t.Helper()
	select {
	case got := <-answer:
		t.Fatalf("the question was %s, want it to stay", got)
	case <-time.After(guardTime + 300*time.Millisecond):
	}
}

func TestQuestionByKeyboard(t *testing.T) {
	a := startAsking(t, "")
	for _, test := range []struct{ keys, want string }{
		{"Return", "refused"},
		{"KP_Enter", "refused"},
		{"space", "refused"},
		{"Escape", "refused"},
		{"Tab Return", "accepted"},
		{"Tab space", "accepted"},
		{"Tab Escape", "refused"},
		{"Right Return", "accepted"},
		{"Tab shift+Tab Return", "refused"},
		{"a Alt_L ctrl+a F4 Return", "refused"},
	} {
		answer := a.open("By keyboard")
		xdotool(t, append([]string{"key"}, strings.Fields(test.keys)...)...)
		if got := next(t, answer, "the answer to "+test.keys); got != test.want {
			t.Errorf("%s: %s, want %s", test.keys, got, test.want)
		}
	}
}

func TestQuestionByPointer(t *testing.T) {
	a := startAsking(t, "")
	for want, button := range map[string]func(*question) uintptr{"accepted": acceptButton, "refused": refuseButton} {
		answer := a.open("By pointer")
		point(t, "By pointer", button)
		click(t)
		gets(t, answer, want)
	}
	// The pointer was on the button already when the dialog began to take input.
	answer := a.shown("Waiting pointer")
	point(t, "Waiting pointer", acceptButton)
	activate(t, "Waiting pointer")
	click(t)
	gets(t, answer, "accepted")
}

func TestQuestionIsDeafAtFirst(t *testing.T) {
	a := startAsking(t, "")
	t.Run("clicks and keys", func(t *testing.T) {
		answer := a.shown("Deaf")
		point(t, "Deaf", acceptButton)
		xdotool(t, "click", "1", "key", "Return", "key", "Escape", "key", "space", "click", "--repeat", "3", "--delay", "20", "1")
		stays(t, answer)
		click(t)
		gets(t, answer, "accepted")
	})
	t.Run("a click that began before", func(t *testing.T) {
		answer := a.shown("Half a click")
		point(t, "Half a click", acceptButton)
		xdotool(t, "mousedown", "1")
		stays(t, answer)
		xdotool(t, "mouseup", "1")
		stays(t, answer)
		click(t)
		gets(t, answer, "accepted")
	})
	t.Run("a key that is held down", func(t *testing.T) {
		xdotool(t, "keydown", "Return")
		defer xdotool(t, "keyup", "Return")
		answer := a.shown("Held")
		focus(t, windowOf(t, "Held"))
		stays(t, answer)
		xdotool(t, "keyup", "Return")
		stays(t, answer)
		xdotool(t, "key", "Return")
		gets(t, answer, "refused")
	})
	t.Run("a key that is held down later", func(t *testing.T) {
		answer := a.open("Held later")
		xdotool(t, "key", "Tab", "keydown", "Return")
		defer xdotool(t, "keyup", "Return")
		time.Sleep(time.Second) // so long that the X server repeats the key
		xdotool(t, "keyup", "Return")
		stays(t, answer)
		xdotool(t, "key", "Return")
		gets(t, answer, "accepted")
	})
	t.Run("when it gets the keyboard", func(t *testing.T) {
		answer := a.open("Came to the front")
		focus(t, a.main)
		point(t, "Came to the front", acceptButton)
		eventually(t, "the dialog to lose the keyboard", func() (lost bool) {
			onGTK(func(s *session) { lost = s.kit.windowIsActive(s.asking().dialog) == 0 })
			return lost
		})
		focus(t, windowOf(t, "Came to the front"))
		click(t)
		stays(t, answer)
		click(t)
		gets(t, answer, "accepted")
	})
}

func TestQuestionsAreShownOneAfterTheOther(t *testing.T) {
	a := startAsking(t, "")
	answers := map[string]chan string{}
	titles := []string{"One", "Two", "Three"}
	for i, title := range titles {
		answers[title] = a.ask(t.Context(), window.Question{Title: title})
		eventually(t, "the question to be in line", func() (there bool) {
			onGTK(func(s *session) { there = len(s.questions) == i+1 })
			return there
		})
	}
	activate(t, "One")
	point(t, "One", acceptButton)
	xdotool(t, "click", "--repeat", "4", "--delay", "60", "1") // The dialogs have the same place.
	gets(t, answers["One"], "accepted")
	stays(t, answers["Two"])
	if len(windows("Three")) != 0 {
		t.Error("two dialogs are on the screen")
	}
	activate(t, "Two")
	xdotool(t, "key", "Escape")
	gets(t, answers["Two"], "refused")
	activate(t, "Three")
	xdotool(t, "key", "Tab", "Return")
	gets(t, answers["Three"], "accepted")
}

func TestQuestionIsTakenBack(t *testing.T) {
	a := startAsking(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	answer := a.ask(ctx, window.Question{Title: "Taken back"})
	windowOf(t, "Taken back")
	gets(t, answer, context.DeadlineExceeded.Error())
	eventually(t, "the dialog to go away", func() bool { return len(windows("Taken back")) == 0 })
	if _, err := a.backend.(window.Asker).Ask(ctx, window.Question{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a question whose time was over before: %v", err)
	}
}

// A page may open dialogs of its own as it likes: they are part of the page.
func TestPageCannotAnswerAQuestion(t *testing.T) {
	a := startAsking(t, `
		setTimeout(() => { for (let i = 0; i < 3; i++) confirm("the page's own " + i); }, 0);
		setInterval(() => { window.focus(); document.querySelector("h1").requestFullscreen?.().catch(() => 0); }, 5);`)
	answer := a.open("Beside a page")
	point(t, "Beside a page", acceptButton)
	click(t)
	gets(t, answer, "accepted")
	answer = a.open("Beside a page")
	xdotool(t, "key", "Escape")
	gets(t, answer, "refused")
}

func TestQuestionDoesNotTakeTheKeyboardFromAnotherProgram(t *testing.T) {
	a := startAsking(t, "")
	answer := a.shown("With the keyboard")
	if time := xprop(t, windowOf(t, "With the keyboard"), "_NET_WM_USER_TIME"); strings.HasSuffix(time, "= 0\n") {
		t.Error("the dialog does not take over the keyboard that the app has")
	}
	activate(t, "With the keyboard")
	xdotool(t, "key", "Escape")
	gets(t, answer, "refused")

	xdotool(t, "mousemove", "1270", "890") // beside the app's windows
	focus(t, rootWindow(t))                // as if it were a program without windows
	eventually(t, "the app to lose the keyboard", func() (lost bool) {
		onGTK(func(s *session) { _, active := s.front(); lost = !active })
		return lost
	})
	before := xdotool(t, "getwindowfocus")
	answer = a.ask(t.Context(), window.Question{Title: "Without the keyboard"})
	// A window manager gives no keyboard to a window that was never used.
	if time := xprop(t, windowOf(t, "Without the keyboard"), "_NET_WM_USER_TIME"); !strings.HasSuffix(time, "= 0\n") {
		t.Errorf("the dialog may take the keyboard from another program: %s", time)
	}
	stays(t, answer)
	if now := xdotool(t, "getwindowfocus"); now != before {
		t.Errorf("the keyboard went from window %s to %s", before, now)
	}
	for _, title := range []string{"Without the keyboard", mainTitle} {
		if hints := xprop(t, windowOf(t, title), "WM_HINTS"); !strings.Contains(hints, "urgency hint bit is set") {
			t.Errorf("the window %s does not ask for attention: %q", title, hints)
		}
	}
	activate(t, "Without the keyboard")
	xdotool(t, "key", "Escape")
	gets(t, answer, "refused")
	if hints := xprop(t, a.main, "WM_HINTS"); strings.Contains(hints, "urgency hint bit is set") {
		t.Error("the window asks for attention after the answer")
	}
}

func xprop(t *testing.T, id, property string) string {
	t.Helper()
	out, err := exec.Command("xprop", "-id", id, property).CombinedOutput()
	if err != nil {
		t.Fatalf("xprop: %v: %s", err, out)
	}
	return string(out)
}

func TestLongQuestionFitsTheScreen(t *testing.T) {
	a := startAsking(t, "")
	word := strings.Repeat("unbroken", 100)
	for name, q := range map[string]window.Question{
		"many lines": {Text: strings.Repeat("a line\n", 3000)},
		"long words": {Title: word, Text: strings.Repeat(word, 30), Accept: word, Refuse: word},
		"wide":       {Title: strings.Repeat("W", 300), Text: strings.Repeat("W", 20000), Accept: strings.Repeat("W", 60), Refuse: strings.Repeat("W", 60)},
		"no markup":  {Title: "<b>Bold</b> &amp;", Text: "<span size='900000'>large</span> & <b>unclosed", Accept: "_Yes & <i>no", Refuse: "__"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		answer := a.ask(ctx, q)
		screenUser{}.Sees(t)
		var width, height int
		onGTK(func(s *session) {
			f := measures(s.kit)
			width, height = int(f.width(s.asking().dialog)), int(f.height(s.asking().dialog))
		})
		if width < 100 || width > 800 || height < 100 || height > 600 {
			t.Errorf("%s: the dialog takes %d × %d", name, width, height)
		}
		cancel()
		gets(t, answer, context.Canceled.Error())
	}
}
