package core

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/swarm"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// ChildCommand is the name of this program's command that is a child agent.
const ChildCommand = "child-agent"

// childTools is the tool by which the model has child agents. A child has none, nor has an agent that only reads. Served are
// the tools of MCP servers, which children use through this agent.
func (c *Core) childTools(served []loop.Tool) []loop.Tool {
	if c.o.Executable == "" || c.o.NoMCP || c.o.ReadOnly || c.o.Child || !c.Workspace.Settings.Uses("swarm") {
		return nil
	}
	return []loop.Tool{swarm.New(swarm.Options{
		Command: c.childCommand, Started: c.keeper.Watch,
		Kit: func(role swarm.Role, who string) swarm.Kit { return c.kit(role, who, served) },
		Job: func() swarm.Job {
			spec, level := c.Model()
			job := swarm.Job{Model: spec.String(), Level: level}
			if c.Session != nil {
				job.Owner = c.Session.ID()
			}
			return job
		},
		Results: c.Workspace.Home.Path("results"),
	})}
}

// childCommand starts a child in the same project, which trusts what this agent trusts.
func (c *Core) childCommand() *exec.Cmd {
	cmd := exec.Command(c.o.Executable, ChildCommand, "--project", c.Workspace.Project)
	if c.Workspace.Trusted {
		cmd.Args = append(cmd.Args, "--trust-project")
	}
	cmd.Env, cmd.Dir = c.o.Environ, c.Workspace.Dir()
	return cmd
}

// kit is what one child uses of this agent. Its own tools are made for it: they know what it has read, not what others have.
func (c *Core) kit(role swarm.Role, who string, served []loop.Tool) swarm.Kit {
	d := c.table.forChild(served)
	edits := NewEdits(c.Workspace.Project)
	list := served
	if role == swarm.Work {
		list = append(c.ownTools(d), served...)
	}
	k := swarm.Kit{Permit: c.hooked(childGate{c, d, who}).Allow}
	for _, t := range c.observed(list) {
		k.Tools = append(k.Tools, lent{t, c, who, edits})
	}
	k.Kept = func(id string) error {
		if c.Session == nil {
			return errors.New("nothing of this session is kept")
		}
		return c.Session.AddChild(id, who)
	}
	k.Changed = func() ([]tools.Change, []string) {
		var lines []string
		for _, f := range edits.List(nil) {
			lines = append(lines, fmt.Sprintf("- %s (%s)", f.Path, f.What))
		}
		if more := len(lines) - maxNamed; more > 0 {
			lines = append(lines[:maxNamed], fmt.Sprintf("- and %d more", more))
		}
		return edits.changes(), lines
	}
	return k
}

// maxNamed is how many files that a child has changed are named.
const maxNamed = 100

// lent is a tool that a child uses.
type lent struct {
	loop.Tool
	core  *Core
	who   string
	edits *Edits
}

func (l lent) Run(ctx context.Context, call *model.Call, progress func(string)) (loop.Output, error) {
	if s, ok := l.Subject(call.Arguments); ok {
		defer l.core.askers.enter(s.Server, l.who)()
		ctx = context.WithValue(ctx, whoKey{}, l.who)
	}
	out, err := l.Tool.Run(ctx, call, progress)
	l.edits.Note(&out)
	return out, err
}

// Subject is that of the tool, if its calls have one.
func (l lent) Subject(arguments jsontext.Value) (mcptools.Subject, bool) {
	return subjectOf(l.Tool, arguments)
}

// childGate is the gate for one child, which decides as about this agent's own calls. The user is told who asks.
type childGate struct {
	core  *Core
	table *describer
	who   string
}

func (g childGate) Allow(ctx context.Context, call *model.Call) error {
	r, err := g.table.request(call)
	if err != nil {
		return err
	}
	r.Lines = append(r.Lines, "for "+g.who)
	return g.core.Gate.Permit(ctx, r)
}

// hooked gives a gate the hooks of before a call.
func (c *Core) hooked(gate loop.Gate) hooked {
	lent := map[string]bool{}
	for _, t := range c.o.Lent {
		lent[t.Spec().Name] = true
	}
	return hooked{gate, c.hooks, lent}
}
