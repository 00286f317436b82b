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

// childTurns is how often a child's model is asked at most.
const childTurns = 60

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
	return swarm.Work(r.ctx, in, out, func(ctx context.Context, job swarm.Job, tools []loop.Tool, on func(loop.Event)) (swarm.Agent, error) {
		if job.Role != swarm.Plan {
			return nil, fmt.Errorf("there is no role %q", job.Role)
		}
		agent, err := core.Open(ctx, core.Options{
			Workspace: s.Workspace, Environ: r.Environ, UserHome: r.UserHome, Version: version(), Executable: r.Executable,
			Model: job.Model, Level: job.Level, Session: core.Choice{None: true}, MaxTurns: childTurns, ReadOnly: true,
			Append: job.Role.Prompt(), Child: true, Lent: tools, On: on, Notice: func(text string) { r.say("%s", text) },
		})
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
