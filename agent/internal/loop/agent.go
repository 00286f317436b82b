package loop

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Agent is one conversation. Prompt works on one prompt at a time; the other methods may be called meanwhile.
type Agent struct {
	o     Options
	tools map[string]Tool
	specs []model.Tool // what the model is told, fixed for the session but for what a vendor refuses

	mu      sync.Mutex
	history []model.Message
	steer   []model.Message // to be taken in before the next request
	queue   []model.Message // to be taken in when the work has ended
	busy    bool
	totals  Totals
	refused []refusedTool
	used    Totals // by tools, since results were stored last

	events sync.Mutex // one event at a time
}

// Totals are what a conversation has used.
type Totals struct {
	Usage    model.Usage
	Cost     float64 // US dollars
	Requests int
	Context  int64 // tokens of the last request with its answer
}

// ErrBusy is returned by Prompt while another prompt is worked on.
var ErrBusy = errors.New("the agent is at work")

// New returns an agent. Two tools of one name are an error.
func New(o Options) (*Agent, error) {
	a := &Agent{o: o.withDefaults(), tools: map[string]Tool{}}
	for _, t := range o.Tools {
		spec := t.Spec()
		if a.tools[spec.Name] != nil {
			return nil, fmt.Errorf("two tools have the name %q", spec.Name)
		}
		a.tools[spec.Name] = t
		a.specs = append(a.specs, spec)
	}
	a.history = append(a.history, o.History...)
	for _, m := range o.History {
		a.count(m)
	}
	if o.Spent.Usage != (model.Usage{}) || o.Spent.Cost > 0 {
		a.totals.Usage, a.totals.Cost = o.Spent.Usage, o.Spent.Cost
	}
	return a, nil
}

// Prompt works on what the user says until the model has nothing more to do, and on what is queued after it. It returns the
// model's last message. The error says why the work ended early; what was said until then is stored.
func (a *Agent) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	a.mu.Lock()
	if a.busy {
		a.mu.Unlock()
		return model.Message{}, ErrBusy
	}
	a.busy = true
	a.mu.Unlock()
	last, err := a.work(ctx, model.Message{Role: model.User, Content: content})
	for err == nil {
		next, ok := a.dequeue()
		if !ok {
			break
		}
		last, err = a.work(ctx, next)
	}
	a.mu.Lock()
	a.busy = false
	a.mu.Unlock()
	a.tell(Event{Kind: KindEnd})
	return last, err
}

// Steer says something to the model while it works: it hears it before its next request.
func (a *Agent) Steer(content ...model.Block) { a.put(&a.steer, content) }

// Queue says something when the work at hand has ended.
func (a *Agent) Queue(content ...model.Block) { a.put(&a.queue, content) }

func (a *Agent) put(to *[]model.Message, content []model.Block) {
	a.mu.Lock()
	defer a.mu.Unlock()
	*to = append(*to, model.Message{Role: model.User, Content: content})
}

func (a *Agent) dequeue() (model.Message, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// What came too late to steer the last work begins the next.
	a.queue = append(a.steer, a.queue...)
	a.steer = nil
	if len(a.queue) == 0 {
		return model.Message{}, false
	}
	next := a.queue[0]
	a.queue = a.queue[1:]
	return next, true
}

// Unqueue takes back everything that was not taken in yet, in the order in which it was said.
func (a *Agent) Unqueue() []model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := append(a.steer, a.queue...)
	a.steer, a.queue = nil, nil
	return all
}

// History returns the messages as the model sees them. They must not be changed.
func (a *Agent) History() []model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]model.Message(nil), a.history...)
}

// Totals returns what the conversation has used so far, also by tools whose results are not stored yet.
func (a *Agent) Totals() Totals {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.totals
	t.Usage, t.Cost = t.Usage.Plus(a.used.Usage), t.Cost+a.used.Cost
	return t
}

// SetModel changes the model of the next request.
func (a *Agent) SetModel(p model.Provider, spec model.Spec, level model.Level) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.o.Provider, a.o.Model, a.o.Level = p, spec, level
}

// tell passes an event on.
func (a *Agent) tell(e Event) {
	a.events.Lock()
	defer a.events.Unlock()
	a.o.On(e)
}

// add stores a message and makes it part of the conversation.
func (a *Agent) add(m model.Message) error {
	if err := a.o.Store.Append(m); err != nil {
		return fmt.Errorf("store a message of the session: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.history = append(a.history, m)
	a.count(m)
	return nil
}

// count adds up what a message has cost.
func (a *Agent) count(m model.Message) {
	a.totals.Cost += m.Cost
	if u := m.Usage; u != nil {
		a.totals.Usage = a.totals.Usage.Plus(*u)
	}
	if m.Role != model.Assistant { // What tools have used.
		return
	}
	a.totals.Requests++
	if u := m.Usage; u != nil {
		a.totals.Context = u.Total()
	}
}
