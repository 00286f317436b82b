package elyra

import (
	"context"
	"errors"
)

var (
	errPaused = errors.New("the user has paused agents in this app: nothing was done; wait until the user lets you go on")
	errClosed = errors.New("the user closed the app: nothing was done; until it is open again only tools that read work")
)

// admitsAgents reports why no agent may run the command now.
func (in *Instance) admitsAgents(c *command) error {
	if in.agentsPaused.Load() {
		return errPaused
	}
	if in.closedByUser && !c.readOnly() && !in.app.mcp.continueHeadless {
		return errClosed
	}
	return nil
}

// agentsKey is what a live command depends on that calls [AgentsPaused].
const agentsKey = "elyra:agents"

// PauseAgents refuses every further call of an agent until it is called with false. Calls that run
// already go on.
func (in *Instance) PauseAgents(paused bool) {
	if in.agentsPaused.Swap(paused) != paused {
		in.log.Info("agents", "paused", paused)
		in.Changed(agentsKey)
	}
}

// AgentsPaused reports whether agents are paused.
func (in *Instance) AgentsPaused() bool { return in.agentsPaused.Load() }

// AgentsPaused reports whether agents are paused in the app that the call of ctx belongs to. A live
// command that asks runs again when that changes.
func AgentsPaused(ctx context.Context) bool {
	c := callOf(ctx)
	if c == nil {
		return false
	}
	Reads(ctx, agentsKey)
	return c.instance.agentsPaused.Load()
}

// PauseAgents is [Instance.PauseAgents] for a command of the app: the switch that the app's window
// offers. An agent cannot use it.
func PauseAgents(ctx context.Context, paused bool) error {
	c := callOf(ctx)
	if c == nil {
		return errors.New("elyra.PauseAgents: this context belongs to no call; use the one that the command was given")
	}
	if _, ok := c.request.Origin.(Agent); ok {
		return errors.New("only the user may pause agents or let them go on")
	}
	c.instance.PauseAgents(paused)
	return nil
}
