package mode

import (
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// Line is what happens, as one line of JSON. Type says which of the other members there are:
//
//	session     session, model, cwd
//	prompt      message: what the user said, taken in now
//	text        text of the answer goes on, in block
//	thinking    text of a thought goes on, in block
//	message     message: the whole answer, with usage, cost and why it stopped
//	call        call starts to run
//	progress    text, of the running call
//	result      call, text, isError
//	retry       text, afterMs
//	compacted   text: the summary
//	notice      text for the user
//	response    id, command, and error when it failed (rpc only)
//	end         totals; text and error when the work ended early
type Line struct {
	Type    string         `json:"type"`
	ID      string         `json:"id,omitzero"`
	Command string         `json:"command,omitzero"`
	Session string         `json:"session,omitzero"`
	Model   string         `json:"model,omitzero"`
	Dir     string         `json:"cwd,omitzero"`
	Message *model.Message `json:"message,omitzero"`
	Block   int            `json:"block,omitzero"`
	Text    string         `json:"text,omitzero"`
	Call    *model.Call    `json:"call,omitzero"`
	IsError bool           `json:"isError,omitzero"`
	AfterMS int64          `json:"afterMs,omitzero"`
	Totals  *Totals        `json:"totals,omitzero"`
	Error   string         `json:"error,omitzero"`
	Data    any            `json:"data,omitzero"`
}

// Totals are what a session has used.
type Totals struct {
	Usage    model.Usage `json:"usage"`
	Cost     float64     `json:"cost"` // US dollars
	Requests int         `json:"requests"`
	Context  int64       `json:"context"` // tokens
}

// TotalsOf makes the totals of an agent.
func TotalsOf(t loop.Totals) *Totals {
	return &Totals{Usage: t.Usage, Cost: t.Cost, Requests: t.Requests, Context: t.Context}
}

// Lines writes lines of JSON, each whole.
type Lines struct {
	mu sync.Mutex
	w  io.Writer
}

// NewLines returns a writer of lines.
func NewLines(w io.Writer) *Lines { return &Lines{w: w} }

// Write writes one line. A reader that is gone is none of its business.
func (l *Lines) Write(line Line) {
	text, err := json.Marshal(line, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text, _ = json.Marshal(Line{Type: "notice", Text: "an event could not be written: " + err.Error()})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w.Write(append(text, '\n')) //nolint:errcheck // See above.
}

// On takes an event.
func (l *Lines) On(e loop.Event) {
	switch e.Kind {
	case loop.KindPrompt, loop.KindMessage:
		l.Write(Line{Type: string(e.Kind), Message: e.Message})
	case loop.KindStream:
		l.stream(e.Stream)
	case loop.KindCall:
		l.Write(Line{Type: "call", Call: e.Call})
	case loop.KindProgress:
		l.Write(Line{Type: "progress", Call: &model.Call{ID: e.Call.ID, Name: e.Call.Name}, Text: e.Text})
	case loop.KindResult:
		l.Write(Line{Type: "result", Call: &model.Call{ID: e.Call.ID, Name: e.Call.Name}, Text: textOf(e.Output.Content), IsError: e.Output.IsError})
	case loop.KindCompacted, loop.KindNotice:
		l.Write(Line{Type: string(e.Kind), Text: e.Text})
	}
}

func (l *Lines) stream(e *model.Event) {
	switch e.Kind {
	case model.EventText, model.EventThinking:
		l.Write(Line{Type: string(e.Kind), Block: e.Block, Text: e.Text})
	case model.EventRetry:
		l.Write(Line{Type: "retry", Text: e.Text, AfterMS: e.After.Milliseconds()})
	}
}
