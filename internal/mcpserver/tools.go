package mcpserver

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// toolLists keeps the encoded lists of tools until they change.
type toolLists struct {
	generation atomic.Uint64
	current    atomic.Pointer[encodedTools]
}

// encodedTools holds the members of the results of tools/list, without braces.
type encodedTools struct {
	generation     uint64
	modern         []byte
	legacy, oldest []byte // since 2025-06-18; 2025-03-26
}

// changed makes the next request encode the lists anew.
func (t *toolLists) changed() { t.generation.Add(1) }

// encoded returns the lists, asking the catalog when they are not those of the current
// generation. Should they change again meanwhile, the next request asks once more.
func (s *Server) encoded() (*encodedTools, error) {
	generation := s.tools.generation.Load()
	if lists := s.tools.current.Load(); lists != nil && lists.generation == generation {
		return lists, nil
	}
	lists := &encodedTools{generation: generation}
	tools := s.o.Catalog.Tools()
	var err [3]error
	lists.modern, err[0] = encodeTools(tools, mcp.V2026_07_28)
	lists.legacy, err[1] = encodeTools(tools, mcp.V2025_11_25)
	lists.oldest, err[2] = encodeTools(tools, mcp.V2025_03_26)
	if err := errors.Join(err[:]...); err != nil {
		return nil, err
	}
	lists.modern = s.appendCaching(append(lists.modern, ','))
	s.tools.current.Store(lists)
	return lists, nil
}

// encodeTools encodes the member "tools" with the fields a revision has.
func encodeTools(tools []mcp.Tool, version string) ([]byte, error) {
	shown := make([]mcp.Tool, len(tools))
	for i, tool := range tools {
		shown[i] = downgrade(tool, version)
	}
	list, err := json.Marshal(shown, json.Deterministic(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		return nil, err
	}
	return append([]byte(`"tools":`), wire.OneLine(list)...), nil
}

// downgrade leaves out what a revision does not know about a tool.
func downgrade(tool mcp.Tool, version string) mcp.Tool {
	if !mcp.AtLeast(version, mcp.V2025_06_18) {
		tool.Title, tool.OutputSchema = "", nil
	}
	if !mcp.Modern(version) && !describesObject(tool.OutputSchema) {
		tool.OutputSchema = nil
	}
	return tool
}

// describesObject reports whether a schema's root has the type object, and only that.
func describesObject(schema jsontext.Value) bool {
	if schema.Kind() != '{' {
		return false
	}
	object := false
	wire.Members(schema, func(name []byte, value jsontext.Value) bool {
		object = object || string(name) == "type" && string(value) == `"object"`
		return true
	})
	return object
}

// listTools answers with all tools on one page. No cursor was ever handed out, so none is
// known.
func (c *conn) listTools(r *request) *wire.Error {
	if r.params.get("cursor") != nil {
		return wire.Errorf(wire.CodeInvalidParams, "the cursor is unknown; list without one")
	}
	lists, err := c.s.encoded()
	if err != nil {
		c.log.Error("cannot encode the tools", "reason", err)
		return wire.Errorf(wire.CodeInternal, "the tools cannot be listed")
	}
	switch {
	case r.peer.Modern():
		return c.complete(r, lists.modern)
	case mcp.AtLeast(r.peer.Version, mcp.V2025_06_18):
		return c.complete(r, lists.legacy)
	}
	return c.complete(r, lists.oldest)
}

// callTool accepts a call of a tool.
func (c *conn) callTool(r *request) *wire.Error {
	name, err := r.params.text("name")
	if err != nil {
		return err
	}
	if name == "" {
		return wire.Errorf(wire.CodeInvalidParams, "%s needs params.name, a string", mcp.MethodCallTool)
	}
	call := &Call{Name: name}
	if call.Arguments, err = r.params.object("arguments"); err != nil {
		return err
	}
	if err := call.read(r); err != nil {
		return err
	}
	return c.launch(r, func(f *flight) []byte {
		call.bind(f)
		call.Answer = func(result *mcp.CallToolResult) { f.send(c.encodeOutcome(f, name, result, nil)) }
		result, err := c.invoke(f.ctx, call)
		return c.encodeOutcome(f, name, result, err)
	})
}

// invoke runs the catalog's part of a call and turns a panic into an error.
func (c *conn) invoke(ctx context.Context, call *Call) (result *mcp.CallToolResult, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			result, err = nil, newPanicError(cause)
		}
	}()
	result, err = c.s.o.Catalog.CallTool(ctx, call)
	if err == nil && result == nil {
		err = errors.New("the catalog returned neither a result nor an error")
	}
	return result, err
}
