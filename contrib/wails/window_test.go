//go:build linux && cgo && gtk3 && !android

package wails

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// alone runs a test in a process of its own, because it runs Wails. It is false in the process that only waits for that.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(role) != "" {
		return true
	}
	out, err := again(t, streams, "^"+t.Name()+"$")
	if err != nil || !strings.Contains(out, "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// reporter is an app of one page, whose script reports what it sees.
type reporter struct {
	script  string
	reports chan string
}

func (h *reporter) Serve(r *window.Request, w window.ResponseWriter) {
	switch r.Path {
	case "/report":
		w.Respond(204, nil, nil)
		h.reports <- string(r.Body)
	case "/script.js":
		w.Respond(200, map[string]string{"Content-Type": "text/javascript"}, []byte(`
			const report = (text) => fetch("/report", { method: "POST", headers: { "X-Elyra-Body": "bytes" }, body: String(text) });
			`+h.script))
	default:
		w.Respond(200, map[string]string{
			"Content-Type": "text/html", "Content-Security-Policy": "default-src 'self'",
		}, []byte(`<!doctype html><title>page</title><p>Hello<script type="module" src="/script.js"></script>`))
	}
}

func (h *reporter) DocumentStart(string) string { return "window.word = 'start';" }
func (h *reporter) Closed(string)               {}

// show runs a backend with a page until the test ends.
func show(t *testing.T, o Options, script string) (*screenUser, *reporter) {
	t.Helper()
	u := &screenUser{}
	u.backend()
	u.current.options = o.withDefaults()
	h := &reporter{script: script, reports: make(chan string, 8)}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go mainThread(func() { done <- u.current.Run(ctx, h, []window.Options{{}}) })
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return u, h
}

func (h *reporter) expect(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-h.reports:
		if got != want {
			t.Errorf("the page reports %q, want %q", got, want)
		}
	case <-time.After(patience):
		t.Errorf("waited %v for the page to report %q", patience, want)
	}
}

func TestPageDoesNotLeaveTheApp(t *testing.T) {
	if !alone(t) {
		return
	}
	opened := make(chan string, 4)
	o := Options{OpenURL: func(address string) error { opened <- address; return nil }}
	_, h := show(t, o, `
		const link = document.createElement("a");
		link.href = "https://example.com/link";
		document.body.append(link);
		link.click();
		window.open("mailto:ada@example.com");
		window.open("smb://host/share");
		await report([location.href, window.word, isSecureContext]);`)
	h.expect(t, "wails://localhost/,start,true")
	got := []string{<-opened, <-opened}
	slices.Sort(got)
	if want := []string{"https://example.com/link", "mailto:ada@example.com"}; !slices.Equal(got, want) || len(opened) > 0 {
		t.Errorf("opened %v and %d more, want %v", got, len(opened), want)
	}
}

func TestPageReachesNothingOfWails(t *testing.T) {
	if !alone(t) {
		return
	}
	_, h := show(t, Options{}, `
		const call = await fetch("/wails/runtime?object=0&method=0", { method: "POST", body: "{}" });
		const code = await (await fetch("/wails/runtime.js")).text();
		const accept = await fetch("/.elyra-wails/accept", { method: "POST" });
		const close = await fetch("/.elyra-wails/close", { method: "POST", headers: { "x-elyra-wails": "guess" } });
		await report([call.status, code.includes("Hello"), accept.status, close.status]);`)
	h.expect(t, "200,true,403,403") // The first two are the app's own page.
}

func TestPageLoadsAgain(t *testing.T) {
	if !alone(t) {
		return
	}
	_, h := show(t, Options{}, `
		await report(window.word + location.hash);
		if (!location.hash) { location.hash = "#again"; location.reload(); }`)
	h.expect(t, "start")
	h.expect(t, "start#again")
}

func TestRunTwice(t *testing.T) {
	if !alone(t) {
		return
	}
	u, h := show(t, Options{}, `await report("first"); window.close();`)
	h.expect(t, "first")
	eventually(t, "the first Run to end", func() bool { return u.current.running.Load() == nil })
	mainThread(func() {
		err := newBackend(Options{}).Run(t.Context(), h, []window.Options{{}})
		if err == nil || !strings.Contains(err.Error(), "once in a process") {
			t.Errorf("the second Run: %v", err)
		}
	})
}

func TestMachineWithoutScreen(t *testing.T) {
	if !alone(t) {
		return
	}
	o := Options{Getenv: func(string) string { return "" }}
	mainThread(func() {
		err := newBackend(o).Run(t.Context(), &reporter{}, []window.Options{{}})
		unavailable, ok := errors.AsType[*window.Unavailable](err)
		if !ok || unavailable.ExitCode != window.ExitNoDisplay {
			t.Errorf("got %v", err)
		}
	})
}

// answerOf asks and gives what comes of it.
func answerOf(t *testing.T, u *screenUser) chan string {
	t.Helper()
	eventually(t, "the window", func() bool { return u.current.running.Load() != nil })
	answer := make(chan string, 1)
	go func() {
		accepted, err := u.current.Ask(t.Context(), window.Question{Title: "Sure", Text: strings.Repeat("Long text <b>. ", 300)})
		answer <- fmt.Sprint(accepted, " ", err)
	}()
	return answer
}

func TestQuestionIsClicked(t *testing.T) {
	if !alone(t) {
		return
	}
	u, _ := show(t, Options{}, "")
	answer := answerOf(t, u)
	u.Sees(t)
	// The last button is 18 pixels from the corner of the window.
	id := windowOf(t, "Sure")
	xdotool(t, "mousemove", "--window", id, fmt.Sprint(questionWidth-40), fmt.Sprint(questionHeight-34))
	u.sees(t, "the guard to go down under the pointer", func(*question, int) bool { return true })
	eventually(t, "the click to answer", func() bool {
		if a, _ := u.asking(); a != nil {
			xdotool(t, "click", "1")
		}
		return len(answer) > 0
	})
	if got := <-answer; got != "true <nil>" {
		t.Errorf("got %s", got)
	}
}

func TestQuestionTakesNoInputBeforeItWasSeen(t *testing.T) {
	if !alone(t) {
		return
	}
	u, _ := show(t, Options{}, "")
	answer := answerOf(t, u)
	id := windowOf(t, "Sure")
	// Somebody types and holds Enter down while the window comes up.
	xdotool(t, "windowfocus", "--sync", id)
	xdotool(t, "key", "Tab", "Return", "space", "Escape")
	xdotool(t, "keydown", "Return")
	u.Sees(t)
	xdotool(t, "keyup", "Return")
	u.Sees(t) // It is still there.
	if len(answer) > 0 {
		t.Errorf("answered: %s", <-answer)
	}
	// A window that gets the keyboard late takes no input for a while again.
	eventually(t, "Escape to answer", func() bool {
		if a, _ := u.asking(); a != nil {
			xdotool(t, "key", "Escape")
		}
		return len(answer) > 0
	})
	if got := <-answer; got != "false <nil>" {
		t.Errorf("after Escape: %s", got)
	}
}
