package elyra

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/internal/confirm"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/ratelimit"
	"github.com/elyra-go/elyra/internal/typegraph"
	"github.com/elyra-go/elyra/internal/wire"
)

// agentTimeout is how long a command may run for an agent when it sets no timeout of its own.
const agentTimeout = 60 * time.Second

// toolCatalog projects the commands that are granted to agents to MCP tools, and runs their calls.
type toolCatalog struct {
	instance *Instance
	log      *slog.Logger // of what agents do
	keeper   *confirm.Keeper
	list     func() []mcp.Tool // made when the first agent asks, so an app without one starts sooner
	byName   map[string]*tool
	names    []string
	calls    atomic.Int64
	dialogs  dialogs
}

// tool is a granted command.
type tool struct {
	*command
	confirm *ConfirmOptions // nil: not confirmed
	limit   *ratelimit.Limiter
	limitN  int
	per     time.Duration
}

func newToolCatalog(in *Instance, keeper *confirm.Keeper) *toolCatalog {
	c := &toolCatalog{instance: in, log: in.log.WithGroup("elyra.mcp"), keeper: keeper, byName: map[string]*tool{}}
	for _, cmd := range in.commands.granted(in.app.mcp) {
		t := &tool{command: cmd, confirm: in.app.mcp.confirmationOf(cmd.options.Can)}
		t.limitN, t.per = in.app.mcp.limitOf(cmd.options.Can)
		t.limit = ratelimit.New(t.limitN, t.per)
		c.byName[cmd.name] = t
		c.names = append(c.names, cmd.name)
	}
	c.list = sync.OnceValue(c.projections)
	return c
}

// projections are the definitions of all tools, sorted by name.
func (c *toolCatalog) projections() []mcp.Tool {
	list := make([]mcp.Tool, len(c.names))
	for i, name := range c.names {
		t := c.byName[name]
		list[i] = t.projection(t.confirm != nil)
	}
	return list
}

// granted returns the commands whose ability m grants, sorted by name.
func (s *commandSet) granted(m *MCP) []*command {
	var list []*command
	for _, name := range s.names {
		if c := s.byName[name]; m.grants.Covers(c.options.Can) {
			list = append(list, c)
		}
	}
	return list
}

// projection is the command as a tool definition.
func (c *command) projection(confirmed bool) mcp.Tool {
	destructive := confirmed || !c.readOnly() && !c.options.Additive
	readOnly, idempotent, openWorld := c.readOnly(), c.options.Idempotent, c.options.OpenWorld
	return mcp.Tool{
		Name: c.name, Title: c.title(), Description: c.options.Doc,
		InputSchema:  c.input.Schema(typegraph.SchemaOptions{}),
		OutputSchema: c.output.Schema(typegraph.SchemaOptions{Output: true}),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &idempotent, OpenWorldHint: &openWorld,
		},
	}
}

// Tools implements mcpserver.Catalog.
func (c *toolCatalog) Tools() []mcp.Tool { return c.list() }

// CallTool implements mcpserver.Catalog. The order is: grant, rate limit, arguments, confirmation,
// then middleware and the command. A retry that carries a valid confirmation was counted before.
func (c *toolCatalog) CallTool(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	t := c.byName[call.Name]
	if t == nil {
		return nil, &mcp.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q%s", visible(call.Name, 128), nearest.Hint(call.Name, c.names))}
	}
	done, err := c.instance.enter()
	if err != nil {
		return toolError(err), nil
	}
	defer done()
	a := c.begin(kindTool, t, call.Peer)
	result, err := c.admitAndRun(ctx, a, call)
	a.finish(ctx, err)
	if err == nil {
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(string(result))}, StructuredContent: result}, nil
	}
	if protocolAnswer(err) {
		return nil, err
	}
	return toolError(err), nil
}

// protocolAnswer reports whether err is an answer of the protocol rather than a failed call. Only
// the value itself counts: an error that a command wraps is a failure of the command.
func protocolAnswer(err error) bool {
	_, refused := err.(*mcp.Error)
	return refused || asksForInput(err)
}

func asksForInput(err error) bool {
	_, ok := err.(*mcpserver.InputRequired)
	return ok
}

// toolError is a result that tells the model what went wrong, so that it can act on it.
func toolError(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(err.Error())}, IsError: true}
}

// throttle counts a call, or reports that it is one too many.
func (t *tool) throttle(now time.Time) error {
	ok, wait := t.limit.Allow(t.name, now)
	if ok {
		return nil
	}
	return fmt.Errorf("%s was called more than %d times in %v: wait %v, then go on; if you are repeating yourself, stop and ask the user",
		t.name, t.limitN, t.per, max(wait.Round(time.Second), time.Second))
}

func (c *toolCatalog) admitAndRun(ctx context.Context, a *activity, call *mcpserver.Call) ([]byte, error) {
	t, in := a.tool, c.instance
	p, invalid := in.commands.prepare(t.command, call.Arguments)
	binding := confirm.Binding{Tool: t.name, Client: call.Client.Name}
	if invalid == nil {
		binding.Arguments = p.args
	}
	if err := in.admitsAgents(t.command); err != nil {
		return nil, err
	}
	retry := invalid == nil && t.confirm != nil && call.RequestState != "" && c.keeper.Check(call.RequestState, binding) == nil
	if !retry {
		if err := t.throttle(in.env.Now()); err != nil {
			return nil, err
		}
	}
	if invalid != nil {
		return nil, invalid
	}
	if t.confirm != nil {
		if err := c.confirmed(ctx, &ask{call: call, tool: t, prepared: p, origin: a.origin, binding: binding}); err != nil {
			return nil, err
		}
	}
	a.start()
	r := &Request{Name: t.name, Args: p.args, Origin: a.origin, TraceParent: call.TraceParent, TraceState: call.TraceState}
	// A command that does not heed its deadline must not keep the agent waiting.
	late := time.AfterFunc(p.agentDeadline()+lateGrace, func() {
		call.Answer(toolError(fmt.Errorf("%w; it does not stop, so it is not known what it will still do", p.timeout())))
	})
	defer late.Stop()
	return in.runForAgent(ctx, p, r, call.Progress)
}

// lateGrace is how long after its deadline a command is waited for.
const lateGrace = time.Second

// agentDeadline is how long the command may run for an agent.
func (p *prepared) agentDeadline() time.Duration {
	if t := p.command.options.Timeout; t > 0 {
		return t
	}
	return agentTimeout
}

func (p *prepared) timeout() *timeoutError { return &timeoutError{p.command.name, p.agentDeadline()} }

// timeoutError says that a command was stopped at its deadline.
type timeoutError struct {
	command string
	limit   time.Duration
}

func (e *timeoutError) Error() string {
	return fmt.Sprintf("%s took longer than %v and was stopped", e.command, e.limit)
}

// runForAgent runs the call under the agent's deadline.
func (in *Instance) runForAgent(ctx context.Context, p *prepared, r *Request, progress func(done, total float64, message string)) ([]byte, error) {
	tooLong := p.timeout()
	ctx, cancel := context.WithTimeoutCause(ctx, tooLong.limit, tooLong)
	defer cancel()
	result, err := in.run(ctx, p, r, progress)
	if err != nil && errors.Is(context.Cause(ctx), tooLong) {
		return nil, tooLong
	}
	return result, err
}
