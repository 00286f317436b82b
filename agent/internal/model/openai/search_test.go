package openai_test

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/openai"
)

const found = `{"type":"tool_search_output","id":"tso_1","call_id":"ts_1","execution":"server","status":"completed","tools":[{"type":"function","name":"find","parameters":{"type":"object"},"strict":false,"defer_loading":true}]}`

// What the vendor searched for goes back as it came, and a call of what was found with the namespace that it came with.
func TestSearchOfDeferredTools(t *testing.T) {
	t.Parallel()
	server := modeltest.OpenAI(t, `-- request --
{"tools": [{"name": "read", "defer_loading": "absent"}, {"name": "find", "defer_loading": true}, {"type": "tool_search"}]}
-- response --
{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]}}
{"type":"response.output_item.added","output_index":0,"item":{"type":"tool_search_call","id":"tsc_1","call_id":"ts_1","execution":"server","status":"in_progress","arguments":{}}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"tool_search_call","id":"tsc_1","call_id":"ts_1","execution":"server","status":"completed","arguments":{"paths":["find"]}}}
{"type":"response.output_item.done","output_index":1,"item":`+found+`}
{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"find","namespace":"find","arguments":"","status":"in_progress"}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"find","namespace":"find","arguments":"{}","status":"completed"}}
{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":5,"output_tokens":2,"total_tokens":7}}}
-- request --
{"tools": [{"name": "read"}, {"name": "find", "defer_loading": true}, {"type": "tool_search"}], "input": ["...",
  {"type": "tool_search_call", "id": "tsc_1", "call_id": "ts_1", "execution": "server", "arguments": {"paths": ["find"]}},
  {"type": "tool_search_output", "id": "tso_1", "tools": [{"name": "find", "defer_loading": true}]},
  {"type": "function_call", "call_id": "c1", "name": "find", "namespace": "find"},
  {"type": "function_call_output", "call_id": "c1"}]}
-- reply --
text done
`)
	p := openai.NewResponses(openai.Options{Vendor: "openai", BaseURL: server.URL, Key: "k"})
	s := spec("openai", "gpt-5.5")
	s.ToolSearch = true
	r := model.Request{Model: s, Tools: tools(), Messages: []model.Message{{Role: model.User, Content: []model.Block{model.Text("find it")}}}}
	m, err := p.Stream(t.Context(), r, func(model.Event) {})
	if err != nil || m.Stop != model.StopCalls || len(m.Calls()) != 1 || m.Calls()[0].Namespace != "find" {
		t.Fatalf("%+v, %v", m, err)
	}
	r.Messages = append(r.Messages, m, model.Message{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "c1"}}}})
	if _, err := p.Stream(t.Context(), r, func(model.Event) {}); err != nil {
		t.Error(err)
	}
}

// A call that no search of the request's has found cannot name a namespace, so its tool is not deferred.
func TestCallsOfDeferredToolsThatWereNotFoundHere(t *testing.T) {
	t.Parallel()
	s := spec("openai", "gpt-5.5")
	s.ToolSearch = true
	search := model.Block{Thinking: &model.Thinking{Provider: "openai", Redacted: []byte(found)}}
	call := model.Block{Call: &model.Call{ID: "c1", Name: "find", Arguments: []byte(`{}`), Namespace: "find"}}
	of := func(id string, content ...model.Block) []model.Message {
		return []model.Message{
			{Role: model.User, Content: []model.Block{model.Text("find it")}},
			{Role: model.Assistant, Model: id, Stop: model.StopCalls, Content: content},
			{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "c1"}}}},
		}
	}
	for _, tt := range []struct {
		name     string
		search   bool
		messages []model.Message
		deferred bool
	}{
		{"its own", true, of("openai/gpt-5.5", search, call), true},
		{"another model's, whose search does not go back", true, of("openai/gpt-5.4", search, call), false},
		{"after a summary", true, of("openai/gpt-5.5", call), false},
		{"nothing called yet", true, of("openai/gpt-5.5", model.Text("hm"))[:1], true},
		{"a model that cannot search", false, of("openai/gpt-5.5", search, call), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := s
			s.ToolSearch = tt.search
			got := string(body(t, "openai", openai.NewResponses, model.Request{Model: s, Tools: tools(), Messages: tt.messages}))
			deferred := strings.Contains(got, `{"type":"tool_search"}`)
			calls := len(tt.messages) > 1
			namespaced := strings.Contains(got, `"namespace":"find"`)
			if deferred != tt.deferred || namespaced != (tt.deferred && calls) {
				t.Errorf("deferred %t, namespaced %t: %s", deferred, namespaced, got)
			}
		})
	}
}
