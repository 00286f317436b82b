//lint:file-ignore SA1019 what is deprecated still has to work with those who use it.

package gosdk

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/test/fixture"
)

// TestSDKClientGetsOurLog holds our support for what servers should not adopt any more against the SDK's.
func TestSDKClientGetsOurLog(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		heard := make(chan string, 16)
		s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{
			LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
				heard <- fmt.Sprintf("%s %s %v", r.Params.Level, r.Params.Logger, r.Params.Data)
			},
		})
		call := func(level sdk.LoggingLevel) {
			p := &sdk.CallToolParams{Name: "test_tool_with_logging"}
			switch {
			case !mcp.Modern(version):
				if err := s.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: level}); err != nil {
					t.Fatal(err)
				}
			case level != "":
				p.Meta = sdk.Meta{sdk.MetaKeyLogLevel: level}
			}
			if _, err := s.CallTool(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		call("warning") // nothing of the call is that bad
		call("debug")
		var got []string
		for range 3 {
			select {
			case message := <-heard:
				got = append(got, message)
			case <-time.After(20 * time.Second):
				t.Fatalf("heard only %q", got)
			}
		}
		want := []string{"info fixture Tool execution started", "info fixture Tool processing data", "info fixture Tool execution completed"}
		if !slices.Equal(got, want) || len(heard) > 0 {
			t.Errorf("heard %q and %d more, want %q", got, len(heard), want)
		}
	})
}

func TestSDKClientLendsUsItsModel(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		call := func(o *sdk.ClientOptions) *sdk.CallToolResult {
			s := connectSDK(t, piped(t, fixture.New()), version, o)
			r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "test_sampling", Arguments: map[string]any{"prompt": "Why?"}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := call(&sdk.ClientOptions{CreateMessageHandler: func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			question := r.Params.Messages[0].Content.(*sdk.TextContent).Text
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: "You asked: " + question}}, nil
		}})
		if want := `LLM response: {"type":"text","text":"You asked: Why?"}`; !mcp.Modern(version) && text(r) != want {
			t.Errorf("got %s, want %s", text(r), want)
		}
		if mcp.Modern(version) && !r.IsError { // it would be asked by an interim result
			t.Errorf("a modern client was asked in the middle of a call: %s", text(r))
		}
		if r := call(nil); !r.IsError {
			t.Errorf("without a model: %s", text(r))
		}
	})
}
