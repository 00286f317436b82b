package mcpclient

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/wire"
)

// catalog is what our own server offers in these tests.
type catalog struct{ started, cancelled chan struct{} } // of the tool "wait"

func (catalog) Tools() []mcp.Tool {
	var tools []mcp.Tool
	for _, name := range []string{"ask", "count", "echo", "fail", "wait"} {
		tools = append(tools, mcp.Tool{Name: name, InputSchema: jsontext.Value(`{"type":"object"}`)})
	}
	return tools
}

func (c catalog) CallTool(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	text := func(s string) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(s)}}, nil
	}
	switch call.Name {
	case "echo":
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(string(call.Arguments))}, StructuredContent: call.Arguments}, nil
	case "count":
		call.Progress(1, 3, "one")
		return text("counted")
	case "fail":
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("out of stock")}, IsError: true}, nil
	case "wait":
		close(c.started)
		<-ctx.Done()
		close(c.cancelled)
		return nil, ctx.Err()
	case "ask":
		if !call.Modern() {
			answer, err := call.Elicit(ctx, mcp.ElicitParams{Message: "Which city?", RequestedSchema: citySchema})
			if err != nil {
				return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(err.Error())}, IsError: true}, nil
			}
			return text(string(answer.Content))
		}
		if call.RequestState == "" {
			return nil, &mcpserver.InputRequired{State: "state 1", Requests: map[string]mcp.InputRequest{"city": {
				Method: mcp.MethodElicit, Params: jsontext.Value(`{"mode":"form","message":"Which city?","requestedSchema":` + string(citySchema) + `}`),
			}}}
		}
		var answer mcp.ElicitResult
		if err := unmarshal(call.InputResponses["city"], &answer); err != nil || call.RequestState != "state 1" {
			return nil, wire.Errorf(wire.CodeInvalidParams, "state %q, %v", call.RequestState, err)
		}
		return text(string(answer.Content))
	}
	return nil, wire.Errorf(wire.CodeInvalidParams, "unknown tool %q", call.Name)
}

