package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// waits is work that ends when it is cancelled.
func waits(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestWhatIsSaidMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	d.agent.do = waits
	d.keys("'begin", "enter")
	d.until("the prompt", func() bool { return len(d.agent.heard()) == 1 })
	d.events(prompted("begin"))
	d.keys("'now", "enter", "'later", "tab")
	d.shows("next: now", "queued: later", "esc to interrupt")
	d.events(prompted("now"))
	d.hides("next: now")
	if got := d.agent.heard(); !slices.Equal(got, []string{"prompt: begin", "steer: now", "queue: later"}) {
		t.Errorf("heard %q", got)
	}
	d.agent.mu.Lock()
	d.agent.waiting = d.agent.waiting[1:] // The first was heard.
	d.agent.mu.Unlock()
	d.keys("'draft", "esc")
	d.settle()
	d.shows("! Interrupted.")
	d.hides("esc to interrupt")
	if got := d.p.editor.Value(); got != "later\ndraft" {
		t.Errorf("the editor has %q", got)
	}
}

func TestQuitting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keys []string
		quit bool
	}{
		"ctrl+c once":             {[]string{"ctrl+c"}, false},
		"ctrl+c twice":            {[]string{"ctrl+c", "ctrl+c"}, true},
		"ctrl+d":                  {[]string{"ctrl+d"}, true},
		"ctrl+d in a text":        {[]string{"'ab", "ctrl+a", "ctrl+d"}, false},
		"the command":             {[]string{"'/quit", "enter"}, true},
		"an unknown command":      {[]string{"'/quti", "enter"}, false},
		"a path is no command":    {[]string{"'/usr/bin", "enter"}, false},
		"ctrl+c in a text":        {[]string{"'ab", "ctrl+c"}, false},
		"ctrl+c thrice in a text": {[]string{"'ab", "ctrl+c", "ctrl+c"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, 60, 20, nil)
			d.keys(test.keys...)
			d.settle()
			if d.quit != test.quit {
				t.Errorf("quit %v, want %v:\n%s", d.quit, test.quit, d.screen())
			}
		})
	}
}

func TestEscapeTwiceEditsTheLastPrompt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	d.agent.history = []model.Message{
		{Role: model.User, Content: []model.Block{model.Text("first")}},
		{Role: model.Assistant, Content: []model.Block{model.Text("answer")}},
		{Role: model.User, Content: []model.Block{{Result: &model.Result{}}}},
	}
	d.keys("esc")
	d.shows("esc again edits the last prompt")
	d.keys2("esc", "esc")
	if got := d.p.editor.Value(); got != "first" {
		t.Errorf("the editor has %q", got)
	}
}

// keys2 presses keys quickly.
func (d *desk) keys2(list ...string) {
	now := d.now
	d.keys(list...)
	d.now = now
}

