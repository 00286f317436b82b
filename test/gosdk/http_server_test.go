package gosdk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
	"github.com/elyra-go/elyra/internal/wire"
)

// overHTTP is a way in which the SDK serves HTTP. With sessions it serves the older versions alone, without them all.
type overHTTP struct {
	name     string
	handler  func(*sdk.Server) http.Handler
	path     string
	versions []string // "" is what our client finds when it is not told
	sessions bool
	json     bool // has no room for anything before the answer
}

func ways() []overHTTP {
	streamableHTTP := func(o sdk.StreamableHTTPOptions) func(*sdk.Server) http.Handler {
		return func(s *sdk.Server) http.Handler {
			return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &o)
		}
	}
	endpoints := func(s *sdk.Server) http.Handler {
		return sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return s }, nil)
	}
	all, older := mcp.Versions(), mcp.Versions()[1:]
	return []overHTTP{
		{"sessions", streamableHTTP(sdk.StreamableHTTPOptions{}), "/mcp", older, true, false},
		{"resumable sessions", streamableHTTP(sdk.StreamableHTTPOptions{EventStore: sdk.NewMemoryEventStore(nil)}), "/mcp", older, true, false},
		{"sessions with JSON", streamableHTTP(sdk.StreamableHTTPOptions{JSONResponse: true}), "/mcp", older, true, true},
		{"without sessions", streamableHTTP(sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}), "/mcp", all, false, false},
		{"without sessions, with JSON", streamableHTTP(sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, JSONResponse: true}), "/mcp", all, false, true},
		{"HTTP+SSE", endpoints, "/sse", []string{""}, true, false},
		{"HTTP+SSE at another path", endpoints, "/old", []string{""}, true, false},
	}
}

// eachWay runs a test in every way and in every version that it has.
func eachWay(t *testing.T, test func(t *testing.T, way overHTTP, version string)) {
	t.Helper()
	for _, way := range ways() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			for _, version := range way.versions {
				t.Run(version, func(t *testing.T) {
					t.Parallel()
					test(t, way, version)
				})
			}
		})
	}
}

// connectHTTP serves s and connects our client to it.
func connectHTTP(t *testing.T, way overHTTP, s *sdk.Server, o mcpclient.Options) *mcpclient.Client {
	t.Helper()
	server := httptest.NewServer(way.handler(s))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	transport, err := streamable.New(streamable.Options{URL: server.URL + way.path})
	if err != nil {
		t.Fatal(err)
	}
	return connectOurs(t, transport, o)
}

func TestOurClientFindsTheSDKsEraOverHTTP(t *testing.T) {
	t.Parallel()
	for _, way := range ways() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			want := mcp.V2026_07_28
			if way.sessions {
				want = mcp.V2025_11_25
			}
			c := connectHTTP(t, way, sdkServer(nil), mcpclient.Options{})
			if c.Version() != want || c.Server().Name != "sdk-server" {
				t.Errorf("connected to %+v in %s, want %s", c.Server(), c.Version(), want)
			}
		})
	}
	t.Run("legacy server", func(t *testing.T) {
		t.Parallel()
		s := sdk.NewServer(&sdk.Implementation{Name: "old", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: []string{mcp.V2025_06_18}})
		if c := connectHTTP(t, ways()[0], s, mcpclient.Options{}); c.Version() != mcp.V2025_06_18 {
			t.Errorf("speaks %s", c.Version())
		}
	})
}

func TestOurClientUsesTheSDKsServerOverHTTP(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, way overHTTP, version string) {
		c := connectHTTP(t, way, sdkServer(nil), mcpclient.Options{Era: version})
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 4+fillers {
			t.Errorf("%d tools from pages of 3, %v", len(tools), err)
		}
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				name := fmt.Sprint("Ada", i)
				r, err := c.CallTool(t.Context(), "greet", greeting{name}, mcpclient.CallOptions{})
				if err != nil || r.IsError || !strings.Contains(string(r.StructuredContent), name) {
					t.Errorf("a good call: %+v, %v", r, err)
				}
			})
		}
		wg.Wait()
		r, err := c.CallTool(t.Context(), "greet", greeting{"nobody"}, mcpclient.CallOptions{})
		if err != nil || !r.IsError {
			t.Errorf("a call that fails: %+v, %v", r, err)
		}
		_, err = c.CallTool(t.Context(), "explode", nil, mcpclient.CallOptions{})
		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.CodeInvalidParams {
			t.Errorf("an unknown tool: %v", err)
		}
	})
}

func TestOurClientFollowsTheSDKsProgressOverHTTP(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, way overHTTP, version string) {
		if way.json {
			return
		}
		c := connectHTTP(t, way, sdkServer(nil), mcpclient.Options{Era: version})
		var seen []string
		r, err := c.CallTool(t.Context(), "count", nil, mcpclient.CallOptions{Progress: func(done, total float64, message string) {
			seen = append(seen, fmt.Sprintf("%v/%v %s", done, total, message))
		}})
		if err != nil || r.IsError || strings.Join(seen, ", ") != "1/4 step 1, 2/4 step 2, 3/4 step 3, 4/4 step 4" {
			t.Errorf("reports %q, result %+v, %v", seen, r, err)
		}
	})
}

func TestOurClientAnswersTheSDKsQuestionsOverHTTP(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, way overHTTP, version string) {
		if version == mcp.V2025_03_26 || !mcp.Modern(version) && (way.json || !way.sessions) {
			return // has no elicitation, or no way for a server to ask
		}
		c := connectHTTP(t, way, sdkServer(nil), mcpclient.Options{Era: version, Elicit: func(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value(`{"name":"Ada"}`)}, nil
		}})
		r, err := c.CallTool(t.Context(), "ask", nil, mcpclient.CallOptions{})
		if err != nil || r.IsError || r.Content[0].Text != "accept Ada" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestOurClientCancelsTheSDKsCallsOverHTTP(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, way overHTTP, version string) {
		if !way.sessions && !mcp.Modern(version) {
			return // has no session in which a notification would find its request
		}
		waits := &waiting{started: make(chan struct{}), ended: make(chan error, 1)}
		c := connectHTTP(t, way, sdkServer(waits), mcpclient.Options{Era: version})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		go func() {
			<-waits.started
			cancel()
		}()
		if _, err := c.CallTool(ctx, "wait", nil, mcpclient.CallOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("the client returned %v", err)
		}
		if err := within(t, waits.ended, "the end of the call"); !errors.Is(err, context.Canceled) {
			t.Errorf("the call's context ended with %v", err)
		}
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Errorf("after a cancelled call: %v", err)
		}
	})
}

func TestOurClientHearsOfTheSDKsChangesOverHTTP(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, way overHTTP, version string) {
		if !way.sessions && (!mcp.Modern(version) || way.json) {
			return // has no stream in which to tell
		}
		heard := make(chan string, 8)
		hear := func(method string, _ jsontext.Value) { heard <- method }
		c := connectHTTP(t, way, sdkServer(nil), mcpclient.Options{Era: version, OnNotification: hear})
		if mcp.Modern(version) {
			sub, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, hear)
			if err != nil {
				t.Fatal(err)
			}
			defer sub.Close()
		} else {
			time.Sleep(100 * time.Millisecond) // The stream that listens opens on its own.
		}
		if _, err := c.CallTool(t.Context(), "grow", nil, mcpclient.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if method := within(t, heard, "the notification"); method != mcp.NotifyToolsChanged {
			t.Errorf("heard %s", method)
		}
	})
}
