package shim

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/endpoint"
	"github.com/elyra-go/elyra/internal/hostile"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

// tools are those of the app behind the shim: one that answers, one that does not, and one that asks.
type tools struct{ waiting chan struct{} }

func (tools) Tools() []mcp.Tool {
	var list []mcp.Tool
	for _, name := range []string{"ask", "echo", "wait"} {
		list = append(list, mcp.Tool{Name: name, InputSchema: jsontext.Value(`{"type":"object"}`)})
	}
	return list
}

func (c tools) CallTool(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	switch call.Name {
	case "wait":
		c.waiting <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	case "ask":
		_, err := call.Elicit(ctx, mcp.ElicitParams{Message: "Sure?", RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)})
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(call.Version)}}, nil
}

// judgedApp is an app with a real server, whose connection is held against the schemas in both
// directions: what the shim adds of its own must be as good as what a client says.
func judgedApp(t *testing.T, s *mcpserver.Server) (conn net.Conn, far *actor) {
	conn, far = app(t)
	served := make(chan struct{})
	go func() {
		defer close(served)
		in, out := mcpschema.New().Tap(far.conn, far.conn, func(_ bool, err error) { t.Error(err) })
		s.Serve(context.Background(), in, out) //nolint:errcheck // the test cuts the connection
	}()
	t.Cleanup(func() {
		far.conn.Close()
		<-served
	})
	return conn, far
}

// TestWhatTheShimSaysFitsTheSchemas loses an app with requests in flight, and finds another one.
func TestWhatTheShimSaysFitsTheSchemas(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			catalog := tools{make(chan struct{}, 2)}
			server := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "app", Version: "1"}, Catalog: catalog})
			conn, far := judgedApp(t, server)
			s := begin(t, Options{Headless: func(ctx context.Context, r io.Reader, w io.Writer) error {
				return errors.New("the app was not found again")
			}}, conn)
			c := hostile.New(t, s.out, s.in)
			request := hostile.Request
			call := func(id, tool string) string { return hostile.Call(id, tool, `{}`) }
			if !mcp.Modern(version) {
				c.Ask(`"i"`, hostile.Initialize(`"i"`, version))
				c.Write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				request = func(id, method, _ string) string { return hostile.Legacy(id, method, "") }
				call = func(id, tool string) string { return hostile.Legacy(id, "tools/call", `{"name":"`+tool+`"}`) }
			}
			c.Ask(`1`, request(`1`, "tools/list", ""))

			next, _ := judgedApp(t, server)
			s.set(endpoint.ErrCrashed, next)
			c.Write(call(`2`, "wait"))
			<-catalog.waiting
			far.conn.Close()
			if m := c.Answer(`2`); m.Error == nil {
				t.Errorf("the call that was lost: %s", m.Result)
			}
			if m := c.Ask(`3`, call(`3`, "echo")); m.Error != nil {
				t.Errorf("a call of the app that was opened again: %v", m.Error)
			}
		})
	}
}

// TestAQuestionThatIsLostFitsTheSchemas loses an app that waits for the user.
func TestAQuestionThatIsLostFitsTheSchemas(t *testing.T) {
	t.Parallel()
	for _, version := range []string{mcp.V2025_06_18, mcp.V2025_11_25} {
		server := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "app", Version: "1"}, Catalog: tools{}})
		conn, far := judgedApp(t, server)
		next, _ := judgedApp(t, server)
		s := begin(t, Options{}, conn, next)
		c := hostile.New(t, s.out, s.in)
		c.Ask(`"i"`, hostile.Initialize(`"i"`, version))
		c.Write(hostile.Legacy(`1`, "tools/call", `{"name":"ask"}`))
		if m, _ := c.Next(); m.Method != mcp.MethodElicit {
			t.Errorf("%s: got %+v, want the question", version, m)
		}
		far.conn.Close()
		settled := map[string]bool{}
		for range 2 {
			m, ok := c.Next()
			settled[m.Method+string(m.ID)] = ok && (m.Error != nil || m.Method == mcp.NotifyCancelled)
		}
		if !settled[mcp.NotifyCancelled] || !settled["1"] {
			t.Errorf("%s: the question and its call were settled with %v", version, settled)
		}
	}
}
