package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/swarm"
)

// planTurns is how often the model of a child that only reads is asked at most.
const planTurns = 60

// childCommand is an agent that works for another one, which has started it.
type childCommand struct{ projectFlags }

func (c *childCommand) Run(r *run) error {
	in, out, err := takeStdio(r)
	if err != nil {
		return err
	}
	r.Stdin, r.Stdout, r.OpenTerminal, r.Browse = nil, io.Discard, nil, nil // Nothing can ask.
	s, err := c.open(r)
	if err != nil {
		return err
	}
	return swarm.Serve(r.ctx, in, out, func(ctx context.Context, job swarm.Job, tools []loop.Tool, on func(loop.Event)) (swarm.Agent, error) {
		o := core.Options{
			Workspace: s.Workspace, Environ: r.Environ, UserHome: r.UserHome, Version: version(), Executable: r.Executable,
			Model: job.Model, Level: job.Level, Session: core.Choice{None: job.Owner == "", Owner: job.Owner},
			Append: job.Role.Prompt(), Child: true, Lent: tools, On: on, Notice: func(text string) { r.say("%s", text) },
		}
		switch job.Role {
		case swarm.Plan: // It reads by itself.
			o.ReadOnly, o.MaxTurns = true, planTurns
		case swarm.Work: // All that it can do is lent to it.
			o.NoTools = true
		default:
			return nil, fmt.Errorf("there is no role %q", job.Role)
		}
		agent, err := core.Open(ctx, o)
		if err != nil {
			return nil, err
		}
		return child{agent}, nil
	})
}

// child is an agent whose prompts come from another agent: the hooks for what a user says are not for them.
type child struct{ *core.Core }

// Prompt works on the task.
func (c child) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	return c.Agent.Prompt(ctx, content...)
}

// Kept is the session in which it is kept.
func (c child) Kept() string {
	if c.Session == nil {
		return ""
	}
	return c.Session.ID()
}
