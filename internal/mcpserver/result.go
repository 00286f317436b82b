package mcpserver

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// panicError is a recovered panic with the stack it came from.
type panicError struct {
	cause any
	stack []byte
}

func newPanicError(cause any) *panicError { return &panicError{cause, debug.Stack()} }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.cause) }

// encodeHead encodes the beginning of every modern result, up to where its members follow.
func (s *Server) encodeHead() []byte {
	head := wire.AppendString([]byte(`{"resultType":"complete","_meta":{"`+mcp.MetaServerInfo+`":{"name":`), s.o.Info.Name)
	if s.o.Info.Title != "" {
		head = wire.AppendString(append(head, `,"title":`...), s.o.Info.Title)
	}
	head = wire.AppendString(append(head, `,"version":`...), s.o.Info.Version)
	return append(head, `}}`...)
}

// encodeDiscovery encodes the members of the answer to server/discover.
func (s *Server) encodeDiscovery() []byte {
	result, err := json.Marshal(mcp.DiscoverResult{
		SupportedVersions: mcp.Versions(), Capabilities: s.capabilities(), Instructions: s.o.Instructions,
		TTLMs: s.o.ToolsTTL.Milliseconds(), CacheScope: mcp.CacheScopePrivate,
	}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return s.appendCaching(nil)
	}
	return result[1 : len(result)-1]
}

// appendCaching appends the members that tell how long a result may be kept.
func (s *Server) appendCaching(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `"ttlMs":`...), s.o.ToolsTTL.Milliseconds(), 10)
	return append(dst, `,"cacheScope":"`+mcp.CacheScopePrivate+`"`...)
}

// openResult returns the beginning of a complete result in the form of the peer's era, with
// room for size bytes of members; closeResult ends it.
func (s *Server) openResult(id jsontext.Value, peer Peer, size int) []byte {
	dst := make([]byte, 0, size+len(id)+len(s.modernHead)+len(`{"jsonrpc":"2.0","id":,"result":,}}`))
	dst = append(append(append(dst, `{"jsonrpc":"2.0","id":`...), id...), `,"result":`...)
	if !peer.Modern() {
		return append(dst, '{')
	}
	dst = append(dst, s.modernHead...)
	if size > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// closeResult ends what openResult began.
const closeResult = `}}`

// appendSubscriptionEnd appends the result that ends a subscription.
func (s *Server) appendSubscriptionEnd(dst []byte, id jsontext.Value) []byte {
	dst = append(append(append(dst, `{"jsonrpc":"2.0","id":`...), id...), `,"result":`...)
	dst = append(dst, s.modernHead[:len(s.modernHead)-1]...) // open _meta again
	dst = append(append(dst, `,"`+mcp.MetaSubscriptionID+`":`...), id...)
	return append(dst, `}}}`...)
}

// encodeOutcome encodes the answer to a call.
func (c *conn) encodeOutcome(f *flight, tool string, result *mcp.CallToolResult, err error) []byte {
	id, peer := f.r.id, f.r.peer
	// Only errors that are of these types themselves count. One that is merely wrapped was
	// meant for somebody else, for instance when a command is a client of another server.
	switch e := err.(type) {
	case nil:
		line, failed := c.s.encodeResult(id, peer, result)
		if failed == nil && len(line) > wire.DefaultMaxLine {
			line, failed = c.s.encodeResult(id, peer, tooLarge(len(line)))
		}
		if failed == nil {
			return line
		}
		err = fmt.Errorf("encode the result: %w", failed)
	case *wire.Error:
		return wire.AppendError(nil, id, e)
	case *InputRequired:
		line, failed := c.s.encodeInputRequired(id, peer, e)
		if failed == nil {
			return line
		}
		err = failed
	}
	if f.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // the call obeyed the end of its context; nobody waits for its answer
	}
	line, _ := c.s.encodeResult(id, peer, c.s.incident(f, tool, err)) // text always encodes
	return line
}

// tooLarge tells the model that it asked for more at once than a client would read.
func tooLarge(size int) *mcp.CallToolResult {
	text := fmt.Sprintf("The result has %d bytes, more than the %d that an answer may have: ask for less at once, such as one page.", size, wire.DefaultMaxLine)
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}, IsError: true}
}

