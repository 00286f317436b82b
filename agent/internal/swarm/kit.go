package swarm

import (
	"context"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// Kit is what one child gets from the agent that it works for. All of it is in this process: a child can do what its kit
// does, and nothing else.
type Kit struct {
	// Tools are those that it may use: for Plan those of MCP servers, for Work also the agent's own.
	Tools []loop.Tool
	// Permit decides about a call that the role allows. Nil: everything is allowed. An error that wraps loop.ErrStop ends the
	// child and the work of the agent.
	Permit func(ctx context.Context, call *model.Call) error
	// Kept is told in which session the child is kept. Nil: nobody is told. An error ends the child.
	Kept func(session string) error
	// Changed returns the files that its calls have changed, and names them in lines for the model. Nil: none.
	Changed func() (files []tools.Change, lines []string)
}

func (k Kit) withDefaults() Kit {
	if k.Permit == nil {
		k.Permit = func(context.Context, *model.Call) error { return nil }
	}
	if k.Kept == nil {
		k.Kept = func(string) error { return nil }
	}
	if k.Changed == nil {
		k.Changed = func() ([]tools.Change, []string) { return nil, nil }
	}
	return k
}
