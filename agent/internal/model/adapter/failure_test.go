package adapter_test

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// TestOverflowInTheWordsOfVendors has the texts by which servers say that a request is too long, with the status they use.
func TestOverflowInTheWordsOfVendors(t *testing.T) {
	t.Parallel()
	x := &adapter.Exchange{Vendor: "v"}
	for _, tt := range []struct {
		status int
		body   string
	}{
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}`},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 190000 + 20000 > 200000"}}`},
		{413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`},
		{400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{400, `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":null}}`},
		{400, `[{"error":{"code":400,"message":"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`},
		{400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`},
		{400, `{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error"}}`},
		{400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000}}`},
		{500, `{"error":"input length exceeds maximum context length"}`},
		{400, `{"object":"error","message":"The prompt (total length 40000) is longer than the maximum model length of 32768.","code":400}`},
		{400, `{"error":"Trying to keep the first 9000 tokens when context the overflows. It is greater than the context length"}`},
		{400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"prompt is too long: 5 tokens > 4 maximum","provider_name":"Anthropic"}}}`},
		{400, `{"message":"Prompt contains 40000 tokens and is too large for model with 32768 maximum context length"}`},
		{0, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}`},
	} {
		if e := x.Failure(tt.status, []byte(tt.body)); e.Kind != model.ErrOverflow {
			t.Errorf("%s: %s", e.Kind, e.Message)
		}
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	x := &adapter.Exchange{Vendor: "v", Key: "sk-secret"}
	for _, tt := range []struct {
		name, body string
		status     int
		kind       model.ErrorKind
		says       string
	}{
		{"error is a text", `{"error":"model 'x' not found"}`, 404, model.ErrInvalid, "v: model 'x' not found (status 404)"},
		{"detail", `{"detail":"Not Found"}`, 404, model.ErrInvalid, "v: Not Found (status 404)"},
		{"list in the detail", `{"detail":[{"message":"field required"}]}`, 422, model.ErrInvalid, "v: field required (status 422)"},
		{"message", `{"message":"nope"}`, 400, model.ErrInvalid, "v: nope (status 400)"},
		{"members of other types", `{"error":{"code":429,"message":"slow","details":[{"error_code":1}],"metadata":"x","type":{},"param":[]}}`, 429, model.ErrRateLimit, "v: slow (status 429)"},
		{"null", `{"error":null,"message":"nope"}`, 400, model.ErrInvalid, "v: nope (status 400)"},
		{"broker", `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"slow down"}}}`, 429, model.ErrRateLimit, "Provider returned error: slow down"},
		{"no JSON", "upstream connect error", 503, model.ErrOverloaded, "v: upstream connect error (status 503)"},
		{"no words", `{}`, 500, model.ErrServer, "v: internal server error (status 500)"},
		{"unknown status", "", 599, model.ErrServer, "v: no reason given (status 599)"},
		{"key and control characters", "bad sk-secret\x1b[31m\x00\nred\u202e", 401, model.ErrAuth, "v: bad [key][31m red (status 401)"},
		{"key in a 400", `{"error":{"message":"API key not valid."}}`, 400, model.ErrAuth, "API key not valid"},
		{"credit", `{"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, 400, model.ErrRefused, "credit"},
		{"spend limit", `{"error":{"type":"rate_limit_error","message":"no","details":{"error_code":"enforced_spend_limit_reached"}}}`, 429, model.ErrRefused, "no"},
		{"timeout", "", 408, model.ErrNetwork, "request timeout"},
		{"long", strings.Repeat("ы", 5000), 400, model.ErrInvalid, "…"},
		{"stream: api error", `{"type":"error","error":{"type":"api_error","message":"x"}}`, 0, model.ErrServer, "v: x"},
		{"stream: rate limit", `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`, 0, model.ErrRateLimit, "v: x"},
		{"stream: permission", `{"type":"error","error":{"type":"permission_error","message":"x"}}`, 0, model.ErrRefused, "v: x"},
		{"stream: no object", `"x"`, 0, model.ErrServer, "v: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := x.Failure(tt.status, []byte(tt.body))
			if e.Kind != tt.kind || !strings.Contains(e.Message, tt.says) || len(e.Message) > 2200 {
				t.Errorf("%s: %q", e.Kind, e.Message)
			}
		})
	}
}

func FuzzFailure(f *testing.F) {
	f.Add(400, `{"error":{"message":"tools.3.custom: no","details":{"error_code":1}}}`)
	f.Add(200, `[[[["x"]]]]`)
	f.Add(502, "<html><title>\xff</title>")
	f.Add(0, `{"error":{"error":{"error":"deep"}}}`)
	x := &adapter.Exchange{Vendor: "v", Key: "sk-secret"}
	f.Fuzz(func(t *testing.T, status int, body string) {
		e := x.Failure(status, []byte(body))
		if e.Kind == "" || e.Message == "" || e.Tool < 0 || len(e.Message) > 2200 {
			t.Fatalf("%#v", e)
		}
		if strings.Contains(e.Message, "sk-secret") || strings.ContainsAny(e.Message, "\x00\x1b\n") {
			t.Fatalf("%q", e.Message)
		}
	})
}
