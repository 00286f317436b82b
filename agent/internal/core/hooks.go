package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/hooks"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxStops is how often hooks may make the model go on when it is done with one prompt.
const maxStops = 3

// openHooks makes the user's hooks, and those of a trusted project. An agent that only reads runs none, unless it works for
// one that does.
func (c *Core) openHooks() {
	if c.o.ReadOnly && !c.o.Child {
		c.hooks, _ = hooks.New(hooks.Options{})
		return
	}
	o := hooks.Options{
		User: c.Workspace.Settings.Hooks, Project: c.Workspace.Settings.ProjectHooks, Dir: c.Workspace.Project,
		Environ: c.o.Environ, Notice: c.o.Notice,
	}
	if c.Session != nil {
		o.Session, o.Transcript = c.Session.ID(), c.Session.Path()
	}
	var problems []string
	c.hooks, problems = hooks.New(o)
	for _, p := range problems {
		c.o.Notice(p)
	}
}

// Prompt works on what the user says, as loop.Agent does, with the hooks of before and after.
func (c *Core) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	content, err := c.before(ctx, content)
	if err != nil {
		return model.Message{}, err
	}
	last, err := c.Agent.Prompt(ctx, content...)
	for stops := 0; err == nil && stops < maxStops && c.hooks.Has(hooks.Stop); stops++ {
		out := c.hooks.Run(ctx, hooks.Input{Event: hooks.Stop, Again: stops > 0})
		if !out.Block || out.End {
			break
		}
		last, err = c.Agent.Prompt(ctx, model.Text(out.Reason))
	}
	return last, err
}

// before runs the hooks for what the user has said.
func (c *Core) before(ctx context.Context, content []model.Block) ([]model.Block, error) {
	if !c.hooks.Has(hooks.UserPrompt) {
		return content, nil
	}
	said := model.Message{Content: content}.String()
	out := c.hooks.Run(ctx, hooks.Input{Event: hooks.UserPrompt, Prompt: said})
	if out.Block || out.End {
		return nil, fmt.Errorf("a hook does not let this prompt through: %s", out.Reason)
	}
	if out.Prompt != "" { // The words are others; files and pictures stay.
		kept := []model.Block{}
		for _, b := range content {
			if b.Text == "" {
				kept = append(kept, b)
			}
		}
		content = append(kept, model.Text(out.Prompt))
	}
	if out.Context != "" {
		content = append(content, model.Text(out.Context))
	}
	return content, nil
}

// hooked is a gate with the hooks of before a call.
type hooked struct {
	gate  loop.Gate
	hooks *hooks.Runner
	lent  map[string]bool // tools of another agent's, which has its own gate and hooks for them
}

func (h hooked) Allow(ctx context.Context, call *model.Call) error {
	if h.lent[call.Name] {
		return nil
	}
	if h.hooks.Has(hooks.PreTool) {
		out := h.hooks.Run(ctx, hooks.Input{Event: hooks.PreTool, Tool: call.Name, Arguments: call.Arguments})
		switch {
		case out.End:
			return fmt.Errorf("a hook has ended the work: %s: %w", out.Reason, loop.ErrStop)
		case out.Block:
			return errors.New("a hook does not allow this: " + out.Reason)
		case out.Arguments != nil:
			call.Arguments = out.Arguments
		}
	}
	return h.gate.Allow(ctx, call)
}

// after is a tool with the hooks of after a call.
type after struct {
	loop.Tool
	hooks *hooks.Runner
}

func (a after) Run(ctx context.Context, call *model.Call, progress func(string)) (loop.Output, error) {
	out, err := a.Tool.Run(ctx, call, progress)
	if err != nil || ctx.Err() != nil {
		return out, err
	}
	text := model.Message{Content: out.Content}.String()
	said := a.hooks.Run(ctx, hooks.Input{Event: hooks.PostTool, Tool: call.Name, Arguments: call.Arguments, Result: text, IsError: out.IsError})
	if said.Block {
		out.IsError = true
		out.Content = append(out.Content, model.Text("A hook found fault with this: "+said.Reason))
	}
	if said.Context != "" {
		out.Content = append(out.Content, model.Text(said.Context))
	}
	return out, nil
}

// Subject is that of the tool, if its calls have one.
func (a after) Subject(arguments jsontext.Value) (mcptools.Subject, bool) {
	return subjectOf(a.Tool, arguments)
}

func subjectOf(t loop.Tool, arguments jsontext.Value) (mcptools.Subject, bool) {
	if named, ok := t.(mcptools.Named); ok {
		return named.Subject(arguments)
	}
	return mcptools.Subject{}, false
}

// observed gives the tools the hooks of after a call, if there are some.
func (c *Core) observed(tools []loop.Tool) []loop.Tool {
	if !c.hooks.Has(hooks.PostTool) {
		return tools
	}
	var all []loop.Tool
	for _, t := range tools {
		all = append(all, after{t, c.hooks})
	}
	return all
}

// atStart is what hooks add to the system prompt when a session begins.
func (c *Core) atStart(ctx context.Context) string {
	if c.o.Child || !c.hooks.Has(hooks.SessionStart) {
		return ""
	}
	return c.hooks.Run(ctx, hooks.Input{Event: hooks.SessionStart}).Context
}
