package streamable

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// maxPages bounds the pages of tools that are read to learn of changed annotations.
const maxPages = 100

// modern sends a request with its metadata in headers. A server that misses headers of a tool's arguments has changed the
// tool: its tools are listed again, and the call is sent once more.
func (c *conn) modern(f *flight) ([]byte, error) {
	a, err := c.ask(f, f.m.ID, f.m)
	if err != nil {
		return nil, err
	}
	if a.Error != nil && a.Error.Code == mcp.CodeHeaderMismatch && f.m.Method == mcp.MethodCallTool {
		if err := c.refresh(f); err != nil {
			c.log.Warn("the MCP server misses headers of a call, and its tools could not be listed again", "error", err)
			return a.as(f.m.ID), nil
		}
		if a, err = c.ask(f, c.t.newID(), f.m); err != nil {
			return nil, err
		}
	}
	return a.as(f.m.ID), nil
}

// ask sends a modern request under an id and returns its answer.
func (c *conn) ask(f *flight, id jsontext.Value, m wire.Message) (answer, error) {
	line := f.line
	if string(id) != string(f.m.ID) {
		line = wire.AppendRequest(nil, id, m.Method, m.Params)
	}
	mirrored, err := c.t.params.headers(m)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", mcpclient.ErrNotSent, err)
	}
	resp, err := c.t.send(f.ctx, outgoing{http.MethodPost, c.t.url, modernHeader(m, f.version, mirrored), line})
	if err != nil {
		return answer{}, err
	}
	l := listener{c: c, f: f, id: id}
	a, err := l.answer(resp)
	if err != nil || m.Method != mcp.MethodListTools || a.Result == nil {
		return a, err
	}
	if page, changed := c.t.params.learn(a.Result, c.log); changed {
		a.Result, a.line = page, wire.AppendResult(nil, a.ID, page)
	}
	return a, nil
}

// refresh reads the list of tools for its annotations. The metadata is that of the call.
func (c *conn) refresh(f *flight) error {
	var call struct {
		Meta map[string]jsontext.Value `json:"_meta"`
	}
	if err := unmarshal(f.m.Params, &call); err != nil {
		return err
	}
	delete(call.Meta, mcp.MetaProgressToken)
	params := map[string]any{"_meta": call.Meta}
	var last string
	for range maxPages {
		raw, err := marshal(params)
		if err != nil {
			return err
		}
		a, err := c.ask(f, c.t.newID(), wire.Message{Method: mcp.MethodListTools, Params: raw})
		switch {
		case err != nil:
			return err
		case a.Error != nil:
			return a.Error
		}
		if f.body != nil { // Its stream is of no more use.
			drain(f.body)
			f.body = nil
		}
		var page struct {
			Next jsontext.Value `json:"nextCursor"`
		}
		if err := unmarshal(a.Result, &page); err != nil {
			return err
		}
		if page.Next.Kind() != '"' || string(page.Next) == last { // A server that repeats itself has nothing new to tell.
			return nil
		}
		last, params["cursor"] = string(page.Next), page.Next
	}
	return nil
}
