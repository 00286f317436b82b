package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/markdown"
)

// step takes a step of the model's answer.
func (t *transcript) step(e *model.Event) {
	if e.Kind != model.EventRetry && e.Kind != model.EventUsage {
		t.retry = ""
	}
	switch e.Kind {
	case model.EventThinking:
		if t.thinking.IsZero() {
			t.closeText()
			t.thinking = t.o.Now()
		}
		t.phase = "Thinking"
		t.thought.WriteString(e.Text)
	case model.EventText:
		t.closeThought()
		t.phase = "Answering"
		if t.stream == nil {
			t.stream = markdown.New(t.look, t.width)
		}
		t.stream.Write(e.Text)
		t.flow()
	case model.EventCallStart:
		t.closeText()
		t.writing, t.size, t.phase = e.Call, 0, "Writing a call"
	case model.EventCallArgs:
		t.size += len(e.Text)
	case model.EventCallEnd:
		t.writing = nil
	case model.EventRetry:
		t.retry = fmt.Sprintf("trying again in %s: %s", seconds(e.After), result.OneLine(e.Text, 200))
	}
}

// flow moves what is finished of the text that is being written.
func (t *transcript) flow() {
	lines := t.stream.Take()
	if len(lines) == 0 {
		return
	}
	if t.last != streaming {
		t.put(speech, lines...)
		t.last = streaming
		return
	}
	t.done = append(t.done, lines...)
}

// streaming is what the finished lines end with while more of the same text follows.
const streaming kindOfLine = -1

// closeText ends what is being written and thought.
func (t *transcript) closeText() {
	t.closeThought()
	if t.stream != nil {
		t.stream.Close()
		t.flow()
		t.stream = nil
	}
	if t.last == streaming {
		t.last = speech
	}
}

func (t *transcript) closeThought() {
	if t.thinking.IsZero() {
		return
	}
	text, took := strings.TrimSpace(t.thought.String()), t.o.Now().Sub(t.thinking)
	t.thinking = time.Time{}
	t.thought.Reset()
	if text == "" {
		return
	}
	t.put(speech, t.look.Dim.Text(fmt.Sprintf("✻ Thought for %s", seconds(took))))
	t.fold("Thoughts", t.thoughtLines(text))
}

func (t *transcript) thoughtLines(text string) func(int) []cells.Line {
	return func(width int) []cells.Line {
		return cells.Wrap(t.look.Dim.With(t.look.Italic).Text(result.Clean(text)), width, nil, nil)
	}
}
