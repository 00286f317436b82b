package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// fakeTerminal types its answer, and then nothing until it is closed or its deadline has passed.
type fakeTerminal struct {
	answer  io.Reader
	shown   strings.Builder
	woken   chan struct{}
	closed  bool
	stalled bool
}

func (f *fakeTerminal) Read(p []byte) (int, error) {
	if f.stalled {
		<-f.woken
		return 0, errors.New("deadline")
	}
	return f.answer.Read(p)
}
func (f *fakeTerminal) Write(p []byte) (int, error)     { return f.shown.Write(p) }
func (f *fakeTerminal) Close() error                    { f.closed = true; return nil }
func (f *fakeTerminal) SetReadDeadline(time.Time) error { close(f.woken); return nil }

func TestAskTakesOnlyAClearYes(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"y\n": "accept", " YES \r\n": "accept", "n\n": "decline", "\n": "decline", "yeah\n": "decline", "": "cancel", "y": "cancel",
	} {
		terminal := &fakeTerminal{answer: strings.NewReader(typed)}
		a := &asker{open: func() (Terminal, error) { return terminal, nil }, notices: io.Discard}
		result, err := a.ask(t.Context(), mcp.ElicitParams{Message: "Delete \x1b[8mall?", RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)})
		if err != nil || result.Action != want {
			t.Errorf("%q gives %+v, %v; want %s", typed, result, err, want)
		}
		if shown := terminal.shown.String(); !strings.HasPrefix(shown, `Delete \u001b[8mall?`+"\nAllow this? [y/N] ") || !terminal.closed {
			t.Errorf("%q: shown %q, closed %v", typed, shown, terminal.closed)
		}
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	t.Parallel()
	terminal := &fakeTerminal{stalled: true, woken: make(chan struct{})}
	a := &asker{open: func() (Terminal, error) { return terminal, nil }, notices: io.Discard}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := a.ask(ctx, mcp.ElicitParams{Message: "?"})
	if err != nil || result.Action != "cancel" || !terminal.closed {
		t.Errorf("got %+v, %v", result, err)
	}
}

func TestAskDeclinesWhatItCannotAsk(t *testing.T) {
	t.Parallel()
	none := func() (Terminal, error) { return nil, errors.New("no such device") }
	never := func() (Terminal, error) { t.Error("the terminal was opened"); return nil, errors.New("no") }
	for _, tt := range []struct {
		name   string
		open   func() (Terminal, error)
		params mcp.ElicitParams
		want   string
	}{
		{"no terminal", none, mcp.ElicitParams{Message: "Delete?"}, "there is no terminal to ask it on, so it is declined: Delete?\n"},
		{"no way to open one", nil, mcp.ElicitParams{Message: "Delete?"}, "there is no terminal to ask it on, so it is declined: Delete?\n"},
		{
			"a form", never,
			mcp.ElicitParams{Message: "Name?", RequestedSchema: jsontext.Value(`{"properties":{"name":{"type":"string"}}}`)},
			"more than yes or no, which rata cannot answer, so it declines: Name?\n",
		},
		{"a link", never, mcp.ElicitParams{Mode: mcp.ElicitModeURL, Message: "Go"}, "more than yes or no, which rata cannot answer, so it declines: Go\n"},
	} {
		var notices strings.Builder
		result, err := (&asker{open: tt.open, notices: &notices}).ask(t.Context(), tt.params)
		if err != nil || result.Action != "decline" || !strings.HasSuffix(notices.String(), tt.want) {
			t.Errorf("%s: %+v, %v, notice %q", tt.name, result, err, notices.String())
		}
	}
}
