package gosdk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
	"github.com/elyra-go/elyra/test/fixture"
)

func TestSDKClientReadsOurResources(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		s := connectSDK(t, piped(t, fixture.New()), version, nil)
		list, err := s.ListResources(t.Context(), nil)
		if err != nil || len(list.Resources) != 3 {
			t.Fatalf("resources: %+v, %v", list, err)
		}
		templates, err := s.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) != 1 {
			t.Errorf("templates: %+v, %v", templates, err)
		}
		text, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://template/12/data"})
		if err != nil || len(text.Contents) != 1 || !strings.Contains(text.Contents[0].Text, `"id":"12"`) {
			t.Errorf("from the template: %+v, %v", text, err)
		}
		picture, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://static-binary"})
		if err != nil || len(picture.Contents) != 1 || !strings.HasPrefix(string(picture.Contents[0].Blob), "\x89PNG") {
			t.Errorf("a picture: %+v, %v", picture, err)
		}
		_, err = s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://no-such"})
		want := int64(mcp.CodeLegacyResourceNotFound)
		if mcp.Modern(version) {
			want = wire.CodeInvalidParams
		}
		if e, ok := errors.AsType[*jsonrpc.Error](err); !ok || e.Code != want {
			t.Errorf("an unknown resource: %v, want code %d", err, want)
		}
		if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "test://watched-resource"}); err != nil {
			t.Errorf("subscribe: %v", err)
		}
	})
}

func TestSDKClientWatchesTheCRM(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		const uri = "app://customers_index"
		home, told := t.TempDir(), make(chan string, 16)
		s := openCRMIn(t, home, version, &sdk.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { told <- r.Params.URI },
		})
		if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		writer := openCRMIn(t, home, version, nil) // a process of its own, since no app is open
		if r := call(t, writer, "customers_store", `{"input":{"name":"Ada","email":"told@example.com"}}`); r.IsError {
			t.Fatal(text(r))
		}
		if got := within(t, told, "an updated resource"); got != uri {
			t.Errorf("told of %s, want %s", got, uri)
		}
		read, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(read.Contents) != 1 || !strings.Contains(read.Contents[0].Text, "told@example.com") {
			t.Errorf("read %+v, %v", read, err)
		}
	})
}

func TestSDKClientFillsInOurPrompts(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		s := connectSDK(t, piped(t, fixture.New()), version, &sdk.ClientOptions{
			ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"context": "a test"}}, nil
			},
		})
		list, err := s.ListPrompts(t.Context(), nil)
		if err != nil || !slices.ContainsFunc(list.Prompts, func(p *sdk.Prompt) bool { return p.Name == "test_prompt_with_arguments" && len(p.Arguments) == 2 }) {
			t.Fatalf("prompts: %+v, %v", list, err)
		}
		fill := func(name string, args map[string]string) string {
			p, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
			if err != nil || len(p.Messages) == 0 || p.Messages[0].Role != "user" {
				t.Fatalf("%s: %+v, %v", name, p, err)
			}
			return p.Messages[0].Content.(*sdk.TextContent).Text
		}
		if got := fill("test_prompt_with_arguments", map[string]string{"arg1": "one", "arg2": "two"}); !strings.Contains(got, "'one'") || !strings.Contains(got, "'two'") {
			t.Errorf("got %s", got)
		}
		if mcp.Modern(version) {
			if got := fill("test_input_required_result_prompt", nil); !strings.Contains(got, "a test") {
				t.Errorf("got %s", got)
			}
		}
		completed, err := s.Complete(t.Context(), &sdk.CompleteParams{
			Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "test_prompt_with_arguments"}, Argument: sdk.CompleteParamsArgument{Name: "arg1", Value: "tes"},
		})
		if err != nil || !slices.Equal(completed.Completion.Values, []string{"test", "testing"}) {
			t.Errorf("completions: %+v, %v", completed, err)
		}
	})
}
