package anthropic_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/anthropic"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func spec(id string, efforts ...string) model.Spec {
	return model.Spec{
		Provider: "anthropic", ID: id, Context: 200_000, MaxOutput: 64_000, Reasoning: true, Images: true, Efforts: efforts,
		ToolSearch: id != "m",
	}
}

func tools() []model.Tool {
	return []model.Tool{
		{Name: "read", Description: "Reads a file.", InputSchema: []byte(`{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}},"required":["z"]}`)},
		{Name: "mcp__crm__find", InputSchema: []byte(`{"type":"object"}`), Deferred: true},
	}
}

// talk is a conversation with all there can be in it.
func talk() []model.Message {
	image := &model.Image{MIMEType: "image/png", Data: []byte("\x89PNG")}
	return []model.Message{
		{Role: model.User, Content: []model.Block{model.Text("look"), {Image: image}, model.Text("  ")}},
		{Role: model.Assistant, Model: "anthropic/claude-opus-5", Stop: model.StopCalls, Content: []model.Block{
			{Thinking: &model.Thinking{Text: "hm", Signature: "sig", Provider: "anthropic"}},
			{Thinking: &model.Thinking{Text: "of another vendor", Signature: "x", Provider: "openai"}},
			{Thinking: &model.Thinking{Text: "cut before it was signed", Provider: "anthropic"}},
			{Thinking: &model.Thinking{Redacted: []byte(`{"type":"redacted_thinking","data":"c2VjcmV0"}`), Provider: "anthropic"}},
			model.Text("I look."),
			{Call: &model.Call{ID: "toolu_1", Name: "read", Arguments: []byte(`{"z":"b","a":1}`)}},
			{Call: &model.Call{ID: "functions.read:1", Name: "files.read", Broken: model.BrokenCut, Raw: `{"z":`}},
		}},
		{Role: model.User, Content: []model.Block{
			{Result: &model.Result{CallID: "toolu_1", Content: []model.Block{model.Text("found"), {Image: image}}}},
			{Result: &model.Result{CallID: "functions.read:1", IsError: true, Content: []model.Block{model.Text(model.BrokenCut)}}},
		}},
		{Role: model.Assistant, Stop: model.StopCancelled, Model: "anthropic/claude-opus-5", Content: []model.Block{
			{Thinking: &model.Thinking{Text: "not finished", Signature: "sig2", Provider: "anthropic"}},
			model.Text("Half"),
		}},
		{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "none"}}, model.Text("go on")}},
		{Role: model.Assistant, Stop: model.StopEnd, Content: []model.Block{{Thinking: &model.Thinking{Text: "only that", Signature: "s", Provider: "anthropic"}}}},
		{Role: model.User, Content: []model.Block{model.Text("and now?")}},
	}
}

// body returns what is sent for a request.
func body(t *testing.T, o anthropic.Options, r model.Request) []byte {
	t.Helper()
	server := modeltest.Anthropic(t, "-- reply --\ntext ok\n")
	o.BaseURL, o.Key = server.URL, "secret"
	if o.Vendor == "" {
		o.Vendor = "anthropic"
	}
	if _, err := anthropic.New(o).Stream(t.Context(), r, func(model.Event) {}); err != nil {
		t.Fatal(err)
	}
	return server.Requests()[0].Body
}

func TestRequestIsAsTheVendorDocumentsIt(t *testing.T) {
	t.Parallel()
	r := model.Request{
		Model: spec("claude-opus-5", "low", "medium", "high", "xhigh", "max"), Level: model.LevelHigh,
		System: "You are an agent.", Tools: tools(), Messages: talk(), Session: "s1",
	}
	modeltest.Golden(t, "request.json", body(t, anthropic.Options{}, r), *update)
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	r := model.Request{Model: spec("m"), Messages: talk()[:1]}
	for vendor, want := range map[string]string{
		"anthropic": "authorization: Bearer secret\nanthropic-version: 2026-10-21\nx-team: a",
		"minimax":   "authorization: Bearer secret\nx-api-key: secret\nanthropic-version: 2023-06-01\nx-team: a",
	} {
		server := modeltest.Anthropic(t, "-- request --\n"+want+"\n-- reply --\ntext ok\n")
		p := anthropic.New(anthropic.Options{Vendor: vendor, BaseURL: server.URL + "/v1/", Key: "secret", Headers: map[string]string{"X-Team": "a"}})
		if _, err := p.Stream(t.Context(), r, func(model.Event) {}); err != nil {
			t.Errorf("%s: %v", vendor, err)
		}
	}
}

