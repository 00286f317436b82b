package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// work is one prompt: requests and calls until the model stops.
func (a *Agent) work(ctx context.Context, prompt model.Message) (model.Message, error) {
	if err := a.say(prompt); err != nil {
		return model.Message{}, err
	}
	var watch repeats
	var last model.Message
	for turn := 1; ; turn++ {
		if turn > a.o.MaxTurns {
			return last, fmt.Errorf("the model was asked %d times for one prompt and is not done: say how to go on", a.o.MaxTurns)
		}
		var err error
		if last, err = a.answer(ctx); err != nil {
			return last, err
		}
		calls := last.Calls()
		if len(calls) == 0 {
			if more, err := a.steered(); err != nil || !more {
				return last, err
			}
			continue
		}
		results, stop := a.run(ctx, calls)
		if err := a.add(a.answered(results)); err != nil {
			return last, err
		}
		if stop != nil {
			return last, stop
		}
		if err := watch.see(calls, results); err != nil {
			return last, err
		}
		if _, err := a.steered(); err != nil {
			return last, err
		}
	}
}

// say takes in what the user says.
func (a *Agent) say(m model.Message) error {
	if err := a.add(m); err != nil {
		return err
	}
	a.tell(Event{Kind: KindPrompt, Message: &m})
	return nil
}

// steered takes in what the user has said meanwhile, and reports whether there was something.
func (a *Agent) steered() (bool, error) {
	a.mu.Lock()
	said := a.steer
	a.steer = nil
	a.mu.Unlock()
	for _, m := range said {
		if err := a.say(m); err != nil {
			return false, err
		}
	}
	return len(said) > 0, nil
}

// answer asks the model once and stores what it says. Before the context is full, and once when the vendor says that it is,
// what was said early is summarised.
func (a *Agent) answer(ctx context.Context) (model.Message, error) {
	if a.full() {
		if err := a.Compact(ctx, ""); err != nil {
			return model.Message{}, err
		}
	}
	m, err := a.request(ctx)
	var failed *model.Error
	if errors.As(err, &failed) && failed.Kind == model.ErrOverflow {
		a.tell(Event{Kind: KindNotice, Text: "the conversation is longer than the model can read: what was said early is summarised"})
		if err := a.Compact(ctx, ""); err != nil {
			return model.Message{}, err
		}
		m, err = a.request(ctx)
	}
	if len(m.Content) == 0 && err == nil { // Some models answer with nothing now and then.
		m, err = a.request(ctx)
		if len(m.Content) == 0 && err == nil {
			return m, errors.New("the model has answered with nothing, twice")
		}
	}
	if len(m.Content) > 0 {
		if storeErr := a.finish(m, err); storeErr != nil {
			return m, storeErr
		}
	}
	return m, err
}

// request sends what was said to the model and returns its answer, or the part of it that came.
func (a *Agent) request(ctx context.Context) (model.Message, error) {
	a.addLate()
	a.mu.Lock()
	r := model.Request{
		Model: a.o.Model, System: a.o.System, Tools: a.offered(a.o.Model.Provider), Messages: slices.Clone(a.history),
		Level: a.o.Level, Session: a.o.Session,
	}
	provider := a.o.Provider
	a.mu.Unlock()
	a.tell(Event{Kind: KindRequest})
	m, err := a.stream(ctx, provider, r)
	m.Role = model.Assistant
	switch {
	case err == nil:
	case ctx.Err() != nil:
		m.Stop = model.StopCancelled
	default:
		m.Stop, m.Error = model.StopError, err.Error()
	}
	return m, err
}

// finish stores an answer. The calls of one that broke off get results too, since the vendor wants one for each.
func (a *Agent) finish(m model.Message, failed error) error {
	if err := a.add(m); err != nil {
		return err
	}
	a.tell(Event{Kind: KindMessage, Message: &m})
	calls := m.Calls()
	if failed == nil || len(calls) == 0 {
		return nil
	}
	var results []model.Block
	for _, c := range calls {
		results = append(results, refusal(c, "the answer broke off before this call could run: nothing was done"))
	}
	return a.add(model.Message{Role: model.User, Content: results})
}
