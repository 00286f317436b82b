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
// changes something waits for all before it, and those after it wait for it. Stop is why the work must end: the user, or
// ctx.
func (a *Agent) run(ctx context.Context, calls []*model.Call) (results []model.Block, stop error) {
	results = make([]model.Block, len(calls))
	var beside sync.WaitGroup
	for i, c := range calls {
		if stop == nil && ctx.Err() != nil {
			stop = context.Cause(ctx)
		}
		if stop != nil {
			results[i] = refusal(c, "the user stopped the work before this call ran: nothing was done")
			continue
		}
		tool, problem := a.tool(c)
		if problem != "" {
			results[i] = a.refuse(c, problem)
			continue
		}
		call := *c // What the gate changes of it is not what the model has said.
		c := &call
		concurrent := tool.Concurrent(c.Arguments)
		if !concurrent {
			beside.Wait()
		}
		if err := a.o.Gate.Allow(ctx, c); err != nil {
			if errors.Is(err, ErrStop) || ctx.Err() != nil {
				stop = err
			}
			results[i] = a.refuse(c, err.Error())
			continue
		}
		if concurrent {
			beside.Go(func() { results[i] = a.call(ctx, tool, c) })
		} else {
			results[i] = a.call(ctx, tool, c)
		}
	}
	beside.Wait()
	if stop == nil && ctx.Err() != nil {
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

// call runs one call. A tool that fails or panics costs the model an error and nobody anything.
func (a *Agent) call(ctx context.Context, tool Tool, c *model.Call) (result model.Block) {
	a.tell(Event{Kind: KindCall, Call: c})
	var out Output
	defer func() {
		if r := recover(); r != nil {
			out = fault(fmt.Sprintf("the tool %s failed: %v", c.Name, r))
		}
		if len(out.Content) == 0 {
			out.Content = []model.Block{model.Text("(nothing)")}
		}
		a.use(out)
		result = model.Block{Result: &model.Result{CallID: c.ID, Content: out.Content, IsError: out.IsError}}
		a.tell(Event{Kind: KindResult, Call: c, Output: &out})
	}()
	var err error
	out, err = tool.Run(ctx, c, func(text string) { a.tell(Event{Kind: KindProgress, Call: c, Text: text}) })
	if err != nil {
		out = fault(err.Error())
	}
	return result
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

func fault(text string) Output {
	return Output{Content: []model.Block{model.Text(text)}, IsError: true}
}

// refuse makes the result of a call that did not run, and shows it.
func (a *Agent) refuse(c *model.Call, why string) model.Block {
	out := fault(why)
	a.tell(Event{Kind: KindResult, Call: c, Output: &out})
	return refusal(c, why)
}

func refusal(c *model.Call, why string) model.Block {
	return model.Block{Result: &model.Result{CallID: c.ID, Content: []model.Block{model.Text(why)}, IsError: true}}
}
