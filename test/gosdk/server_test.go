package gosdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// fillers are tools that only make the list longer than a page.
const fillers = 7

type greeting struct {
	Name string `json:"name" jsonschema:"who is greeted"`
}

type greeted struct {
	Text string `json:"text"`
}

// sdkServer is a server of the SDK. Waits, which may be nil, gets how the context of a call of "wait" ended.
func sdkServer(waits *waiting) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "sdk-server", Title: "SDK server", Version: "1.8.0"},
		&sdk.ServerOptions{PageSize: 3, Instructions: "Greet people."})
	sdk.AddTool(s, &sdk.Tool{Name: "greet", Description: "Greets."},
		func(_ context.Context, _ *sdk.CallToolRequest, in greeting) (*sdk.CallToolResult, greeted, error) {
			if in.Name == "nobody" {
				return nil, greeted{}, errors.New("nobody cannot be greeted")
			}
			return nil, greeted{"Hello, " + in.Name}, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "count", Description: "Reports progress."},
		func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			for i := range 4 {
				if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
					ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 4, Message: fmt.Sprint("step ", i+1),
				}); err != nil {
					return nil, nil, err
				}
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "counted"}}}, nil, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "ask", Description: "Asks the user."}, ask)
	sdk.AddTool(s, &sdk.Tool{Name: "grow", Description: "Adds a tool."},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			sdk.AddTool(s, &sdk.Tool{Name: "grown"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
				return &sdk.CallToolResult{}, nil, nil
			})
			return &sdk.CallToolResult{}, nil, nil
		})
	for i := range fillers {
		sdk.AddTool(s, &sdk.Tool{Name: fmt.Sprintf("zz-filler-%d", i)}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{}, nil, nil
		})
	}
	if waits != nil {
		sdk.AddTool(s, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			close(waits.started)
			<-ctx.Done()
			waits.ended <- ctx.Err()
			return nil, nil, ctx.Err()
		})
	}
	return s
}

// ask returns a question, which the SDK's server puts in the way of the client's era.
func ask(_ context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
	answer, ok := r.Params.InputResponses["name"].(*sdk.ElicitResult)
	if !ok {
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"name": &sdk.ElicitParams{
			Message: "Who are you?",
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
			},
		}}, RequestState: "opaque <&> state"}, nil, nil
	}
	if r.Params.RequestState != "opaque <&> state" {
		return nil, nil, fmt.Errorf("the state came back as %q", r.Params.RequestState)
	}
	said := fmt.Sprint(answer.Action, " ", answer.Content["name"])
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}}, nil, nil
}

// inMemory is a transport to an SDK server in this process. What our client says is held against the schemas.
func inMemory(t *testing.T, s *sdk.Server) mcpclient.Transport {
	return mcpclient.Pipe(func(ctx context.Context, r io.Reader, w io.Writer) error {
		r, w = mcpschema.New().Tap(r, w, func(fromServer bool, err error) {
			if !fromServer {
				t.Errorf("our client: %v", err)
			}
		})
		return s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(r), Writer: nopWriteCloser{w}})
	})
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// connectOurs connects our client; the test's end disconnects it.
func connectOurs(t *testing.T, transport mcpclient.Transport, o mcpclient.Options) *mcpclient.Client {
	t.Helper()
	c, err := mcpclient.Connect(t.Context(), transport, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if n := c.SkippedLines(); n > 0 {
			t.Errorf("%d lines of the server were skipped", n)
		}
	})
	return c
}

func TestOurClientFindsTheSDKsEra(t *testing.T) {
	t.Parallel()
	process := mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asPeer+"=1")
		return cmd
	}, mcpclient.CommandOptions{})
	for name, transport := range map[string]mcpclient.Transport{"in memory": inMemory(t, sdkServer(nil)), "stdio": process} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connectOurs(t, transport, mcpclient.Options{})
			if c.Version() != mcp.V2026_07_28 || c.Server().Name != "sdk-server" || c.Instructions() != "Greet people." {
				t.Errorf("connected to %+v in %s, instructions %q", c.Server(), c.Version(), c.Instructions())
			}
			if r, err := c.CallTool(t.Context(), "greet", greeting{"Ada"}, mcpclient.CallOptions{}); err != nil || r.Content[0].Text == "" {
				t.Errorf("a call: %+v, %v", r, err)
			}
		})
	}
	t.Run("legacy server", func(t *testing.T) {
		t.Parallel()
		s := sdk.NewServer(&sdk.Implementation{Name: "old", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: []string{mcp.V2025_06_18}})
		if c := connectOurs(t, inMemory(t, s), mcpclient.Options{}); c.Version() != mcp.V2025_06_18 {
			t.Errorf("speaks %s", c.Version())
		}
	})
}

