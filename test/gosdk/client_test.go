package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/test/fixture"
)

// patience bounds the waiting for something that must happen.
const patience = 20 * time.Second

// within waits for a value and fails the test when none comes.
func within[T any](t *testing.T, values <-chan T, what string) (value T) {
	t.Helper()
	select {
	case value = <-values:
	case <-time.After(patience):
		t.Fatalf("%s did not happen within %v", what, patience)
	}
	return value
}

// piped serves the SDK's client in memory. The test's end waits until the server has returned.
func piped(t *testing.T, s *mcpserver.Server) sdk.Transport {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	// What our server says is held against the schemas; what the SDK says is its own business.
	r, w := mcpschema.New().Tap(fromClient, toClient, func(fromServer bool, err error) {
		if fromServer {
			t.Errorf("our server: %v", err)
		}
	})
	go func() {
		err := s.Serve(context.WithoutCancel(t.Context()), r, w)
		toClient.Close()
		served <- err
	}()
	t.Cleanup(func() {
		// The SDK closes both directions at once, and may miss the last that the server says.
		if err := within(t, served, "the end of the server"); err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("serve: %v", err)
		}
	})
	return &sdk.IOTransport{Reader: fromServer, Writer: toServer}
}

func TestSDKClientUsesOurServer(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{})
		list, err := s.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) < 20 {
			t.Fatalf("tools: %+v, %v", list, err)
		}
		if r := call(t, s, "test_simple_text", `{}`); r.IsError || text(r) == "" {
			t.Errorf("a call: %+v", r)
		}
		kinds := call(t, s, "test_multiple_content_types", `{}`).Content
		if len(kinds) != 3 {
			t.Fatalf("content: %v", kinds)
		}
		if picture, ok := kinds[1].(*sdk.ImageContent); !ok || picture.MIMEType != "image/png" || len(picture.Data) == 0 {
			t.Errorf("the picture came as %+v", kinds[1])
		}
		if embedded, ok := kinds[2].(*sdk.EmbeddedResource); !ok || embedded.Resource.URI == "" || embedded.Resource.Text == "" {
			t.Errorf("the resource came as %+v", kinds[2])
		}
		if r := call(t, s, "test_error_handling", `{}`); !r.IsError || text(r) == "" {
			t.Errorf("a tool that fails: %+v", r)
		}
		if mcp.Modern(version) {
			return
		}
		if err := s.Ping(t.Context(), nil); err != nil {
			t.Errorf("ping: %v", err)
		}
	})
}

func TestSDKClientFollowsProgress(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		reports := make(chan *sdk.ProgressNotificationParams, 8)
		s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { reports <- r.Params },
		})
		p := &sdk.CallToolParams{Name: "test_tool_with_progress", Arguments: map[string]any{}}
		p.SetProgressToken("token 7")
		if _, err := s.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if r := within(t, reports, "progress"); r.ProgressToken != "token 7" || r.Progress != float64(i*50) || r.Total != 100 {
				t.Errorf("report %d: %+v", i, r)
			}
		}
	})
}

func TestSDKClientAnswersOurQuestions(t *testing.T) {
	t.Parallel()
	answers := map[string]*sdk.ElicitResult{
		"accept":  {Action: "accept", Content: map[string]any{"username": "ada", "email": "ada@example.com"}},
		"decline": {Action: "decline"},
		"cancel":  {Action: "cancel"},
	}
	eachVersion(t, func(t *testing.T, version string) {
		for action, answer := range answers {
			t.Run(action, func(t *testing.T) {
				t.Parallel()
				s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{
					ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
						if r.Params.RequestedSchema == nil {
							t.Errorf("the question has no schema: %+v", r.Params)
						}
						if answer.Content != nil && mcp.Modern(version) {
							return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "ada"}}, nil
						}
						return answer, nil
					},
				})
				switch {
				case mcp.Modern(version) && action == "accept":
					if r := call(t, s, "test_input_required_result_elicitation", `{}`); r.IsError || !strings.Contains(text(r), "ada") {
						t.Errorf("got %s", text(r))
					}
				case mcp.Modern(version): // this tool takes any answer that comes with its state
					if r := call(t, s, "test_input_required_result_request_state", `{}`); r.IsError || text(r) != "state-ok" {
						t.Errorf("got %s", text(r))
					}
				case version == mcp.V2025_03_26: // that revision cannot ask
					if r := call(t, s, "test_elicitation", `{"message":"Who are you?"}`); !r.IsError {
						t.Errorf("got %s", text(r))
					}
				default:
					r := call(t, s, "test_elicitation", `{"message":"Who are you?"}`)
					if r.IsError || !strings.Contains(text(r), "action="+action) || strings.Contains(text(r), "ada") != (action == "accept") {
						t.Errorf("got %s", text(r))
					}
				}
			})
		}
	})
}

func TestSDKClientCancels(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		catalog := waiting{started: make(chan struct{}), ended: make(chan error, 1)}
		server := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "waits", Version: "1"}, Catalog: catalog})
		s := connectSDK(t, piped(t, server), version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan error, 1)
		go func() {
			_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{}`)})
			returned <- err
		}()
		within(t, catalog.started, "the call")
		cancel()
		if err := within(t, catalog.ended, "the end of the call"); !errors.Is(err, context.Canceled) {
			t.Errorf("the call's context ended with %v", err)
		}
		if err := within(t, returned, "the client's return"); !errors.Is(err, context.Canceled) {
			t.Errorf("the client returned %v", err)
		}
		if _, err := s.ListTools(t.Context(), nil); err != nil {
			t.Errorf("after a cancelled call: %v", err)
		}
	})
}

func TestSDKClientHearsOfChangedTools(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		heard := make(chan struct{}, 8)
		s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { heard <- struct{}{} },
		})
		call(t, s, "test_trigger_tool_change", `{}`)
		within(t, heard, "the notification")
	})
}

// waiting is a catalog of one tool that returns when its context ends.
type waiting struct {
	started chan struct{}
	ended   chan error
}

func (waiting) Tools() []mcp.Tool {
	return []mcp.Tool{{Name: "wait", InputSchema: jsontext.Value(`{"type":"object"}`)}}
}

func (w waiting) CallTool(ctx context.Context, _ *mcpserver.Call) (*mcp.CallToolResult, error) {
	close(w.started)
	<-ctx.Done()
	w.ended <- ctx.Err()
	return nil, ctx.Err()
}
