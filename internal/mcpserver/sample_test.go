package mcpserver

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// sampling connects to a server with one tool, which asks the client's model and says what came of it.
func sampling(t *testing.T, change func(*Options)) *client {
	t.Helper()
	o, _ := testOptions(catalogFunc(func(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
		if string(call.Arguments) == `{}` {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("idle")}}, nil
		}
		said, err := call.Sample(ctx, mcp.SampleParams{
			Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text("Why?")}}, MaxTokens: 100,
		})
		if err != nil {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(err.Error())}, IsError: true}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(said.Model + ": " + string(said.Content))}}, nil
	}))
	if change != nil {
		change(&o)
	}
	return connect(t, New(o))
}

const sampleCall = `{"name":"x","arguments":{"ask":1}}`

func TestS45_onlyADeclaredModelIsAsked(t *testing.T) {
	const asks = `{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","method":"sampling/createMessage","params":` +
		`{"messages":[{"role":"user","content":{"type":"text","text":"Why?"}}],"maxTokens":100}}`
	for _, version := range []string{mcp.V2025_11_25, mcp.V2025_06_18, mcp.V2025_03_26} {
		for capabilities, may := range map[string]bool{`{"sampling":{}}`: true, `{}`: false, `{"sampling":null}`: false, `{"elicitation":{}}`: false} {
			t.Run(version+capabilities, func(t *testing.T) {
				bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
					c := sampling(t, nil)
					c.one(initialize(version, capabilities))
					got := c.one(legacy(`1`, "tools/call", sampleCall))
					if may != (got == asks) || !may && !strings.Contains(got, ErrCannotSample.Error()) {
						t.Fatalf("got %s", got)
					}
					if may {
						c.one(`{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","result":{"role":"assistant","content":{"type":"text","text":"So."},"model":"m"}}`)
					}
					// The era of a request decides, not what the connection's session declared.
					modern := strings.Replace(call(`2`, "x", `{"ask":1}`), `clientCapabilities":{}`, `clientCapabilities":`+capabilities, 1)
					if got := c.one(modern); !strings.Contains(got, ErrCannotSample.Error()) {
						t.Errorf("modern: %s", got)
					}
				})
			})
		}
	}
}

func TestSample_answers(t *testing.T) {
	const malformed = "sample: the client's answer is malformed"
	tests := []struct{ name, answer, want string }{
		{"text", `"result":{"role":"assistant","content":{"type":"text","text":"So."},"model":"m"}`, `m: {\"type\":\"text\",\"text\":\"So.\"}`},
		{"blocks", `"result":{"role":"assistant","content":[],"model":"m","stopReason":"endTurn"}`, `m: []`},
		{"no content", `"result":{"role":"assistant","model":"m"}`, malformed},
		{"no role", `"result":{"content":{"type":"text","text":""},"model":"m"}`, malformed},
		{"no object", `"result":[]`, malformed},
		{"content of another kind", `"result":{"role":"assistant","content":"So.","model":"m"}`, malformed},
		{"refusal", `"error":{"code":-1,"message":"the user said no"}`, "sample: the client refused: the user said no"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
				c := sampling(t, nil)
				c.one(initialize(mcp.V2025_11_25, `{"sampling":{}}`))
				c.one(legacy(`1`, "tools/call", sampleCall))
				if got := c.one(`{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1",` + test.answer + `}`); !strings.Contains(got, test.want) {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}

func TestSample_waitsLikeAQuestionToTheUser(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		c := sampling(t, func(o *Options) { o.MaxInFlight, o.MaxWaiting = 1, 1 })
		c.one(initialize(mcp.V2025_11_25, `{"sampling":{}}`))
		c.one(legacy(`1`, "tools/call", sampleCall))
		// The only place in flight is free again, the only one to wait is not.
		if got := c.one(legacy(`2`, "tools/call", `{"name":"x","arguments":{}}`)); !strings.Contains(got, "idle") {
			t.Errorf("got %s", got)
		}
		if got := c.one(legacy(`3`, "tools/call", sampleCall)); !strings.Contains(got, "already wait") {
			t.Errorf("got %s", got)
		}
		// A call that the client cancels withdraws its question.
		got := c.one(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		m, refused := wire.Parse([]byte(got), wire.Limits{})
		if refused != nil || m.Method != mcp.NotifyCancelled || string(m.Params) != string(jsontext.Value(`{"requestId":"ask-AAAAAAAA-1"}`)) {
			t.Errorf("got %s", got)
		}
	})
}
