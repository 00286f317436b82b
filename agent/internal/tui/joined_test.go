package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// vendor answers each request with a function of how often it was asked.
type vendor struct {
	asked  int
	answer func(ctx context.Context, asked int, on func(model.Event)) (model.Message, error)
}

func (v *vendor) Stream(ctx context.Context, _ model.Request, on func(model.Event)) (model.Message, error) {
	v.asked++
	return v.answer(ctx, v.asked, on)
}

// echo is a tool that says what it was told.
type echo struct{}

func (echo) Spec() model.Tool {
	return model.Tool{Name: "echo", InputSchema: jsontext.Value(`{"type":"object"}`)}
}
func (echo) Concurrent(jsontext.Value) bool { return true }
func (echo) Run(_ context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	progress("half way\n")
	return loop.Output{Content: []model.Block{model.Text("echo of " + string(c.Arguments))}}, nil
}

// asks lets the user decide about each call.
type asks struct{ ui *UI }

func (a asks) Allow(ctx context.Context, c *model.Call) error {
	n, err := a.ui.Ask(ctx, Question{Title: "Run " + c.Name + "?", Choices: []string{"Yes", "No"}})
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", loop.ErrStop, err)
	case n == 1:
		return fmt.Errorf("the user does not allow it")
	}
	return nil
}

func text(on func(model.Event), s string) model.Message {
	for part := range strings.SplitAfterSeq(s, " ") {
		on(model.Event{Kind: model.EventText, Text: part})
	}
	return model.Message{Content: []model.Block{model.Text(s)}, Stop: model.StopEnd}
}

// The interface with the agent that it is made for: a call that is asked for, one that is not wanted, an answer that is
// interrupted, and what was said meanwhile.
func TestWithTheLoop(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 70, 40, nil)
	streaming := make(chan bool)
	v := &vendor{answer: func(ctx context.Context, asked int, on func(model.Event)) (model.Message, error) {
		switch asked {
		case 1, 3:
			return model.Message{Content: []model.Block{{Call: &model.Call{ID: fmt.Sprint(asked), Name: "echo", Arguments: jsontext.Value(`{"a":1}`)}}}, Stop: model.StopCalls}, nil
		case 2:
			return text(on, "It **echoed**.\n"), nil
		case 4:
			m := text(on, "I begin to wri")
			close(streaming)
			<-ctx.Done()
			return m, ctx.Err()
		}
		return text(on, "All good.\n"), nil
	}}
	agent, err := loop.New(loop.Options{Provider: v, Model: model.Spec{Context: 100_000}, Tools: []loop.Tool{echo{}}, Gate: asks{d.ui}, On: d.ui.On})
	if err != nil {
		t.Fatal(err)
	}
	d.p.agent = agent

	d.keys("'first", "enter")
	d.until("a question", func() bool { return len(d.p.dialogs) > 0 })
	d.shows("Run echo?")
	d.keys("1")
	d.settle()
	d.shows("❯ first", `● echo {"a":1} · echo of {"a":1}`, "It echoed.")

	d.keys("'second", "enter")
	d.until("a question", func() bool { return len(d.p.dialogs) > 0 })
	d.keys("2")
	<-streaming
	d.until("the answer", func() bool { return strings.Contains(d.screen(), "I begin to wri") })
	d.keys("'not that", "enter", "'and this later", "tab")
	d.shows("✗ echo", "the user does not allow it", "next: not that", "queued: and this later")
	d.keys("esc")
	d.settle()
	d.shows("I begin to wri", "! Interrupted.")
	if got := d.p.editor.Value(); got != "not that\nand this later" {
		t.Errorf("the editor has %q", got)
	}
	d.keys("enter")
	d.settle()
	d.shows("❯ not that", "  and this later", "All good.")
	if d.p.work != nil {
		t.Error("something still goes on")
	}
}