func TestOurClientUsesTheSDKsServer(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		c := connectOurs(t, inMemory(t, sdkServer(nil)), mcpclient.Options{Era: version})
		if c.Version() != version {
			t.Fatalf("speaks %s", c.Version())
		}
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 4+fillers {
			t.Errorf("%d tools from pages of 3, %v", len(tools), err)
		}
		r, err := c.CallTool(t.Context(), "greet", greeting{"Ada"}, mcpclient.CallOptions{})
		if err != nil || r.IsError || string(r.StructuredContent) != `{"text":"Hello, Ada"}` {
			t.Errorf("a good call: %+v, %v", r, err)
		}
		r, err = c.CallTool(t.Context(), "greet", greeting{"nobody"}, mcpclient.CallOptions{})
		if err != nil || !r.IsError || !strings.Contains(r.Content[0].Text, "nobody cannot be greeted") {
			t.Errorf("a call that fails: %+v, %v", r, err)
		}
		r, err = c.CallTool(t.Context(), "greet", map[string]int{"name": 5}, mcpclient.CallOptions{})
		if err != nil || !r.IsError {
			t.Errorf("bad arguments: %+v, %v", r, err)
		}
		_, err = c.CallTool(t.Context(), "explode", nil, mcpclient.CallOptions{})
		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.CodeInvalidParams {
			t.Errorf("an unknown tool: %v", err)
		}
	})
}

func TestOurClientFollowsTheSDKsProgress(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		c := connectOurs(t, inMemory(t, sdkServer(nil)), mcpclient.Options{Era: version})
		var seen []string
		r, err := c.CallTool(t.Context(), "count", nil, mcpclient.CallOptions{Progress: func(done, total float64, message string) {
			seen = append(seen, fmt.Sprintf("%v/%v %s", done, total, message))
		}})
		if err != nil || r.IsError || strings.Join(seen, ", ") != "1/4 step 1, 2/4 step 2, 3/4 step 3, 4/4 step 4" {
			t.Errorf("reports %q, result %+v, %v", seen, r, err)
		}
	})
}

func TestOurClientAnswersTheSDKsQuestions(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		if version == mcp.V2025_03_26 {
			return // has no elicitation; the SDK's server asks all the same
		}
		for _, action := range []string{"accept", "decline", "cancel"} {
			t.Run(action, func(t *testing.T) {
				t.Parallel()
				c := connectOurs(t, inMemory(t, sdkServer(nil)), mcpclient.Options{Era: version, Elicit: func(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
					if p.Message != "Who are you?" || !strings.Contains(string(p.RequestedSchema), `"name"`) {
						t.Errorf("asked %+v", p)
					}
					return mcp.ElicitResult{Action: action, Content: jsontext.Value(`{"name":"Ada"}`)}, nil
				}})
				want := map[string]string{"accept": "accept Ada", "decline": "decline <nil>", "cancel": "cancel <nil>"}[action]
				r, err := c.CallTool(t.Context(), "ask", nil, mcpclient.CallOptions{})
				if err != nil || r.IsError || r.Content[0].Text != want {
					t.Errorf("got %+v, %v", r, err)
				}
			})
		}
		t.Run("cannot ask", func(t *testing.T) {
			t.Parallel()
			c := connectOurs(t, inMemory(t, sdkServer(nil)), mcpclient.Options{Era: version})
			if r, err := c.CallTool(t.Context(), "ask", nil, mcpclient.CallOptions{}); err == nil && !r.IsError {
				t.Errorf("got %+v", r)
			}
		})
	})
}

func TestOurClientCancelsTheSDKsCalls(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		waits := &waiting{started: make(chan struct{}), ended: make(chan error, 1)}
		c := connectOurs(t, inMemory(t, sdkServer(waits)), mcpclient.Options{Era: version})
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

func TestOurClientHearsOfTheSDKsChanges(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		heard := make(chan string, 8)
		hear := func(method string, _ jsontext.Value) { heard <- method }
		c := connectOurs(t, inMemory(t, sdkServer(nil)), mcpclient.Options{Era: version, OnNotification: hear})
		if mcp.Modern(version) {
			sub, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, hear)
			if err != nil {
				t.Fatal(err)
			}
			defer sub.Close()
			if !sub.Filter().ToolsListChanged {
				t.Errorf("the server agreed to %+v", sub.Filter())
			}
		}
		if _, err := c.CallTool(t.Context(), "grow", nil, mcpclient.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if method := within(t, heard, "the notification"); method != mcp.NotifyToolsChanged {
			t.Errorf("heard %s", method)
		}
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 5+fillers {
			t.Errorf("%d tools, %v", len(tools), err)
		}
	})
}
