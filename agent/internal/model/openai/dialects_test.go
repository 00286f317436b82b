package openai_test

import (
	"context"
	"errors"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/openai"
)

// ask sends a request to a scripted server.
func ask(t *testing.T, vendor, script string, newProvider func(openai.Options) model.Provider) (model.Message, error) {
	t.Helper()
	p := newProvider(openai.Options{Vendor: vendor, BaseURL: modeltest.OpenAI(t, script).URL, Key: "k"})
	r := model.Request{Model: spec(vendor, "m", "low"), Tools: tools(), Messages: talk(vendor, "m", model.Thinking{})[:1]}
	return p.Stream(t.Context(), r, func(model.Event) {})
}

// TestDialectsOfChat has answers as servers other than OpenAI's give them.
func TestDialectsOfChat(t *testing.T) {
	t.Parallel()
	const done = "\ndata: [DONE]\n\n"
	const stop = `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}` + done
	type call struct{ id, name, arguments string }
	for _, tt := range []struct {
		name, stream, text, thinking, signature string
		stop                                    model.Stop
		calls                                   []call
	}{
		{
			name:   "the same index for all calls",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}},{"index":0,"id":"b","function":{"name":"find","arguments":"{}"}}]}}]}` + "\n" + stop,
			calls:  []call{{"a", "read", "{}"}, {"b", "find", "{}"}}, stop: model.StopCalls,
		},
		{
			name: "no index",
			stream: `{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"z\""}}]}}]}` + "\n" +
				`{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":\"b\"}"}}]}}]}` + "\n" + stop,
			calls: []call{{"a", "read", `{"z":"b"}`}}, stop: model.StopCalls,
		},
		{
			name:   "no id",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"read","arguments":""}},{"index":1,"function":{"name":"find","arguments":"{}"}}]}}]}` + "\n" + stop,
			calls:  []call{{"call_1_0", "read", "{}"}, {"call_1_1", "find", "{}"}}, stop: model.StopCalls,
		},
		{
			name:   "no id but that of the answer",
			stream: `{"id":"chat-1","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"read","arguments":"{}"}}]}}]}` + "\n" + stop,
			calls:  []call{{"call_8c74d4b68944685916e23999f6c50c6b", "read", "{}"}}, stop: model.StopCalls,
		},
		{
			name:   "arguments that are an object",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":{"z":"b"}}}]}}]}` + "\n" + stop,
			calls:  []call{{"a", "read", `{"z":"b"}`}}, stop: model.StopCalls,
		},
		{
			name:   "the name again in each piece",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]}}]}` + "\n" + `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"}"}}]}}]}` + "\n" + stop,
			calls:  []call{{"a", "read", "{}"}}, stop: model.StopCalls,
		},
		{
			name:   "interleaved calls",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}},{"index":1,"id":"b","function":{"name":"find","arguments":"{"}}]}}]}` + "\n" + `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"}"}}]}}]}` + "\n" + stop,
			calls:  []call{{"a", "read", "{}"}, {"b", "find", "{}"}}, stop: model.StopCalls,
		},
		{
			name:   "no reason for the end",
			stream: `{"choices":[{"delta":{"content":"hi"}}],"error":null,"usage":null}` + done,
			text:   "hi", stop: model.StopEnd,
		},
		{
			name:   "a call that nothing ends",
			stream: `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}]}}]}` + done,
			calls:  []call{{"a", "read", ""}}, stop: model.StopEnd,
		},
		{
			name:   "thinking by the name reasoning",
			stream: `{"choices":[{"delta":{"reasoning":"hm"}}]}` + "\n" + `{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}` + done,
			text:   "hi", thinking: "hm", signature: "reasoning", stop: model.StopEnd,
		},
		{
			name:   "content that is a list",
			stream: `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}` + "\n" + `{"choices":[{"delta":{"content":[{"type":"text","text":"hi"}]},"finish_reason":"stop"}]}` + done,
			text:   "hi", thinking: "hm", stop: model.StopEnd,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := ask(t, "x", "-- response --\n"+tt.stream, openai.NewChat)
			if err != nil || m.String() != tt.text || m.Stop != tt.stop {
				t.Fatalf("%v: %q, stop %q", err, m.String(), m.Stop)
			}
			var thinking, signature string
			for _, b := range m.Content {
				if b.Thinking != nil {
					thinking, signature = thinking+b.Thinking.Text, b.Thinking.Signature
				}
			}
			if thinking != tt.thinking || signature != tt.signature {
				t.Errorf("thinking %q %q", thinking, signature)
			}
			if len(m.Calls()) != len(tt.calls) {
				t.Fatalf("calls %+v", m.Calls())
			}
			for i, c := range m.Calls() {
				if got := (call{c.ID, c.Name, string(c.Arguments)}); got != tt.calls[i] || (c.Broken == "") != (got.arguments != "") {
					t.Errorf("call %+v, want %+v (%s)", got, tt.calls[i], c.Broken)
				}
			}
		})
	}
}

