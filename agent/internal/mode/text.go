package mode

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/internal/terminal"
)

// Text writes the answers of the model to Out as they come, and what happens meanwhile to Notes, a line each.
type Text struct {
	Out, Notes io.Writer

	midLine bool // the last byte to Out was no end of a line
}

// On takes an event.
func (t *Text) On(e loop.Event) {
	switch e.Kind {
	case loop.KindStream:
		t.stream(e.Stream)
	case loop.KindMessage:
		t.endLine()
	case loop.KindCall:
		fmt.Fprintf(t.Notes, "· %s %s\n", e.Call.Name, terminal.OneLine(terminal.Visible(short(string(e.Call.Arguments)))))
	case loop.KindResult:
		if e.Output.IsError {
			fmt.Fprintf(t.Notes, "  ! %s\n", terminal.FirstLine(terminal.Visible(short(textOf(e.Output.Content)))))
		}
	case loop.KindNotice:
		fmt.Fprintf(t.Notes, "elyra: %s\n", terminal.Visible(e.Text))
	case loop.KindCompacting:
		fmt.Fprintln(t.Notes, "elyra: the conversation is summarised")
	}
}

func (t *Text) stream(e *model.Event) {
	switch e.Kind {
	case model.EventText:
		text := terminal.Visible(e.Text)
		io.WriteString(t.Out, text) //nolint:errcheck // A reader that is gone ends the program by a signal.
		if text != "" {
			t.midLine = !strings.HasSuffix(text, "\n")
		}
	case model.EventRetry:
		fmt.Fprintf(t.Notes, "elyra: trying again in %v: %s\n", e.After.Round(time.Second), terminal.Visible(e.Text))
	}
}

func (t *Text) endLine() {
	if t.midLine {
		fmt.Fprintln(t.Out)
		t.midLine = false
	}
}

func textOf(blocks []model.Block) string {
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// short cuts what is only a hint.
func short(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
