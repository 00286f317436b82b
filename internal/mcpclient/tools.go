package mcpclient

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxPages is how many pages of tools are read.
	maxPages = 100
	// maxTools bounds the tools of all pages.
	maxTools = 10_000
	// maxListBytes bounds the size of all pages.
	maxListBytes = 64 << 20
)

// ListTools returns the server's tools in its order. It follows the pages until there is none, one repeats, or 100 were
// read. A tool that cannot be used is left out and told to Options.OnSkippedTool. A server that has no tools gives an empty
// list. Everything in a tool is the server's own claim.
func (c *Client) ListTools(ctx context.Context) ([]mcp.Tool, error) {
	tools, expired, err := c.listTools(ctx)
	if expired { // The list has changed since its first page. Once more from the beginning; cached pages are gone.
		tools, _, err = c.listTools(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", mcp.MethodListTools, err)
	}
	return tools, nil
}

// listTools reads all pages. Expired says that the server has refused a cursor that it gave out itself.
func (c *Client) listTools(ctx context.Context) (tools []mcp.Tool, expired bool, err error) {
	l := toolList{skipped: c.skipTool, names: map[string]bool{}}
	seen := map[string]bool{}
	var members object
	size := 0
	for page := range maxPages {
		raw, err := c.exchange(ctx, mcp.MethodListTools, members, c.timing(CallOptions{}))
		var refused *wire.Error
		if errors.As(err, &refused) && refused.Code == wire.CodeMethodNotFound && c.opening.capabilities.Tools == nil {
			return nil, false, nil
		}
		if err != nil {
			return nil, page > 0 && badCursor(err), err
		}
		cursor, err := l.addPage(raw)
		if err != nil {
			return nil, false, err
		}
		if cursor == nil {
			return l.tools, false, nil
		}
		if size += len(raw); size > maxListBytes {
			c.opts.Log.Warn("the MCP server's list of tools is too long; the rest is not read", "bytes", size, "tools", len(l.tools))
			return l.tools, false, nil
		}
		// The cursor goes back as the bytes that came; an empty string is a cursor like any other.
		if seen[string(cursor)] {
			c.opts.Log.Warn("the MCP server repeats a page of tools; the list ends there", "tools", len(l.tools))
			return l.tools, false, nil
		}
		seen[string(cursor)] = true
		members = object{}.add("cursor", cursor)
	}
	c.opts.Log.Warn("the MCP server has more pages of tools than are read", "pages", maxPages, "tools", len(l.tools))
	return l.tools, false, nil
}

// skipTool tells about a tool that was left out, the n-th of its list.
func (c *Client) skipTool(n int64, name string, reason error) {
	if sometimes(n) {
		c.opts.Log.Warn("left out a tool of the MCP server", "tool", printable(name), "error", reason, "left out", n)
	}
	if c.opts.OnSkippedTool != nil {
		c.opts.OnSkippedTool(name, reason)
	}
}

// toolList collects the usable tools of all pages.
type toolList struct {
	tools   []mcp.Tool
	names   map[string]bool
	left    int64 // how many were left out
	skipped func(n int64, name string, reason error)
}

// addPage reads one page and returns the cursor of the next, nil when there is none.
func (l *toolList) addPage(raw jsontext.Value) (cursor jsontext.Value, err error) {
	var page struct {
		Tools []jsontext.Value `json:"tools"`
		Next  jsontext.Value   `json:"nextCursor"`
	}
	if err := unmarshal(raw, &page); err != nil {
		return nil, fmt.Errorf("the server's page of tools cannot be used: %w", err)
	}
	for _, raw := range page.Tools {
		t, err := decodeTool(raw)
		switch {
		case err != nil:
		case l.names[t.Name]:
			err = errors.New("another tool has the same name")
		case len(l.tools) >= maxTools:
			err = fmt.Errorf("the server has more than %d tools", maxTools)
		}
		if err != nil {
			l.left++
			l.skipped(l.left, t.Name, err)
			continue
		}
		l.names[t.Name] = true
		l.tools = append(l.tools, t)
	}
	switch page.Next.Kind() {
	case '"':
		return page.Next, nil
	case 'n', jsontext.KindInvalid: // Null or absent.
		return nil, nil
	}
	return nil, errors.New("the server's nextCursor is no string")
}

// decodeTool reads one tool. A missing input schema, or one without a type, means an object with any members, because some
// servers leave it out for tools without parameters. What is only a hint is dropped when it has the wrong shape.
func decodeTool(raw jsontext.Value) (mcp.Tool, error) {
	var t struct {
		Name         jsontext.Value `json:"name"`
		Title        jsontext.Value `json:"title"`
		Description  jsontext.Value `json:"description"`
		InputSchema  jsontext.Value `json:"inputSchema"`
		OutputSchema jsontext.Value `json:"outputSchema"`
		Annotations  jsontext.Value `json:"annotations"`
	}
	var out mcp.Tool
	if err := unmarshal(raw, &t); err != nil {
		return out, fmt.Errorf("it is no JSON object: %w", err)
	}
	out.Name, _ = wire.Text(t.Name)
	out.Title, _ = wire.Text(t.Title)
	out.Description, _ = wire.Text(t.Description)
	if out.Name == "" {
		return out, errors.New("it has no name")
	}
	switch t.InputSchema.Kind() {
	case '{':
		if err := objectSchema(t.InputSchema); err != nil {
			return out, err
		}
		out.InputSchema = t.InputSchema
	case 'n', jsontext.KindInvalid:
		out.InputSchema = jsontext.Value(`{"type":"object"}`)
	default:
		return out, errors.New("its inputSchema is no JSON object")
	}
	if t.OutputSchema.Kind() == '{' {
		out.OutputSchema = t.OutputSchema
	}
	if t.Annotations.Kind() == '{' {
		var a mcp.ToolAnnotations
		if unmarshal(t.Annotations, &a) == nil {
			out.Annotations = &a
		}
	}
	return out, nil
}

// objectSchema refuses the schema of something that is no object: arguments always are one.
func objectSchema(schema jsontext.Value) error {
	var s struct {
		Type jsontext.Value `json:"type"`
	}
	if err := unmarshal(schema, &s); err != nil {
		return fmt.Errorf("its inputSchema cannot be read: %w", err)
	}
	if kind, ok := wire.Text(s.Type); s.Type != nil && (!ok || kind != "object") {
		return fmt.Errorf("its inputSchema has the type %s instead of object", printable(string(s.Type)))
	}
	return nil
}

// decodeCallResult reads the result of a tool. A block of content that is malformed becomes a text that says so, because the
// tool has run and the rest of its result counts.
func decodeCallResult(raw jsontext.Value) (*mcp.CallToolResult, error) {
	var r struct {
		Content           []jsontext.Value `json:"content"`
		StructuredContent jsontext.Value   `json:"structuredContent"`
		IsError           bool             `json:"isError"`
	}
	if err := unmarshal(raw, &r); err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{
		Content: make([]mcp.Content, 0, len(r.Content)), StructuredContent: r.StructuredContent, IsError: r.IsError,
	}
	for i, block := range r.Content {
		var c mcp.Content
		if err := unmarshal(block, &c); err != nil || c.Type == "" {
			c = mcp.Text(fmt.Sprintf("[block %d of the tool's result is malformed and was left out]", i+1))
		}
		out.Content = append(out.Content, c)
	}
	return out, nil
}
