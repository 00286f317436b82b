package interactive

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/instructions"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui"
)

// levels are those of thinking, from none to most.
var levels = []string{"off", "minimal", "low", "medium", "high", "xhigh"}

// commands are those behind a slash that need the agent.
func (d *desk) commands() []tui.Command {
	return []tui.Command{
		{Name: "compact", Args: "[focus]", Help: "summarise what was said early", Run: d.compact},
		{Name: "cost", Help: "what the session has used", Anytime: true, Run: d.cost},
		{Name: "fork", Help: "go on in a copy of this session", Run: d.fork},
		{Name: "mcp", Args: "[login|logout|refresh|disable|enable|reload] [server]", Help: "MCP servers", Anytime: true, Complete: d.completeMCP, Run: d.mcp},
		{Name: "new", Help: "begin a new session", Run: func(ctx context.Context, _ string) (tui.Result, error) { return d.to(ctx, core.Choice{}) }},
		{Name: "plan", Help: "plan mode: nothing is changed or run", Anytime: true, Run: d.togglePlan},
		{Name: "thinking", Args: "[level]", Help: "how much the model thinks: " + strings.Join(levels, ", "), Complete: completeOf(levels), Run: d.thinking},
		{Name: "undo", Help: "take back what the last prompt changed in files", Run: d.undo},
	}
}

func completeOf(words []string) func(string) []string {
	return func(prefix string) []string {
		var fits []string
		for _, w := range words {
			if strings.HasPrefix(w, prefix) {
				fits = append(fits, w)
			}
		}
		return fits
	}
}

func (d *desk) compact(ctx context.Context, focus string) (tui.Result, error) {
	return tui.Result{}, d.current().Compact(ctx, focus)
}

func (d *desk) cost(context.Context, string) (tui.Result, error) {
	t := d.current().Totals()
	u := t.Usage
	return tui.Result{Text: fmt.Sprintf("$%.4f in %d requests: %d tokens in, %d out (%d thinking), %d read from the cache, %d written to it.",
		t.Cost, t.Requests, u.Input, u.Output, u.Thinking, u.CacheRead, u.CacheWrite)}, nil
}

// to goes on in another session.
func (d *desk) to(ctx context.Context, choice core.Choice) (tui.Result, error) {
	next, err := d.open(ctx, choice)
	if err != nil {
		return tui.Result{}, err
	}
	return tui.Result{Agent: next}, nil
}

func (d *desk) fork(ctx context.Context, _ string) (tui.Result, error) {
	s := d.current().Session
	if s == nil {
		return tui.Result{Text: "Nothing of this session is kept, so there is nothing to copy."}, nil
	}
	return d.to(ctx, core.Choice{Fork: s.ID()})
}

func (d *desk) togglePlan(context.Context, string) (tui.Result, error) {
	d.mu.Lock()
	d.plan = !d.plan
	on := d.plan
	d.mu.Unlock()
	d.current().Gate.SetPlan(on)
	if on {
		return tui.Result{Text: "Plan mode is on: the agent reads and plans, and changes nothing."}, nil
	}
	return tui.Result{Text: "Plan mode is off."}, nil
}

func (d *desk) thinking(_ context.Context, level string) (tui.Result, error) {
	c := d.current()
	spec, now := c.Model()
	if level == "" {
		return tui.Result{Text: "Thinking: " + string(now)}, nil
	}
	if !slices.Contains(levels, level) {
		return tui.Result{}, fmt.Errorf("there is no level %q: %s", level, strings.Join(levels, ", "))
	}
	_, err := c.SetModel(spec.String(), model.Level(level))
	return tui.Result{}, err
}

func (d *desk) undo(context.Context, string) (tui.Result, error) {
	undone, err := d.current().Undo()
	if err != nil {
		return tui.Result{}, err
	}
	return tui.Result{Text: "Taken back:\n\n- " + strings.Join(undone, "\n- ")}, nil
}

// templates are the user's prompts, each a command of its name. One that another command has is left out.
func (d *desk) templates(taken []tui.Command) (all []tui.Command, notes []string) {
	templates, notes := instructions.Templates(d.o.Core.Workspace.Instructions())
	for _, t := range templates {
		if slices.ContainsFunc(taken, func(o tui.Command) bool { return o.Name == t.Name }) {
			notes = append(notes, fmt.Sprintf("%s is not used: /%s is a command", t.Path, t.Name))
			continue
		}
		all = append(all, tui.Command{Name: t.Name, Args: "[arguments]", Help: t.Description, Run: func(_ context.Context, args string) (tui.Result, error) {
			return tui.Result{Prompt: t.Expand(args)}, nil
		}})
	}
	return all, notes
}