func TestBrokerTellsCostAndThinking(t *testing.T) {
	t.Parallel()
	m, err := ask(t, "openrouter", `-- response --
: OPENROUTER PROCESSING

{"choices":[{"delta":{"reasoning":"h","reasoning_details":[{"type":"reasoning.text","text":"h","index":0,"signature":null}]}}]}
{"choices":[{"delta":{"reasoning":"m","reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}}]}
{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0}]}}]}
{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"xyz","index":1}]}}]}
{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}
{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4},"cost":0.25}}
data: [DONE]
`, openai.NewChat)
	if err != nil || m.Cost != 0.25 || m.Usage.Input != 6 || m.Usage.CacheRead != 4 {
		t.Fatalf("%v: %+v %+v", err, m, m.Usage)
	}
	const want = `[{"index":0,"signature":"sig","text":"hm","type":"reasoning.text"},{"data":"xyz","index":1,"type":"reasoning.encrypted"}]`
	if th := m.Content[0].Thinking; th == nil || th.Text != "hm" || string(th.Redacted) != want {
		t.Errorf("thinking %s", th.Redacted)
	}
}

func TestFailuresOfResponses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, event string
		kind        model.ErrorKind
		stop        model.Stop
	}{
		{"failed", `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}`, model.ErrRateLimit, model.StopError},
		{"overflow", `{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}}`, model.ErrOverflow, model.StopError},
		{"server error", `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"oops"}}}`, model.ErrServer, model.StopError},
		{"prompt", `{"type":"error","code":"invalid_prompt","message":"no","param":"input"}`, model.ErrInvalid, model.StopError},
		{"wrapped", `{"type":"error","error":{"type":"invalid_request_error","code":"invalid_api_key","message":"no"}}`, model.ErrAuth, model.StopError},
		{"filter", `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`, "", model.StopRefusal},
		{"no JSON", "data: {]\n", model.ErrServer, model.StopError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := ask(t, "openai", "-- response --\n"+tt.event+"\n\n", openai.NewResponses)
			var e *model.Error
			if (tt.kind != "") != errors.As(err, &e) || e != nil && e.Kind != tt.kind || m.Stop != tt.stop {
				t.Errorf("stop %q: %#v", m.Stop, err)
			}
		})
	}
}

func TestSummariesOfThinkingAreParagraphs(t *testing.T) {
	t.Parallel()
	m, err := ask(t, "openai", `-- response --
{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0}
{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"one"}
{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":1}
{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"two"}
{"type":"response.completed","response":{"status":"completed"}}
`, openai.NewResponses)
	if err != nil || m.Content[0].Thinking.Text != "one\n\ntwo" || m.Usage != nil || m.Cost != 0 {
		t.Errorf("%v: %+v", err, m)
	}
}

func TestRefusedToolIsFound(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"by param":      `{"error":{"message":"Invalid schema","type":"invalid_request_error","param":"tools[1].function.parameters","code":"invalid_function_parameters"}}`,
		"by name":       `{"error":{"message":"Invalid schema for function 'find': no","type":"invalid_request_error","param":null}}`,
		"inner list":    `[{"error":{"code":400,"message":"tools[0].function_declarations[1].parameters: no","status":"INVALID_ARGUMENT"}}]`,
		"in the detail": `{"detail":"tools[1] is wrong"}`,
	} {
		for _, newProvider := range []func(openai.Options) model.Provider{openai.NewResponses, openai.NewChat} {
			_, err := ask(t, "x", "-- response --\nstatus: 400\n\n"+body, newProvider)
			var e *model.Error
			if !errors.As(err, &e) || e.Tool != 2 || e.Kind != model.ErrInvalid {
				t.Errorf("%s: %#v", name, err)
			}
		}
	}
}

func TestWhatNoVendorTakesIsNotSent(t *testing.T) {
	t.Parallel()
	p := openai.NewChat(openai.Options{Vendor: "x", BaseURL: "http://127.0.0.1:1"})
	r := model.Request{Model: spec("x", "m"), Messages: talk("x", "m", model.Thinking{})[:1], Tools: []model.Tool{{Name: "crm.find", InputSchema: []byte(`{}`)}}}
	_, err := p.Stream(context.Background(), r, func(model.Event) {})
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.ErrInvalid || e.Tool != 1 {
		t.Errorf("%#v", err)
	}
}

func TestCallThatTheVendorCallsIncompleteMayNotRun(t *testing.T) {
	t.Parallel()
	m, err := ask(t, "openai", `-- response --
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"read"}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"a","name":"read","arguments":"{}","status":"incomplete"}}
{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"more"}
{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}
`, openai.NewResponses)
	if err != nil || m.Stop != model.StopLength || m.Calls()[0].Broken != model.BrokenCut {
		t.Errorf("%v: %+v", err, m.Calls())
	}
}