func TestThinkingByModelAndLevel(t *testing.T) {
	t.Parallel()
	newest := spec("claude-opus-5", "low", "medium", "high", "xhigh", "max")
	fourth := spec("claude-opus-4-6", "low", "medium", "high", "max")
	older := spec("claude-sonnet-4-5")
	always := spec("claude-mythos-5", "low", "high", "xhigh", "max")
	plain := model.Spec{Provider: "anthropic", ID: "plain"}
	adaptive := func(effort string) string {
		return `"output_config":{"effort":"` + effort + `"},"thinking":{"display":"summarized","type":"adaptive"}`
	}
	budget := func(n string) string { return `"thinking":{"budget_tokens":` + n + `,"type":"enabled"}` }
	for _, tt := range []struct {
		spec  model.Spec
		level model.Level
		most  int64
		want  string // the part of the body about thinking
	}{
		{newest, model.LevelOff, 0, `"thinking":{"type":"disabled"}`},
		{newest, model.LevelMinimal, 0, adaptive("low")},
		{newest, model.LevelMedium, 0, adaptive("medium")},
		{newest, model.LevelXHigh, 0, adaptive("xhigh")},
		{fourth, model.LevelXHigh, 0, adaptive("max")},
		{fourth, model.LevelOff, 0, ""},
		{fourth, "", 0, ""},
		{always, model.LevelOff, 0, adaptive("low")},
		{older, model.LevelOff, 0, ""},
		{older, model.LevelMinimal, 0, budget("1024")},
		{older, model.LevelHigh, 0, budget("20480")},
		{older, model.LevelXHigh, 10_000, budget("8976")},
		{older, model.LevelHigh, 1500, ""},
		{plain, model.LevelHigh, 0, ""},
	} {
		r := model.Request{Model: tt.spec, Level: tt.level, MaxOutput: tt.most, Messages: talk()[:1]}
		got := string(body(t, anthropic.Options{}, r))
		if tt.want == "" && (strings.Contains(got, "thinking") || strings.Contains(got, "effort")) || !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: want %s in %s", tt.spec.ID, tt.level, tt.want, got)
		}
	}
}

func TestOlderModelsDoNotThinkInTheMiddleOfATurnOfAnother(t *testing.T) {
	t.Parallel()
	messages := []model.Message{
		talk()[0],
		{Role: model.Assistant, Model: "openai/gpt", Content: []model.Block{{Call: &model.Call{ID: "c", Name: "read", Arguments: []byte(`{}`)}}}},
		{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "c"}}}},
	}
	r := model.Request{Model: spec("claude-sonnet-4-5"), Level: model.LevelHigh, Messages: messages}
	if got := string(body(t, anthropic.Options{}, r)); strings.Contains(got, "budget") {
		t.Errorf("%s", got)
	}
}

func TestOutputLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		spec model.Spec
		most int64
		want string
	}{
		{model.Spec{ID: "m"}, 0, `"max_tokens":8192`},
		{model.Spec{ID: "m", MaxOutput: 64_000, Context: 200_000}, 0, `"max_tokens":50000`},
		{model.Spec{ID: "m", MaxOutput: 64_000, Context: 1_000_000}, 0, `"max_tokens":64000`},
		{model.Spec{ID: "m", MaxOutput: 64_000, Context: 200_000}, 77, `"max_tokens":77`},
	} {
		if got := string(body(t, anthropic.Options{}, model.Request{Model: tt.spec, MaxOutput: tt.most, Messages: talk()[:1]})); !strings.Contains(got, tt.want) {
			t.Errorf("want %s in %s", tt.want, got)
		}
	}
}

