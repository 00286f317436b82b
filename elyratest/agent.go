package elyratest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// Agent is an MCP client connected to the app under test. All that passes between the two is held
// against the protocol's schemas, and results against the schemas of their tools: what does not fit
// fails the test.
type Agent struct {
	app    *App
	client *mcpclient.Client
	listed sync.Once // the tools, whose schemas results are held against

	mu       sync.Mutex
	question string
	watching map[string][]*Watching // of a legacy agent, by URI
}

// patience is how long an agent waits for an answer: longer than any limit of the app, so that a test
// sees the app's own.
const patience = 15 * time.Minute

// AgentOption changes what an Agent is like.
type AgentOption func(*agentOptions)

type agentOptions struct {
	action, era, name string
	silent            bool
}

// Confirming has the agent's user answer every confirmation with action: "accept", "decline" or
// "cancel". Without it the agent cannot ask its user.
func Confirming(action string) AgentOption { return func(o *agentOptions) { o.action = action } }

// NeverAnswering has the agent's user be asked and not answer.
func NeverAnswering() AgentOption { return func(o *agentOptions) { o.action, o.silent = "", true } }

// Era has the agent speak one revision of the protocol, such as "2025-06-18". Default: the newest.
func Era(version string) AgentOption { return func(o *agentOptions) { o.era = version } }

// Named has the agent call itself name.
func Named(name string) AgentOption { return func(o *agentOptions) { o.name = name } }

// MCP connects an agent to the app; the test's end disconnects it.
func (a *App) MCP(options ...AgentOption) *Agent {
	a.t.Helper()
	o := agentOptions{name: "elyratest"}
	for _, option := range options {
		option(&o)
	}
	agent := &Agent{app: a}
	clientOptions := mcpclient.Options{
		Info: mcp.Implementation{Name: o.name, Version: "1"}, Era: o.era, CallTimeout: patience, OnNotification: agent.notified,
	}
	if o.action != "" || o.silent {
		clientOptions.Elicit = func(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
			agent.mu.Lock()
			agent.question = p.Message
			agent.mu.Unlock()
			if o.silent {
				<-ctx.Done()
				return mcp.ElicitResult{}, ctx.Err()
			}
			return mcp.ElicitResult{Action: o.action}, nil
		}
	}
	client, err := mcpclient.Connect(a.t.Context(), mcpclient.Pipe(a.serveJudged), clientOptions)
	if err != nil {
		a.t.Fatalf("connect an agent: %v", err)
	}
	agent.client = client
	a.t.Cleanup(func() { client.Close() })
	return agent
}

// serveJudged serves one connection and fails the test for each message that breaks the protocol.
func (a *App) serveJudged(ctx context.Context, r io.Reader, w io.Writer) error {
	r, w = mcpschema.New().Tap(r, w, func(_ bool, err error) { a.t.Errorf("the connection of an agent: %v", err) })
	return a.Instance.ServeMCP(ctx, r, w)
}

// Tool is a tool as the agent sees it.
type Tool struct {
	// Name, Title and Description are for the model and for people.
	Name, Title, Description string
	// InputSchema and OutputSchema are JSON Schemas; an old revision has no output schema.
	InputSchema, OutputSchema string
	// ReadOnly, Destructive and Idempotent are the tool's hints.
	ReadOnly, Destructive, Idempotent bool
}

// ListTools returns the tools, sorted by name.
func (g *Agent) ListTools() []Tool {
	g.app.t.Helper()
	list, err := g.client.ListTools(g.app.t.Context())
	if err != nil {
		g.app.t.Fatalf("list tools: %v", err)
	}
	var tools []Tool
	for _, t := range list {
		tool := Tool{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: string(t.InputSchema), OutputSchema: string(t.OutputSchema)}
		if h := t.Annotations; h != nil {
			tool.ReadOnly = h.ReadOnlyHint != nil && *h.ReadOnlyHint
			tool.Destructive = h.DestructiveHint == nil || *h.DestructiveHint
			tool.Idempotent = h.IdempotentHint != nil && *h.IdempotentHint
		}
		tools = append(tools, tool)
	}
	return tools
}

// Result is what a call gave the agent.
type Result struct {
	// IsError reports that the call failed: then Text says why, for the model.
	IsError bool
	// Code is the JSON-RPC error code when the protocol itself refused the call, else 0.
	Code int
	// Text is the text of the result, Structured the result as JSON, or "".
	Text, Structured string
	// Confirmation is the question that the user was asked on the way, or "".
	Confirmation string
	// Errors is what was wrong with the variables of a resource or the arguments of a prompt, by name.
	Errors map[string][]string
}

// Call calls a tool with args encoded as JSON; a string or bytes are taken as JSON already.
func (g *Agent) Call(tool string, args any) Result {
	g.app.t.Helper()
	g.listed.Do(func() { g.ListTools() })
	g.mu.Lock()
	g.question = ""
	g.mu.Unlock()
	var raw any
	if b := g.app.encode(args); b != nil {
		raw = json.RawMessage(b)
	}
	result, err := g.client.CallTool(g.app.t.Context(), tool, raw, mcpclient.CallOptions{})
	g.mu.Lock()
	defer g.mu.Unlock()
	if refused, ok := errors.AsType[*mcp.Error](err); ok {
		return Result{IsError: true, Code: refused.Code, Text: refused.Message, Confirmation: g.question}
	}
	if err != nil {
		g.app.t.Fatalf("call %s: %v", tool, err)
	}
	r := Result{IsError: result.IsError, Structured: string(result.StructuredContent), Confirmation: g.question}
	for _, c := range result.Content {
		r.Text += c.Text
	}
	return r
}
