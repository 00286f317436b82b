package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// summaryRequest is what the model is asked when the conversation has to become shorter.
const summaryRequest = `The conversation is about to be shortened. Write a summary that replaces everything above, for yourself, so that you can go on without it. State:
- what the user wants, in the user's own terms, with every constraint and preference
- what was done: files read and changed, commands run, results that matter, with exact names and paths
- decisions and their reasons, errors and how they were solved
- what is left to do, and the next step
Write nothing else and call no tools.`

// summaryHead begins the message that a summary becomes.
const summaryHead = "The conversation so far was shortened to this summary:\n\n"

// bytesPerToken is a cautious guess for text that no vendor has counted yet.
const bytesPerToken = 3

// full reports whether the next request would leave less room than an answer needs.
func (a *Agent) full() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.o.Model.Context > 0 && a.size() > a.o.Model.Context-a.o.Reserve
}

// size estimates the tokens of the next request: what the vendor counted last, and what was said since. The caller holds mu.
func (a *Agent) size() int64 {
	var since int64
	for i := len(a.history) - 1; i >= 0; i-- {
		m := a.history[i]
		if m.Role == model.Assistant && m.Usage != nil {
			return m.Usage.Total() + since
		}
		since += tokens(m)
	}
	return since + int64(len(a.o.System))/bytesPerToken
}

// tokens estimates those of a message.
func tokens(m model.Message) int64 {
	var n int64
	for _, b := range m.Content {
		n += blockTokens(b)
	}
	return n
}

func blockTokens(b model.Block) int64 {
	n := int64(len(b.Text)) / bytesPerToken
	switch {
	case b.Thinking != nil:
		n += int64(len(b.Thinking.Text)) / bytesPerToken
	case b.Image != nil:
		n += 1_600 // what vendors count for a large picture
	case b.Call != nil:
		n += int64(len(b.Call.Arguments)+len(b.Call.Raw)) / bytesPerToken
	case b.Result != nil:
		for _, inner := range b.Result.Content {
			n += blockTokens(inner)
		}
	}
	return n + 4
}

// Compact has the model summarise what was said early and goes on with the summary and the last messages. Focus is what the
// user wants the summary to keep above all, "" for nothing in particular.
func (a *Agent) Compact(ctx context.Context, focus string) error {
	a.mu.Lock()
	cut := a.cut()
	early := append([]model.Message(nil), a.history[:cut]...)
	r := model.Request{Model: a.o.Model, System: a.o.System, Tools: a.specs, Level: model.LevelOff, Session: a.o.Session}
	provider := a.o.Provider
	a.mu.Unlock()
	if cut == 0 {
		return errors.New("compact the conversation: there is nothing to summarise; the last message alone is too long")
	}
	a.tell(Event{Kind: KindCompacting})
	request := summaryRequest
	if focus != "" {
		request += "\nThe user asks to keep above all: " + focus
	}
	r.Messages = append(early, model.Message{Role: model.User, Content: []model.Block{model.Text(request)}})
	m, err := provider.Stream(ctx, r, func(model.Event) {})
	if err != nil {
		return fmt.Errorf("compact the conversation: %w", err)
	}
	summary := strings.TrimSpace(m.String())
	if summary == "" {
		return errors.New("compact the conversation: the model wrote no summary")
	}
	a.mu.Lock()
	kept := a.history[cut:]
	var usage model.Usage
	if m.Usage != nil {
		usage = *m.Usage
	}
	err = a.o.Store.Compact(summary, len(kept), usage, m.Cost)
	if err == nil {
		m.Role = model.Assistant
		a.count(m)
		a.history = append([]model.Message{Summary(summary)}, kept...)
		forgetUsage(a.history)
	}
	a.mu.Unlock()
	if err != nil {
		return fmt.Errorf("store the summary of the conversation: %w", err)
	}
	a.tell(Event{Kind: KindCompacted, Text: summary})
	return nil
}

// Summary is the message that stands for what was summarised.
func Summary(text string) model.Message {
	return model.Message{Role: model.User, Content: []model.Block{model.Text(summaryHead + text)}}
}

// forgetUsage takes what vendors counted off messages: it was of requests that were longer.
func forgetUsage(history []model.Message) {
	for i := range history {
		history[i].Usage = nil
	}
}

// cut is where the part that is kept begins: at a message of the user that is no result, so that no call is divided from
// its result, with at most Keep tokens from there on. If that leaves nothing to summarise, it is the last such message. The
// caller holds mu.
func (a *Agent) cut() int {
	var kept int64
	best := 0
	for i := len(a.history) - 1; i > 0; i-- {
		kept += tokens(a.history[i])
		if kept > a.o.Keep && best > 0 {
			break
		}
		if begins(a.history[i]) {
			best = i
		}
	}
	return best
}

// begins reports whether the kept part may begin with a message.
func begins(m model.Message) bool {
	if m.Role == model.Assistant {
		return true // the summary before it is the user's
	}
	for _, b := range m.Content {
		if b.Result != nil {
			return false
		}
	}
	return true
}
