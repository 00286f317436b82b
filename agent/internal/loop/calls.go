package loop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/internal/nearest"
)

// run runs calls and returns one result for each, in their order. Calls that only read run beside each other; one that
// changes something waits for all before it, and those after it wait for it. Stop is why the work must end: the user, at the
// gate or at a tool, or ctx. It ends the calls that still run.
func (a *Agent) run(ctx context.Context, calls []*model.Call) (results []model.Block, stop error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	results = make([]model.Block, len(calls))
	var beside sync.WaitGroup
	for i, c := range calls {
		tool, problem := a.tool(c)
		concurrent := problem != "" || tool.Concurrent(c.Arguments)
		if !concurrent {
			beside.Wait()
		}
		switch {
		case ctx.Err() != nil:
			results[i] = refusal(c, "the user stopped the work before this call ran: nothing was done")
			continue
		case problem != "":
			results[i] = a.refuse(c, problem)
			continue
		}
		call := *c // What the gate changes of it is not what the model has said.
		c := &call
		if err := a.o.Gate.Allow(ctx, c); err != nil {
			if errors.Is(err, ErrStop) {
				end(err)
			}
			results[i] = a.refuse(c, err.Error())
			continue
		}
		run := func() {
			var err error
			if results[i], err = a.call(ctx, tool, c); errors.Is(err, ErrStop) {
				end(err)
			}
		}
		if concurrent {
			beside.Go(run)
		} else {
			run()
		}
	}
	beside.Wait()
	if ctx.Err() != nil {
		stop = context.Cause(ctx)
	}
	return results, stop
}

// tool finds the tool of a call, or says why the call cannot run.
func (a *Agent) tool(c *model.Call) (Tool, string) {
	if c.Broken != "" {
		return nil, "the call did not run: " + c.Broken
	}
	t := a.tools[c.Name]
	if t == nil {
		names := slices.Sorted(maps.Keys(a.tools))
		return nil, fmt.Sprintf("there is no tool %q%s", c.Name, nearest.Hint(c.Name, names))
	}
	return t, ""
}

// call runs one call. A tool that fails or panics costs the model an error and nobody anything. The error is the tool's.
func (a *Agent) call(ctx context.Context, tool Tool, c *model.Call) (result model.Block, err error) {
	a.tell(Event{Kind: KindCall, Call: c})
	var out Output
	defer func() {
		if r := recover(); r != nil {
			out.fault(fmt.Sprintf("the tool %s failed: %v", c.Name, r))
		}
		if len(out.Content) == 0 {
			out.Content = []model.Block{model.Text("(nothing)")}
		}
		a.use(out)
		result = model.Block{Result: &model.Result{CallID: c.ID, Content: out.Content, IsError: out.IsError}}
		a.tell(Event{Kind: KindResult, Call: c, Output: &out})
	}()
	out, err = tool.Run(ctx, c, func(text string) { a.tell(Event{Kind: KindProgress, Call: c, Text: text}) })
	if err != nil && (len(out.Content) == 0 || !errors.Is(err, ErrStop)) {
		out.fault(err.Error())
	}
	return result, err
}

// use notes what a tool has used of models.
func (a *Agent) use(out Output) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used.Usage, a.used.Cost = a.used.Usage.Plus(out.Usage), a.used.Cost+out.Cost
}

// answered makes the message of results, with what the tools have used.
func (a *Agent) answered(results []model.Block) model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := model.Message{Role: model.User, Content: results, Cost: a.used.Cost}
	if a.used.Usage != (model.Usage{}) {
		usage := a.used.Usage
		m.Usage = &usage
	}
	a.used = Totals{}
	return m
}

// fault makes an output one that only says what went wrong. What was used stays used.
func (o *Output) fault(text string) {
	o.Content, o.IsError, o.Details = []model.Block{model.Text(text)}, true, nil
}

// refuse makes the result of a call that did not run, and shows it.
func (a *Agent) refuse(c *model.Call, why string) model.Block {
	var out Output
	out.fault(why)
	a.tell(Event{Kind: KindResult, Call: c, Output: &out})
	return refusal(c, why)
}

func refusal(c *model.Call, why string) model.Block {
	return model.Block{Result: &model.Result{CallID: c.ID, Content: []model.Block{model.Text(why)}, IsError: true}}
}
