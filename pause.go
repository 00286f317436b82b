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

// agentsPausedChannel carries true or false whenever agents were paused or let go on.
const agentsPausedChannel = "elyra:mcp:paused"

// PauseAgents refuses every further call of an agent until it is called with false. Calls that run
// already go on.
func (in *Instance) PauseAgents(paused bool) {
	if in.agentsPaused.Swap(paused) == paused {
		return
	}
	in.log.Info("agents", "paused", paused)
	if err := in.channels.emit(agentsPausedChannel, paused); err != nil {
		in.log.Error("the windows were not told", "error", err)
	}
}

// AgentsPaused reports whether agents are paused.
func (in *Instance) AgentsPaused() bool { return in.agentsPaused.Load() }

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
