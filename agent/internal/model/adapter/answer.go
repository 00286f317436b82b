package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Answer is assembled from the events of a stream. The blocks of a stream have keys of the adapter's choice; a block is made
// when something of it first comes, so none is empty.
type Answer struct {
	vendor string
	spec   model.Spec
	on     func(model.Event)
	blocks []*block
	keys   map[string]int
	usage  *model.Usage
	cost   float64
	told   bool // the cost was told by the vendor
}

// block is a piece of the answer that may still grow.
type block struct {
	model.Block
	text  strings.Builder // of text, thinking or arguments
	ended bool            // of calls: all of it has come
}

// NewAnswer begins an answer and says so.
func NewAnswer(vendor string, spec model.Spec, on func(model.Event)) *Answer {
	on(model.Event{Kind: model.EventStart})
	return &Answer{vendor: vendor, spec: spec, on: on, keys: map[string]int{}}
}

// block returns the block of text or thinking that has a key, which it begins when there is none.
func (a *Answer) block(key string, thinks bool) (*block, int) {
	if i, ok := a.keys[key]; ok && a.blocks[i].Call == nil && (a.blocks[i].Block.Thinking != nil) == thinks {
		return a.blocks[i], i
	}
	b := &block{}
	if thinks {
		b.Block.Thinking = &model.Thinking{Provider: a.spec.Provider}
	}
	a.blocks = append(a.blocks, b)
	a.keys[key] = len(a.blocks) - 1
	return b, len(a.blocks) - 1
}

// Text adds to a block of text.
func (a *Answer) Text(key, more string) {
	if more == "" {
		return
	}
	b, i := a.block(key, false)
	b.text.WriteString(more)
	a.on(model.Event{Kind: model.EventText, Block: i, Text: more})
}

// Thinking adds to a block of thinking.
func (a *Answer) Thinking(key, more string) {
	if more == "" {
		return
	}
	b, i := a.block(key, true)
	b.text.WriteString(more)
	a.on(model.Event{Kind: model.EventThinking, Block: i, Text: more})
}

// Sign sets the signature of a block of thinking.
func (a *Answer) Sign(key, signature string) {
	if signature == "" {
		return
	}
	b, _ := a.block(key, true)
	b.Block.Thinking.Signature = signature
}

// Opaque sets what only the vendor can read of a block of thinking.
func (a *Answer) Opaque(key string, data []byte) {
	if len(data) == 0 {
		return
	}
	b, _ := a.block(key, true)
	b.Block.Thinking.Redacted = bytes.Clone(data)
}

// HasCall reports whether a call has begun under a key.
func (a *Answer) HasCall(key string) bool {
	i, ok := a.keys[key]
	return ok && a.blocks[i].Call != nil
}

// StartCall begins a call.
func (a *Answer) StartCall(key, id, name string) {
	b := &block{Block: model.Block{Call: &model.Call{ID: id, Name: name}}}
	a.blocks = append(a.blocks, b)
	a.keys[key] = len(a.blocks) - 1
	a.on(model.Event{Kind: model.EventCallStart, Block: len(a.blocks) - 1, Call: &model.Call{ID: id, Name: name}})
}

// Namespace sets where the vendor found the tool of a call.
func (a *Answer) Namespace(key, namespace string) {
	if i, ok := a.keys[key]; ok && a.blocks[i].Call != nil {
		a.blocks[i].Call.Namespace = namespace
	}
}

// Arguments adds to the arguments of a call. Those of a call that has not begun, or has ended, are dropped.
func (a *Answer) Arguments(key, more string) {
	i, ok := a.keys[key]
	if !ok || more == "" || a.blocks[i].Call == nil || a.blocks[i].ended {
		return
	}
	a.blocks[i].text.WriteString(more)
	a.on(model.Event{Kind: model.EventCallArgs, Block: i, Text: more})
}

