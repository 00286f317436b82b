package elyra

import (
	"context"
	"log/slog"
	"time"

	"github.com/elyra-go/elyra/internal/mcpserver"
)

// The kinds of an agent's activity.
const (
	kindTool     = "tool"
	kindResource = "resource"
	kindPrompt   = "prompt"
)

// activity is one call of an agent, made visible: in the log, as an [AgentCalled] event and on the
// channel elyra:mcp.
type activity struct {
	catalog *toolCatalog
	kind    string
	tool    *tool // a prompt in the form of one
	origin  Agent
	id      int64
	began   time.Time // when the command began to run; until then, when the call arrived
	started bool
}

// nameLimit is how many characters of a client's self-reported name are shown.
const nameLimit = 64

func (c *toolCatalog) begin(kind string, t *tool, p mcpserver.Peer) *activity {
	return &activity{catalog: c, kind: kind, tool: t, id: c.calls.Add(1), began: c.instance.env.Now(), origin: agentOf(p)}
}

// agentOf is the peer as an origin: its names are shortened and made visible.
func agentOf(p mcpserver.Peer) Agent {
	name := visible(p.Client.Name, nameLimit)
	if name == "" {
		name = "an unnamed client"
	}
	return Agent{Client: name, Version: visible(p.Client.Version, nameLimit), Connection: p.Connection}
}

// start says that the command begins to run.
func (a *activity) start() {
	a.started, a.began = true, a.catalog.instance.env.Now()
	a.emit(AgentActivity{Phase: "started"})
}

// finish says how the call ended. One that asks the client for a confirmation has not ended: it is
// only logged.
func (a *activity) finish(ctx context.Context, err error) {
	in := a.catalog.instance
	took := in.env.Now().Sub(a.began)
	outcome := "ok"
	switch {
	case asksForInput(err):
		outcome = "confirmation asked"
	case err != nil && !a.started:
		outcome = "refused"
	case err != nil:
		outcome = "error"
	}
	a.catalog.log.LogAttrs(ctx, slog.LevelInfo, a.kind+" call", slog.String("tool", a.tool.name), slog.String("client", a.origin.Client),
		slog.String("outcome", outcome), slog.Int64("ms", took.Milliseconds()))
	if asksForInput(err) {
		return
	}
	if !a.started {
		a.emit(AgentActivity{Phase: "started"})
	}
	ok, millis := err == nil, took.Milliseconds()
	a.emit(AgentActivity{Phase: "finished", OK: &ok, Millis: &millis})
	a.dispatch(ctx, AgentCalled{Kind: a.kind, Tool: a.tool.name, Client: a.origin.Client, OK: ok, Duration: took})
}

// listenerPatience is how long the answer to an agent waits for the listeners of its AgentCalled.
const listenerPatience = time.Second

// dispatch tells the listeners of the call. What they return is logged, and one that hangs delays the
// answer for a moment only.
func (a *activity) dispatch(ctx context.Context, event AgentCalled) {
	in := a.catalog.instance
	if !in.hears(event) {
		return
	}
	r := &Request{Name: a.tool.name, Origin: a.origin}
	ctx = context.WithValue(context.WithoutCancel(ctx), callKey{}, &call{instance: in, command: a.tool.command, request: r})
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(in.ctx, cancel)
	done := make(chan struct{})
	in.background.Go(func() {
		defer close(done)
		defer cancel()
		defer stop()
		if err := in.dispatch(ctx, event); err != nil {
			in.log.Error("a listener for AgentCalled failed", "error", err)
		}
	})
	patience := time.NewTimer(listenerPatience)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
		in.log.Warn("a listener for AgentCalled takes its time: the agent's answer does not wait for it", "tool", event.Tool)
	}
}

func (a *activity) emit(m AgentActivity) {
	if !a.catalog.instance.channels.heard() {
		return // agents mostly work in an app without windows
	}
	m.ID, m.Kind, m.Tool, m.Client = a.id, a.kind, a.tool.name, a.origin.Client
	if err := a.catalog.instance.channels.emit(agentChannel, m); err != nil {
		a.catalog.instance.log.Error("the agent's activity could not be shown", "error", err)
	}
}
