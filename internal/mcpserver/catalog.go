// Package mcpserver serves a catalog of tools, resources and prompts to MCP clients, in the modern era and in the
// three legacy revisions, over any pair of byte streams.
//
// It promises that no input ends a connection or the process, that one peer never blocks
// another, and that every accepted request is answered exactly once unless its client
// cancelled it. It knows no app: what tools exist and what they do is the [Catalog]'s
// business. It may import internal/wire and internal/mcp and nothing else of this module.
package mcpserver

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Catalog is what a server offers. Its methods are called concurrently.
//
// What else a server may offer, resources, prompts and completions, has interfaces of its own;
// each is served, and declared, when the [Options] have one.
type Catalog interface {
	// Tools returns the tools sorted by name, the same for every connection. The result
	// is kept until [Server.ToolsChanged] is called and must not be changed.
	Tools() []mcp.Tool

	// CallTool runs a tool. The outcome reaches the client as follows:
	//   - a result: as that result
	//   - an error that is a *wire.Error: as that JSON-RPC error
	//   - an error that is an *InputRequired: as an interim result; modern requests only
	//   - any other error, or a panic: as an isError result with a neutral sentence and an
	//     incident id; the cause is logged under that id and never shown
	//
	// The context ends when the client cancels the call, or when the connection has ended
	// and the time for finishing accepted calls is over.
	CallTool(ctx context.Context, call *Call) (*mcp.CallToolResult, error)
}

// Peer tells who sent a request. In the modern era it is what that request said; in the
// legacy era it is what the connection's initialize said.
type Peer struct {
	Connection   string // unique for each Serve of a Server
	Version      string // protocol revision of the request
	Client       mcp.Implementation
	Capabilities mcp.ClientCapabilities
}

// Modern reports whether the request carries its own metadata, which means that it can be
// answered with [InputRequired] and that the server must not send requests of its own.
func (p Peer) Modern() bool { return mcp.Modern(p.Version) }

// Call is one call of a tool.
type Call struct {
	Exchange
	Name string
	// Arguments is a JSON object as it was sent, or nil when it was left out. It is valid
	// JSON; duplicate names in it are not refused yet.
	Arguments jsontext.Value
	// Answer answers the call before CallTool has returned, whose outcome is then dropped: for
	// a tool that goes on beyond its deadline. The call keeps its place among those in flight.
	// It is never nil.
	Answer func(*mcp.CallToolResult)
}

// ErrCannotElicit says that the client has no way of being asked during a call: its
// revision has no elicitation, it did not declare it, or it is a modern client.
var ErrCannotElicit = errors.New("elicit: this client cannot be asked during a call")

// InputRequired is the error by which a Catalog asks a modern client for input. The client
// answers by calling again with the responses under the same names, and with State
// returned unchanged. At least one of the fields must be set.
type InputRequired struct {
	Requests map[string]mcp.InputRequest
	State    string
}

// Error says what is missing, for the case that the value ends up in a log.
func (r *InputRequired) Error() string { return "the call needs input from the client" }