// encodeResult encodes a complete answer to a call.
func (s *Server) encodeResult(id jsontext.Value, peer Peer, result *mcp.CallToolResult) ([]byte, error) {
	size := 64 + len(result.StructuredContent)
	for _, block := range result.Content {
		size += 64 + len(block.Text) + len(block.Text)/8 // some of it will be escaped
	}
	line, err := appendResult(s.openResult(id, peer, size), peer.Version, result)
	return append(line, closeResult...), err
}

// incident logs why a call of a tool failed and returns what the client is told instead.
func (s *Server) incident(f *flight, tool string, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(s.explain(f, "tool", tool, err))}, IsError: true}
}

// explain logs why a request for something of a kind failed, and returns the text for the client.
func (s *Server) explain(f *flight, kind, name string, err error) string {
	id := s.randomName()
	var panicked *panicError
	attrs := []any{"incident", id, kind, clip(name), "reason", err}
	if errors.As(err, &panicked) {
		attrs = append(attrs, "stack", string(panicked.stack))
	}
	f.c.log.Error("a call failed", attrs...)
	return "This call failed because of an internal error. The app's log has the cause under the incident " + id + "."
}

// randomName returns eight letters and digits that nobody can guess and a person can copy.
func (s *Server) randomName() string {
	var b [5]byte
	if _, err := io.ReadFull(s.o.Rand, b[:]); err != nil {
		return "unknown"
	}
	return base32.StdEncoding.EncodeToString(b[:])
}

// encodeInputRequired encodes an interim result.
func (s *Server) encodeInputRequired(id jsontext.Value, peer Peer, e *InputRequired) ([]byte, error) {
	if !peer.Modern() {
		return nil, errors.New("the catalog asked a legacy client for input with InputRequired")
	}
	if len(e.Requests) == 0 && e.State == "" {
		return nil, errors.New("the catalog returned an InputRequired without requests and state")
	}
	result, err := json.Marshal(struct {
		ResultType    string                      `json:"resultType"`
		Meta          map[string]any              `json:"_meta"`
		InputRequests map[string]mcp.InputRequest `json:"inputRequests,omitempty"`
		RequestState  string                      `json:"requestState,omitzero"`
	}{mcp.ResultInputRequired, map[string]any{mcp.MetaServerInfo: s.o.Info}, e.Requests, e.State}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode the input requests: %w", err)
	}
	return wire.AppendResult(nil, id, wire.OneLine(result)), nil
}

// appendResult appends the members of a tool's result that a revision has.
func appendResult(dst []byte, version string, result *mcp.CallToolResult) ([]byte, error) {
	dst = append(dst, `"content":[`...)
	for i, block := range result.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendContent(dst, version, block); err != nil {
			return nil, err
		}
	}
	dst = append(dst, ']')
	if v := result.StructuredContent; showsStructured(version, v) {
		if !wire.Valid(v) {
			return nil, errors.New("the structured content is not valid JSON")
		}
		dst = append(append(dst, `,"structuredContent":`...), wire.OneLine(v)...)
	}
	if result.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return dst, nil
}

// showsStructured reports whether a revision has a place for v: none before 2025-06-18,
// objects only before 2026-07-28.
func showsStructured(version string, v jsontext.Value) bool {
	return len(v) > 0 && (mcp.Modern(version) || mcp.AtLeast(version, mcp.V2025_06_18) && v.Kind() == '{')
}

// appendContent appends one block. Text, the usual case, takes no detour.
func appendContent(dst []byte, version string, block mcp.Content) ([]byte, error) {
	if block.Type == mcp.ContentLink && !mcp.AtLeast(version, mcp.V2025_06_18) {
		block = mcp.Text(block.Name + ": " + block.URI) // that revision has no links
	}
	if block.Type == mcp.ContentText {
		dst = wire.AppendString(append(dst, `{"type":"text","text":`...), block.Text)
		return append(dst, '}'), nil
	}
	encoded, err := json.Marshal(block, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("content of type %q: %w", block.Type, err)
	}
	return append(dst, encoded...), nil
}