func TestNoImagesForAModelThatSeesNone(t *testing.T) {
	t.Parallel()
	blind := spec("m")
	blind.Images = false
	got := string(body(t, anthropic.Options{}, model.Request{Model: blind, Messages: talk()[:3]}))
	if strings.Contains(got, "base64") || strings.Count(got, "cannot see images") != 2 {
		t.Errorf("%s", got)
	}
}

func TestWithoutDeferralAllToolsAreShown(t *testing.T) {
	t.Parallel()
	got := string(body(t, anthropic.Options{Vendor: "minimax"}, model.Request{Model: spec("m"), Tools: tools(), Messages: talk()[:1]}))
	if strings.Contains(got, "defer_loading") || strings.Contains(got, "tool_search") ||
		!strings.Contains(got, `"name":"mcp__crm__find","cache_control":{"type":"ephemeral"}`) {
		t.Errorf("%s", got)
	}
}

// TestSearchOfDeferredTools has what the vendor searched for go back as it came.
func TestSearchOfDeferredTools(t *testing.T) {
	t.Parallel()
	server := modeltest.Anthropic(t, `-- request --
{"tools": [{"name": "read"}, {"name": "mcp__crm__find", "defer_loading": true, "cache_control": "absent"}, {"type": "tool_search_tool_bm25_20251119"}]}
-- response --
{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srv_1","name":"tool_search_tool_bm25","input":{}}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"crm\"}"}}
{"type":"content_block_stop","index":0}
{"type":"content_block_start","index":1,"content_block":{"type":"tool_search_tool_result","tool_use_id":"srv_1","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"mcp__crm__find"}]}}}
{"type":"content_block_stop","index":1}
{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c1","name":"mcp__crm__find","input":{}}}
{"type":"content_block_stop","index":2}
{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}
{"type":"message_stop"}
-- request --
{"messages": ["...", {"role": "assistant", "content": [
  {"type": "server_tool_use", "id": "srv_1", "name": "tool_search_tool_bm25", "input": {"query": "crm"}},
  {"type": "tool_search_tool_result", "tool_use_id": "srv_1", "content": {"tool_references": [{"tool_name": "mcp__crm__find"}]}},
  {"type": "tool_use", "id": "c1", "input": {}}]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"text": "(no output)"}]}]}]}
-- reply --
text done
`)
	p := anthropic.New(anthropic.Options{Vendor: "anthropic", BaseURL: server.URL, Key: "k"})
	r := model.Request{Model: spec("claude-opus-5"), Tools: tools(), Messages: talk()[:1]}
	m, err := p.Stream(t.Context(), r, func(model.Event) {})
	if err != nil || m.Stop != model.StopCalls || len(m.Calls()) != 1 || m.Usage.Output != 9 {
		t.Fatalf("%+v, %v", m, err)
	}
	r.Messages = append(r.Messages, m, model.Message{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "c1"}}}})
	if _, err := p.Stream(t.Context(), r, func(model.Event) {}); err != nil {
		t.Error(err)
	}
}

func TestRefusedToolIsNamed(t *testing.T) {
	t.Parallel()
	server := modeltest.Anthropic(t, `-- response --
status: 400
request-id: req_9

{"type":"error","error":{"type":"invalid_request_error","message":"tools.1.custom.input_schema: JSON schema is invalid"},"request_id":"req_9"}
`)
	p := anthropic.New(anthropic.Options{Vendor: "anthropic", BaseURL: server.URL, Key: "k"})
	_, err := p.Stream(t.Context(), model.Request{Model: spec("m"), Tools: tools(), Messages: talk()[:1]}, func(model.Event) {})
	e, ok := err.(*model.Error)
	if !ok || e.Kind != model.ErrInvalid || e.Tool != 2 || e.RequestID != "req_9" || !strings.HasSuffix(e.Error(), "(request req_9)") {
		t.Errorf("%#v", err)
	}
}
