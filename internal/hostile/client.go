// Package hostile is a client that breaks rules: it writes lines by hand and knows the inputs that a
// server has to survive, each with the answer that it has to give. Tests use it against a server in
// memory, a process and the endpoint of a running app.
//
// It holds all that the other side says against the protocol's schemas. Only tests may import it; it
// may import internal/mcpschema, internal/mcp and internal/wire and nothing else of this module.
package hostile

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// Patience is how long a client waits for an answer before it fails the test.
const Patience = 30 * time.Second

// Meta is the metadata of a modern request of a client that can show forms.
const Meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"hostile","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// Client is one end of a connection. Its methods belong to one goroutine.
type Client struct {
	t      testing.TB
	w      io.Writer
	schema *mcpschema.Checker
	lines  chan string // closed at the end of the stream
	probes int
}

// New returns a client that reads what the server writes to r, at once and without end, and writes
// to w.
func New(t testing.TB, r io.Reader, w io.Writer) *Client {
	c := &Client{t: t, w: w, schema: mcpschema.New(), lines: make(chan string, 1<<16)}
	go func() {
		defer close(c.lines)
		for in := bufio.NewReaderSize(r, 1<<20); ; {
			line, err := in.ReadString('\n')
			if line != "" {
				c.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// Write writes lines as they are, in one piece.
func (c *Client) Write(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		// The checker has to know the requests; that they break rules is the point.
		_ = c.schema.CheckLine([]byte(line), "", false)
	}
	if _, err := io.WriteString(c.w, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("write %.100s: %v", strings.Join(lines, "\n"), err)
	}
}

// Next returns the next message of the server, held against its schema, and false at the end of the
// stream.
func (c *Client) Next() (wire.Message, bool) {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			return wire.Message{}, false
		}
		if err := c.schema.CheckLine([]byte(line), "", true); err != nil {
			c.t.Error(err)
		}
		m, refused := wire.Parse([]byte(line), wire.Limits{})
		if refused != nil {
			c.t.Errorf("the server wrote %.500s: %v", line, refused)
		}
		return m, true
	case <-time.After(Patience):
		c.t.Fatalf("no message within %v", Patience)
	}
	return wire.Message{}, false
}

// Answer waits for the answer to the request with the raw id, passing over notifications.
func (c *Client) Answer(id string) wire.Message {
	c.t.Helper()
	for {
		m, ok := c.Next()
		switch {
		case !ok:
			c.t.Fatalf("the stream ended without an answer to %s", id)
		case m.Method == "" && string(m.ID) == id:
			return m
		case m.Method == "" || m.ID != nil:
			c.t.Errorf("while waiting for an answer to %s came %s %s %v", id, m.Method, m.ID, m.Error)
		}
	}
}

// Ask writes a line and waits for the answer to id.
func (c *Client) Ask(id, line string) wire.Message {
	c.t.Helper()
	c.Write(line)
	return c.Answer(id)
}

// Alive checks that the connection still answers, and that nothing is left to be said before that.
func (c *Client) Alive() {
	c.t.Helper()
	c.probes++
	id := fmt.Sprintf(`"alive %d"`, c.probes)
	m := c.Ask(id, Request(id, "server/discover", ""))
	if m.Error != nil {
		c.t.Errorf("the probe was answered with %v", m.Error)
	}
}

// Rest returns what the server says until it ends the stream.
func (c *Client) Rest() []wire.Message {
	c.t.Helper()
	var all []wire.Message
	for {
		m, ok := c.Next()
		if !ok {
			return all
		}
		all = append(all, m)
	}
}

// Request is a modern request; members are those of params beside the metadata, with a comma before
// them, or "".
func Request(id, method, members string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + Meta + members + `}}`
}

// Call is a modern call of a tool.
func Call(id, tool, arguments string) string {
	return Request(id, "tools/call", `,"name":"`+tool+`","arguments":`+arguments)
}

// Legacy is a request of a client that has initialized its connection; params may be "".
func Legacy(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"` + params + `}`
}

// Initialize opens a legacy session with a client that can show forms.
func Initialize(id, version string) string {
	return Legacy(id, "initialize", `{"protocolVersion":"`+version+`","capabilities":{"elicitation":{}},"clientInfo":{"name":"old","version":"1"}}`)
}

// Cancel takes back the request with the raw id.
func Cancel(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
}
