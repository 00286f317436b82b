package bridge_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/test/bridge"
	"github.com/elyra-go/elyra/test/fixture"
)

// serve puts a bridge before a server and returns its address.
func serve(t *testing.T, s *mcpserver.Server) string {
	t.Helper()
	b := bridge.New(mcpclient.Pipe(s.Serve), nil)
	server := httptest.NewServer(b)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return server.URL
}

func TestSDKClientOverHTTP(t *testing.T) {
	t.Parallel()
	url := serve(t, fixture.New())
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			reports, heard := make(chan float64, 8), make(chan struct{}, 64)
			client := sdk.NewClient(&sdk.Implementation{Name: "go-sdk", Version: "1"}, &sdk.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
					if r.Params.ProgressToken == "mine" {
						reports <- r.Params.Progress
					}
				},
				ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada", "username": "ada", "email": "ada@example.com"}}, nil
				},
				ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { heard <- struct{}{} },
			})
			session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			call := func(tool string) string {
				p := &sdk.CallToolParams{Name: tool, Arguments: map[string]any{}}
				if tool == "test_elicitation" {
					p.Arguments = map[string]any{"message": "Who are you?"}
				}
				p.SetProgressToken("mine")
				r, err := session.CallTool(t.Context(), p)
				if err != nil || len(r.Content) == 0 {
					t.Fatalf("%s: %+v, %v", tool, r, err)
				}
				return r.Content[0].(*sdk.TextContent).Text
			}
			call("test_tool_with_progress")
			for _, want := range []float64{0, 50, 100} {
				select {
				case got := <-reports:
					if got != want {
						t.Errorf("progress %v, want %v", got, want)
					}
				case <-time.After(20 * time.Second):
					t.Fatal("no progress")
				}
			}
			switch {
			case mcp.Modern(version):
				if got := call("test_input_required_result_elicitation"); !strings.Contains(got, "Ada") {
					t.Errorf("got %s", got)
				}
			case mcp.AtLeast(version, mcp.V2025_06_18):
				if got := call("test_elicitation"); !strings.Contains(got, "ada@example.com") {
					t.Errorf("got %s", got)
				}
			}
			call("test_trigger_tool_change")
			select {
			case <-heard:
			case <-time.After(20 * time.Second):
				t.Error("nothing was heard of the changed tools")
			}
		})
	}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// post sends one message and returns the status and the body.
func post(t *testing.T, ctx context.Context, url, method, body string, change func(*http.Request)) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Mcp-Protocol-Version", mcp.V2026_07_28)
	r.Header.Set("Mcp-Method", method)
	if change != nil {
		change(r)
	}
	return http.DefaultClient.Do(r)
}

func TestStatusOfAnswers(t *testing.T) {
	t.Parallel()
	url := serve(t, fixture.New())
	tests := []struct {
		name, method, body string
		change             func(*http.Request)
		status             int
		want               string
	}{
		{"result", "tools/list", `{"jsonrpc":"2.0","id":"7","method":"tools/list","params":{` + meta + `}}`, nil, 200, `"id":"7"`},
		{"unknown method", "x", `{"jsonrpc":"2.0","id":1,"method":"x","params":{` + meta + `}}`, nil, 404, `-32601`},
		{"no metadata", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, 400, `-32602`},
		{"method differs", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `}}`, nil, 400, `-32020`},
		{
			"version differs", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
			func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "2025-11-25") }, 400, `-32020`,
		},
		{"no JSON", "tools/list", `{`, nil, 400, `-32700`},
		{
			"another host", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
			func(r *http.Request) { r.Host = "evil.example.com" }, 403, `only this machine`,
		},
		{
			"another origin", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
			func(r *http.Request) { r.Header.Set("Origin", "http://evil.example.com") }, 403, `only this machine`,
		},
		{"unknown session", "ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, func(r *http.Request) {
			r.Header.Del("Mcp-Protocol-Version")
			r.Header.Set("Mcp-Session-Id", "x")
		}, 404, `no such session`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			response, err := post(t, t.Context(), url, test.method, test.body, test.change)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.status || !strings.Contains(string(body), test.want) {
				t.Errorf("status %d, %s, %v; want %d and %s", response.StatusCode, body, err, test.status, test.want)
			}
		})
	}
}

func TestModernLogGoesWithTheRequestThatAskedForIt(t *testing.T) {
	t.Parallel()
	url := serve(t, fixture.New())
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_logging_tool","arguments":{},` + meta + `}}`
	for level, want := range map[string]int{`"debug"`: 3, `"error"`: 0, `null`: 0} {
		t.Run(level, func(t *testing.T) { // one after the other: messages to the log do not say whose they are
			asking := strings.Replace(call, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":`+level+`,`, 1)
			response, err := post(t, t.Context(), url, "tools/call", asking, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if got := strings.Count(string(body), "notifications/message"); err != nil || got != want {
				t.Errorf("%d messages, want %d: %s, %v", got, want, body, err)
			}
		})
	}
}

// hanging is a catalog of one tool that reports when it began and when its context ended.
type hanging struct{ began, ended chan struct{} }

func (hanging) Tools() []mcp.Tool {
	return []mcp.Tool{{Name: "hang", InputSchema: jsontext.Value(`{"type":"object"}`)}}
}

func (h hanging) CallTool(ctx context.Context, _ *mcpserver.Call) (*mcp.CallToolResult, error) {
	close(h.began)
	<-ctx.Done()
	close(h.ended)
	return nil, ctx.Err()
}

func TestClientThatGoesAwayCancelsItsRequest(t *testing.T) {
	t.Parallel()
	h := hanging{make(chan struct{}), make(chan struct{})}
	url := serve(t, mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "hangs", Version: "1"}, Catalog: h}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-h.began
		cancel()
	}()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{},` + meta + `}}`
	if response, err := post(t, ctx, url, "tools/call", body, nil); err == nil {
		response.Body.Close()
		t.Errorf("answered with %s", response.Status)
	}
	select {
	case <-h.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the call goes on")
	}
}