// EndCall ends a call; all says what its arguments are when the vendor repeats them, "" when it does not.
func (a *Answer) EndCall(key, all string) {
	i, ok := a.keys[key]
	if !ok || a.blocks[i].Call == nil || a.blocks[i].ended {
		return
	}
	b := a.blocks[i]
	if all != "" && all != b.text.String() {
		b.text.Reset()
		b.text.WriteString(all)
	}
	b.ended = true
	b.Call.Settle(b.text.String(), "")
	a.tellCall(i)
}

func (a *Answer) tellCall(i int) {
	call := *a.blocks[i].Call
	a.on(model.Event{Kind: model.EventCallEnd, Block: i, Call: &call})
}

// Usage sets what was used so far. Numbers below nothing are none.
func (a *Answer) Usage(u model.Usage) {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Thinking} {
		*n = max(*n, 0)
	}
	a.usage = &u
	told := u
	a.on(model.Event{Kind: model.EventUsage, Usage: &told})
}

// LastUsage returns what was set by Usage.
func (a *Answer) LastUsage() model.Usage {
	if a.usage == nil {
		return model.Usage{}
	}
	return *a.usage
}

// Cost sets the cost in US dollars that the vendor itself tells.
func (a *Answer) Cost(dollars float64) {
	if dollars >= 0 {
		a.cost, a.told = dollars, true
	}
}

// End ends the answer. stop is the vendor's reason, "" when none came; err is why the stream failed. The message has all
// that came. Calls that may not run are marked: those that were cut off, and all of an answer that did not end regularly.
func (a *Answer) End(ctx context.Context, stop model.Stop, err error) (model.Message, error) {
	m := model.Message{Role: model.Assistant, Content: []model.Block{}, Model: a.spec.String(), Usage: a.usage}
	switch {
	case ctx.Err() != nil && (err != nil || stop == ""):
		stop, err = model.StopCancelled, ctx.Err()
	case err != nil:
		err = a.failure(err)
		stop, m.Error = model.StopError, err.Error()
	case stop == "":
		err = &model.Error{Kind: model.ErrNetwork, Message: a.vendor + ": the answer broke off"}
		stop, m.Error = model.StopError, err.Error()
	}
	for i, b := range a.blocks {
		m.Content = append(m.Content, a.settle(i, b, stop))
	}
	runnable := false
	for _, c := range m.Calls() {
		runnable = runnable || c.Broken != model.BrokenCut && c.Broken != model.BrokenAnswer
	}
	switch {
	case stop == model.StopEnd && runnable:
		stop = model.StopCalls
	case stop == model.StopCalls && len(m.Calls()) == 0:
		stop = model.StopEnd
	}
	m.Stop, m.Cost = stop, a.cost
	if a.usage != nil && !a.told {
		m.Cost = a.spec.Price.Cost(*a.usage)
	}
	return m, err
}

// settle returns a block as it is when the answer has ended by stop.
func (a *Answer) settle(i int, b *block, stop model.Stop) model.Block {
	switch {
	case b.Thinking != nil:
		b.Thinking.Text = b.text.String()
	case b.Call == nil:
		b.Block.Text = b.text.String()
	case !b.ended, stop == model.StopLength && i == len(a.blocks)-1:
		b.Call.Settle(b.text.String(), model.BrokenCut)
		a.tellCall(i)
	case stop == model.StopError, stop == model.StopCancelled, stop == model.StopRefusal:
		b.Call.Settle(b.text.String(), model.BrokenAnswer)
		a.tellCall(i)
	}
	return b.Block
}

// failure makes an *model.Error of what a stream failed by.
func (a *Answer) failure(err error) *model.Error {
	var e *model.Error
	if errors.As(err, &e) {
		return e
	}
	return &model.Error{Kind: model.ErrServer, Message: Plain(fmt.Sprintf("%s: the answer is not understood: %v", a.vendor, err), maxMessage)}
}