var citySchema = jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}}}`)

// recorded serves in memory and holds what both sides say against the schemas.
func recorded(t *testing.T, s *mcpserver.Server) Transport {
	return Pipe(func(ctx context.Context, r io.Reader, w io.Writer) error {
		r, w = mcpschema.New().Tap(r, w, func(_ bool, err error) { t.Error(err) })
		return s.Serve(ctx, r, w)
	})
}

func TestAgainstOurServerInEachRevision(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			tools := catalog{started: make(chan struct{}), cancelled: make(chan struct{})}
			s := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "ours", Version: "3"}, Instructions: "read me", Catalog: tools})
			c := connect(t, recorded(t, s), Options{Era: version, Elicit: city(t)})
			if c.Version() != version || c.Server().Name != "ours" || c.Instructions() != "read me" {
				t.Errorf("client knows %q %+v %q", c.Version(), c.Server(), c.Instructions())
			}
			list, err := c.ListTools(t.Context())
			if err != nil || !slices.Equal(names(list), []string{"ask", "count", "echo", "fail", "wait"}) {
				t.Errorf("tools %v, error %v", names(list), err)
			}
			exchangeWith(t, c, version)

			ctx, cancel := context.WithCancel(t.Context())
			go func() { // A call that runs is cancelled, on both sides.
				<-tools.started
				cancel()
			}()
			if _, err := c.CallTool(ctx, "wait", nil, CallOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			<-tools.cancelled
			if err := c.Close(); err != nil || c.SkippedLines() != 0 {
				t.Errorf("close: %v; %d lines skipped", err, c.SkippedLines())
			}
		})
	}
}

// exchangeWith calls the tools of the catalog one after the other.
func exchangeWith(t *testing.T, c *Client, version string) {
	t.Helper()
	r, err := c.CallTool(t.Context(), "echo", map[string]any{"n": 9007199254740993, "s": "\u2028\n<é>"}, CallOptions{})
	if err != nil || !strings.Contains(r.Content[0].Text, "9007199254740993") {
		t.Fatalf("echo: %+v, %v", r, err)
	}
	if structured := r.StructuredContent != nil; structured != mcp.AtLeast(version, mcp.V2025_06_18) {
		t.Errorf("structured content: %v", structured)
	}
	steps := 0
	if _, err := c.CallTool(t.Context(), "count", nil, CallOptions{Progress: func(done, total float64, message string) { steps++ }}); err != nil || steps != 1 {
		t.Errorf("count: %d reports, error %v", steps, err)
	}
	if r, err := c.CallTool(t.Context(), "fail", nil, CallOptions{}); err != nil || !r.IsError || r.Content[0].Text != "out of stock" {
		t.Errorf("fail: %+v, %v", r, err)
	}
	var refused *wire.Error
	if _, err := c.CallTool(t.Context(), "nothing like it", nil, CallOptions{}); !errors.As(err, &refused) || refused.Code != wire.CodeInvalidParams {
		t.Errorf("unknown tool: %v", err)
	}
	r, err = c.CallTool(t.Context(), "ask", nil, CallOptions{})
	if err != nil {
		t.Fatalf("ask: %v", err)
	}
	if canAsk := mcp.AtLeast(version, mcp.V2025_06_18); r.IsError == canAsk || canAsk && r.Content[0].Text != `{"city":"Bern"}` {
		t.Errorf("ask: %+v", r)
	}
}

func TestAgainstOurServerWithAProbe(t *testing.T) {
	t.Parallel()
	s := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "ours", Version: "3"}, Catalog: catalog{}})
	c := connect(t, recorded(t, s), Options{})
	if c.Version() != mcp.V2026_07_28 {
		t.Errorf("version %s", c.Version())
	}
	changed := make(chan string, 1)
	sub, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, func(method string, _ jsontext.Value) { changed <- method })
	if err != nil || !sub.Filter().ToolsListChanged {
		t.Fatalf("listen: %+v, %v", sub, err)
	}
	s.ToolsChanged()
	if method := <-changed; method != mcp.NotifyToolsChanged {
		t.Errorf("notified of %s", method)
	}
	sub.Close()
}

func TestAgainstOurServerOverASocket(t *testing.T) {
	t.Parallel()
	s := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "ours", Version: "3"}, Catalog: catalog{}})
	c := connect(t, socketTo(t, s), Options{Elicit: city(t)})
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			r, err := c.CallTool(t.Context(), "echo", map[string]int{"i": i}, CallOptions{})
			if want := `{"i":` + strconv.Itoa(i) + `}`; err != nil || len(r.Content) != 1 || r.Content[0].Text != want && !r.IsError {
				var busy *wire.Error
				if !errors.As(err, &busy) || busy.Code != mcp.CodeBusy { // The server may cap calls in flight.
					t.Errorf("echo %d: %+v, %v", i, r, err)
				}
			}
		})
	}
	wg.Wait()
	if text := toolText(t, c, "ask"); text != `{"city":"Bern"}` {
		t.Errorf("ask: %s", text)
	}
}

// socketTo serves s on a socket for one connection.
func socketTo(t testing.TB, s *mcpserver.Server) Transport {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		s.Serve(context.Background(), conn, conn)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return Dialer(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	})
}

// BenchmarkCall measures calls to our own server over a socket, one after the other and with 16 in flight.
func BenchmarkCall(b *testing.B) {
	for _, inFlight := range []int{1, 16} {
		b.Run("in flight "+strconv.Itoa(inFlight), func(b *testing.B) {
			s := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "ours", Version: "3"}, Catalog: catalog{}})
			c, err := Connect(b.Context(), socketTo(b, s), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			args := map[string]any{"name": "Ada Lovelace", "email": "ada@example.com", "tags": []string{"a", "b"}}
			b.ReportAllocs()
			if inFlight == 1 {
				for b.Loop() {
					if _, err := c.CallTool(b.Context(), "echo", args, CallOptions{}); err != nil {
						b.Fatal(err)
					}
				}
				return
			}
			work := make(chan struct{})
			var wg sync.WaitGroup
			for range inFlight {
				wg.Go(func() {
					for range work {
						if _, err := c.CallTool(b.Context(), "echo", args, CallOptions{}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			for b.Loop() {
				work <- struct{}{}
			}
			close(work)
			wg.Wait()
		})
	}
}
