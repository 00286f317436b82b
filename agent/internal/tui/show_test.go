package tui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/internal/mcp"
)

func TestAServersForm(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 70, 24, nil)
	got := make(chan mcp.ElicitResult, 1)
	ask := func(p mcp.ElicitParams) {
		r, err := d.ui.Elicit(t.Context(), "crm\x1b[2J", p)
		if err != nil {
			t.Error(err)
		}
		got <- r
	}
	form := mcp.ElicitParams{Message: "Who?", RequestedSchema: jsontext.Value(`{"properties":{"n":{"type":"integer"}},"required":["n"]}`)}
	go ask(form)
	d.until("the field", func() bool { return len(d.p.dialogs) > 0 && strings.Contains(d.screen(), "n (integer)") })
	d.shows(`? crm\u001b[2J: Who?`)
	d.now = d.now.Add(time.Second)
	d.keys("'x", "enter")
	d.until("a problem", func() bool { return strings.Contains(d.screen(), "it is no number") })
	d.keys("'7", "enter")
	d.until("the whole", func() bool { return strings.Contains(d.screen(), "Send it?") })
	d.keys("'y", "enter")
	if r := <-got; r.Action != mcp.ElicitAccept || string(r.Content) != `{"n":7}` {
		t.Errorf("%+v", r)
	}
	d.until("the editor", func() bool { return len(d.p.dialogs) == 0 })

	go ask(form)
	d.until("the field", func() bool { return len(d.p.dialogs) > 0 })
	d.now = d.now.Add(time.Second)
	d.keys("esc")
	if r := <-got; r.Action != mcp.ElicitCancel {
		t.Errorf("%+v", r)
	}

	go ask(mcp.ElicitParams{Mode: mcp.ElicitModeURL, URL: "https://xn--example-9db.com/x", Message: "Log in"})
	d.until("the address", func() bool { return strings.Contains(d.screen(), "Open it?") })
	d.shows("xn--example-9db.com", "Careful")
	d.now = d.now.Add(time.Second)
	d.keys("'n", "enter")
	if r := <-got; r.Action != mcp.ElicitDecline {
		t.Errorf("%+v", r)
	}
	d.settle()
}

func TestUnfolding(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 40, nil)
	bash := call("1", "bash", `{}`)
	d.events(step(model.EventThinking, "deep thoughts"), says("x\n"), results(bash, strings.Repeat("line\n", 20)+"the last", false))
	d.shows("… 17 more lines", "✻ Thought")
	d.hides("the last", "deep thoughts")
	d.keys("ctrl+o")
	d.shows("┌ bash", "│ the last")
	d.keys("ctrl+o")
	d.shows("┌ Thoughts", "│ deep thoughts")
	d.keys("ctrl+o")
	d.shows("nothing is folded")
}

func TestNothingForeignReachesTheTerminalButText(t *testing.T) {
	t.Parallel()
	evil := "\x1b[2J\x1b]0;t\x07\u009b31m\u202e\x00"
	var out bytes.Buffer
	now := time.Now()
	o := Options{
		Environ: []string{"NO_COLOR=1"}, Title: "t", Now: func() time.Time { return now }, Dir: "/" + evil, Branch: func() string { return evil },
		State: func() State { return State{Model: evil, Mode: evil, Session: evil, Level: model.Level("high")} },
	}
	ui := New(o)
	p := newProgram(t.Context(), ui, &fake{}, &out)
	p.Init()
	c := call(evil, "bash"+evil, `{"a":"`+evil+`"}`)
	p.event(prompted(evil))
	for _, e := range []loop.Event{
		step(model.EventThinking, evil), says(evil + "\n"), step(model.EventRetry, evil),
		{Kind: loop.KindStream, Stream: &model.Event{Kind: model.EventCallStart, Call: c}},
		calls(c), prints(c, evil),
	} {
		p.event(e)
		p.painted = time.Time{}
		p.work = &work{name: "w", prompt: true, since: now}
		p.said = []said{{evil, true}}
		p.draw()
	}
	p.open(question{Question{Title: evil, Lines: []string{evil}, Diff: "@@ -1 +1 @@\n+" + evil, Choices: []string{evil}}, &answer[int]{t.Context(), make(chan given[int], 1)}})
	p.painted = time.Time{}
	p.draw()
	p.dialogs = nil
	p.event(results(c, evil+"\n"+evil, true))
	p.event(loop.Event{Kind: loop.KindNotice, Text: evil})
	p.promptDone(&model.Error{Message: evil})
	p.painted = time.Time{}
	p.draw()
	text := out.String()
	for _, bad := range []string{"\x1b[2J", "\x1b]0", "\u009b", "\u202e", "\x00", "\x07"} {
		if strings.Contains(text, bad) {
			i := strings.Index(text, bad)
			t.Errorf("%q reached the terminal: %q", bad, text[max(i-60, 0):min(i+30, len(text))])
		}
	}
}

// The text is the same with colours as without, whatever the background.
func TestColoursCarryNothing(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for name, environ := range map[string][]string{
		"none": {"NO_COLOR=1", "COLORTERM=truecolor"}, "sixteen": {"TERM=xterm"}, "many": {"TERM=xterm-256color"},
	} {
		for _, dark := range []bool{true, false} {
			o := Options{Environ: environ, Now: func() time.Time { return time.Unix(0, 0) }}
			o = o.withDefaults()
			l := look.New(look.Detect(environ), dark)
			tr := newTranscript(&o, &l, 60)
			for _, e := range []loop.Event{prompted("do it"), says("# A\n\n**b** `c` [d](e)\n\n```go\nfunc x() {}\n```\n"), results(call("1", "bash", "{}"), "a\nb", true)} {
				tr.event(e)
			}
			var text, styled strings.Builder
			for _, line := range tr.take() {
				text.WriteString(ansi.Strip(line.String()) + "\n")
				styled.WriteString(line.String())
			}
			texts[text.String()] = name
			if colours := strings.Contains(styled.String(), "\x1b[3") && strings.Contains(styled.String(), "38;5"); colours != (name == "many") {
				t.Errorf("%s: %q", name, styled.String())
			}
		}
	}
	if len(texts) != 1 {
		t.Errorf("the texts differ: %q", texts)
	}
}

func TestTheTerminalTellsItsBackground(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ui := New(Options{Environ: []string{"TERM=xterm-256color"}, Title: "title"})
	p := newProgram(t.Context(), ui, &fake{}, &out)
	if err := p.start(); err != nil || !strings.Contains(out.String(), "\x1b]11;?") {
		t.Fatalf("%q, %v", out.String(), err)
	}
	p.Init()
	p.handle(tea.BackgroundColorMsg{Color: ansi.BrightWhite})
	if p.dark || !p.settled || *p.look != look.New(look.Many, false) {
		t.Error("a light background is not believed")
	}
	p.handle(settledMsg{})
	if p.dark {
		t.Error("the timeout came after the answer")
	}
	if darkByEnvironment([]string{"COLORFGBG=0;15"}) || !darkByEnvironment([]string{"COLORFGBG=15;0"}) || !darkByEnvironment(nil) {
		t.Error("COLORFGBG is not understood")
	}
}