func TestLinesAndPastes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	d.keys("'a", "shift+enter", "'b", "ctrl+j", "'c", "alt+enter", `'d\`, "enter", "'e")
	if got := d.p.editor.Value(); got != "a\nb\nc\nd\ne" {
		t.Errorf("the editor has %q", got)
	}
	d.send(tea.PasteMsg{Content: strings.Repeat("pasted\n", 20)})
	d.shows("[pasted text 1: 21 lines]")
	d.keys("enter")
	d.settle()
	if got := d.agent.heard(); len(got) != 1 || strings.Count(got[0], "pasted\n") != 19 {
		t.Errorf("heard %q", got)
	}
	d.keys("up")
	d.shows("pasted")
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	ran := make(chan string, 1)
	d := newDesk(t, 60, 20, func(o *Options) {
		o.Commands = []Command{{Name: "compact", Args: "[focus]", Help: "shorten", Run: func(_ context.Context, args string) (Result, error) {
			ran <- args
			return Result{Text: "It is **shorter**."}, nil
		}}, {Name: "level", Complete: func(prefix string) []string {
			return slices.DeleteFunc([]string{"high", "low"}, func(s string) bool { return !strings.HasPrefix(s, prefix) })
		}, Run: func(_ context.Context, args string) (Result, error) { ran <- args; return Result{}, nil }}}
		o.Files = func(context.Context) ([]string, error) {
			return []string{"docs/parser.md", "internal/parse.go", "x/internal.go", "evil\x1b[2J.go"}, nil
		}
		o.Keys = map[string]string{"shift+tab": "/level low"}
	})
	d.keys("'/com")
	d.shows("▸ /compact [focus]  shorten")
	d.keys("enter")
	d.settle()
	d.shows("It is shorter.")
	if got := <-ran; got != "" {
		t.Errorf("ran with %q", got)
	}
	d.keys("'/lev", "tab", "'h")
	d.shows("▸ high")
	d.keys("enter")
	if got := <-ran; got != "high" {
		t.Errorf("ran with %q", got)
	}
	d.settle()
	d.keys("shift+tab")
	if got := <-ran; got != "low" {
		t.Errorf("ran with %q", got)
	}
	d.settle()
	d.keys("'see @parse")
	d.shows("▸ docs/parser.md", "internal/parse.go")
	d.keys("down", "enter")
	if got := d.p.editor.Value(); got != "see @internal/parse.go " {
		t.Errorf("the editor has %q", got)
	}
	d.keys("'@evil")
	d.shows("evil.go")
	d.keys("esc", "'x", "backspace")
	d.p.editor.Reset()
	d.keys("'/lev", "tab", "'nothing", "enter")
	if got := <-ran; got != "nothing" {
		t.Errorf("ran with %q", got)
	}
}

func TestShell(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, func(o *Options) {
		o.Shell = func(_ context.Context, command string, progress func(string)) (string, error) {
			progress("half\n")
			return "out of " + command + "\x1b[2J", errors.New("exit status 1")
		}
	})
	d.keys("'!make", "enter")
	d.settle()
	d.shows("! make", "  out of make", "✗ exit status 1")
	d.keys("'why?", "enter")
	d.settle()
	if got := d.agent.heard(); len(got) != 1 || !strings.Contains(got[0], "why?\nThe user ran this command:\n$ make\nout of make") {
		t.Errorf("heard %q", got)
	}
}

func TestAQuestionIsNotAnsweredByKeysPressedBeforeItCouldBeRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	answers := make(chan int, 1)
	go func() {
		n, err := d.ui.Ask(t.Context(), Question{Title: "Run it?", Lines: []string{"rm -rf \x1b[8mhidden\u202e"}, Choices: []string{"Yes", "No"}})
		if err != nil {
			t.Error(err)
		}
		answers <- n
	}()
	d.until("a question", func() bool { return len(d.p.dialogs) > 0 })
	d.shows("? Run it?", "rm -rf hidden<U+202E>", "▸ 1. Yes")
	d.send(tea.KeyPressMsg{Code: tea.KeyEnter})
	d.send(tea.KeyPressMsg{Code: '1', Text: "1"})
	if len(d.p.dialogs) == 0 {
		t.Fatal("it was answered at once")
	}
	d.now = d.now.Add(readTime)
	d.keys("2")
	if n := <-answers; n != 1 {
		t.Errorf("the answer is %d", n)
	}
	d.hides("Run it?")
}

func TestAFaultIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	d.agent.do = func(context.Context, string) error { panic("oh no") }
	d.keys("'go", "enter")
	d.settle()
	d.shows("✗ a fault of the program: oh no")
	d.hides("esc to interrupt")
}

func TestQuestionsComeOneByOneAndMayBeWithdrawn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, nil)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := d.ui.Ask(ctx, Question{Title: "First?", Choices: []string{"Yes"}}); first <- err }()
	d.until("the first", func() bool { return len(d.p.dialogs) == 1 })
	go func() {
		_, err := d.ui.Pick(t.Context(), "Second", []Item{{Name: "one"}, {Name: "two"}})
		second <- err
	}()
	d.until("both", func() bool { return len(d.p.dialogs) == 2 })
	d.shows("First?")
	d.hides("Second")
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	d.until("the second alone", func() bool { return len(d.p.dialogs) == 1 })
	d.shows("? Second:", "▸ one")
	d.keys("'tw")
	d.shows("▸ two", "1 of 2")
	d.now = d.now.Add(time.Second)
	d.keys("esc")
	if err := <-second; !errors.Is(err, ErrDismissed) {
		t.Error(err)
	}
}

func TestNobodyCanBeAskedWhenNothingRuns(t *testing.T) {
	t.Parallel()
	u := New(Options{})
	if _, err := u.Ask(t.Context(), Question{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	u.set(true)
	asked := make(chan error, 1)
	go func() { _, err := u.Ask(t.Context(), Question{}); asked <- err }()
	<-u.queue.wake
	u.turnAway(u.queue.close())
	if err := <-asked; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := u.Ask(t.Context(), Question{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestACommandAtTheStart(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20, func(o *Options) {
		o.Prompt = "/resume"
		o.Sessions = &Picker{Title: "Session", Items: func(context.Context) ([]Item, error) { return []Item{{ID: "1", Name: "an earlier one"}}, nil }}
	})
	d.until("the sessions are offered", func() bool { return strings.Contains(d.screen(), "an earlier one") })
	if heard := d.agent.heard(); len(heard) != 0 {
		t.Errorf("the model was told %q", heard)
	}
	d.keys("esc")
	d.settle()
}
