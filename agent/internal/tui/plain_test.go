package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/internal/mcp"
)

// paper is what a plain interface writes on.
type paper struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *paper) until(t *testing.T, text string) {
	t.Helper()
	for range 2000 {
		p.mu.Lock()
		all := p.text.String()
		p.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%q was not written:\n%s", text, p.text.String())
}

func TestPlainLines(t *testing.T) {
	t.Parallel()
	in, typed := io.Pipe()
	agent, out := &fake{}, &paper{}
	ui := New(Options{Title: "elyra test"})
	ui.set(true)
	bash := call("1", "bash", `{"command":"ls"}`)
	agent.do = func(ctx context.Context, text string) error {
		ui.On(prompted(text))
		ui.On(says("a **bold**\nanswer\n\n"))
		ui.On(calls(bash))
		n, err := ui.Ask(ctx, Question{Title: "Run it?", Choices: []string{"Yes", "No"}})
		if err != nil || n != 1 {
			t.Errorf("the answer is %d, %v", n, err)
		}
		ui.On(results(bash, "one\ntwo", false))
		if n, err := ui.Pick(ctx, "Which?", []Item{{Name: "a"}, {Name: "b"}}); err != nil || n != 0 {
			t.Errorf("picked %d, %v", n, err)
		}
		r, err := ui.Elicit(ctx, "crm", mcp.ElicitParams{Message: "Sure?"})
		if err != nil || r.Action != mcp.ElicitAccept {
			t.Errorf("elicited %+v, %v", r, err)
		}
		ui.On(loop.Event{Kind: loop.KindEnd})
		return errors.New("it failed at the end")
	}
	ended := make(chan error, 1)
	go func() { ended <- newPlain(t.Context(), ui, agent, in, out).run() }()
	say := func(line string) {
		if _, err := io.WriteString(typed, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	out.until(t, "elyra test\n> ")
	say("hello")
	out.until(t, "Number, or an empty line for none: ")
	say("7")
	out.until(t, "A number from 1 to 2")
	say("2")
	out.until(t, "Question: Which?\n1. a\n2. b\nNumber")
	say("1")
	out.until(t, "crm: Sure?\nAllow this? [y/N] ")
	say("y")
	out.until(t, "it failed at the end\n> ")
	say("/help")
	out.until(t, "/quit leave")
	say("/quit")
	if err := <-ended; err != nil {
		t.Error(err)
	}
	ui.work.Wait()
	all := out.text.String()
	for _, want := range []string{"❯ hello\n", "a bold answer\n", "Running: bash {\"command\":\"ls\"}\n", "1. Yes\n2. No\n", "● bash {\"command\":\"ls\"} · 2 lines\n", "✗ it failed at the end\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q was not written:\n%s", want, all)
		}
	}
	if strings.Contains(all, "\x1b") || strings.Contains(all, "\r") {
		t.Errorf("something was redrawn: %q", all)
	}
}

func TestPlainEndsWithItsInput(t *testing.T) {
	t.Parallel()
	ui := New(Options{})
	if err := newPlain(t.Context(), ui, &fake{}, strings.NewReader(""), io.Discard).run(); err != nil {
		t.Error(err)
	}
}

func TestWithoutATerminal(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	err = Run(t.Context(), Options{Input: r, Output: w}, &fake{})
	if !errors.Is(err, ErrNoTerminal) || !strings.Contains(err.Error(), "elyra -p") {
		t.Error(err)
	}
	if !plainTerminal([]string{"ELYRA_PLAIN=1"}) || !plainTerminal([]string{"TERM=dumb"}) || plainTerminal([]string{"TERM=xterm", "ELYRA_PLAIN=0"}) {
		t.Error("the environment is not understood")
	}
}
