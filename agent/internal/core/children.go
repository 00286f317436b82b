package core

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/swarm"
)

// ChildCommand is the name of this program's command that is a child agent.
const ChildCommand = "child-agent"

// childTools is the tool by which the model has child agents. A child has none, nor has an agent that only reads. Served are
// the tools of MCP servers, which children use through this agent.
func (c *Core) childTools(served []loop.Tool) []loop.Tool {
	if c.o.Executable == "" || c.o.NoMCP || c.o.ReadOnly || c.o.Child {
		return nil
	}
	return []loop.Tool{swarm.New(swarm.Options{
		Command: c.childCommand, Started: c.keeper.Watch, Tools: served, Observe: c.observed, Permit: c.permitChild,
		Job: func() swarm.Job {
			spec, level := c.Model()
			return swarm.Job{Model: spec.String(), Level: level}
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

// permitChild decides about a child's call as about one of this agent's own.
func (c *Core) permitChild(ctx context.Context, who string, call *model.Call) error {
	return c.hooked(childGate{c, who}).Allow(ctx, call)
}

// childGate is the gate for one child. The user is told who asks.
type childGate struct {
	core *Core
	who  string
}

func (g childGate) Allow(ctx context.Context, call *model.Call) error {
	r, err := g.core.table.request(call)
	if err != nil {
		return err
	}
	if r.Kind == permission.MCP {
		r.Lines = append(r.Lines, fmt.Sprintf("for %s", g.who))
	}
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
