package openai_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/openai"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func spec(vendor, id string, efforts ...string) model.Spec {
	return model.Spec{
		Provider: vendor, ID: id, Context: 400_000, MaxOutput: 128_000, Reasoning: efforts != nil, Images: true, Efforts: efforts,
	}
}

func tools() []model.Tool {
	return []model.Tool{
		{Name: "read", Description: "Reads a file.", InputSchema: []byte(`{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}},"required":["z"]}`)},
		{Name: "find", InputSchema: []byte(`{"type":"object"}`), Deferred: true},
	}
}

// talk is a conversation with all there can be in it, about thoughts of one vendor's model.
func talk(vendor, id string, thought model.Thinking) []model.Message {
	image := &model.Image{MIMEType: "image/png", Data: []byte("\x89PNG")}
	thought.Provider = vendor
	return []model.Message{
		{Role: model.User, Content: []model.Block{model.Text("look"), {Image: image}}},
		{Role: model.Assistant, Model: vendor + "/" + id, Stop: model.StopCalls, Content: []model.Block{
			{Thinking: &thought},
			{Thinking: &model.Thinking{Text: "of another vendor", Signature: "x", Provider: "anthropic"}},
			model.Text("I look."),
			{Call: &model.Call{ID: "call_1", Name: "read", Arguments: []byte(`{"z":"b","a":1}`)}},
			{Call: &model.Call{ID: "functions.read:1", Name: "files.read", Broken: model.BrokenCut, Raw: `{"z":`}},
		}},
		{Role: model.User, Content: []model.Block{
			{Result: &model.Result{CallID: "call_1", Content: []model.Block{model.Text("found"), {Image: image}}}},
			{Result: &model.Result{CallID: "functions.read:1", IsError: true, Content: []model.Block{model.Text(model.BrokenCut)}}},
			model.Text("and hurry"),
		}},
		{Role: model.Assistant, Stop: model.StopCancelled, Model: vendor + "/" + id, Content: []model.Block{{Thinking: &thought}, model.Text("Half")}},
		{Role: model.User, Content: []model.Block{model.Text("go on")}},
		{Role: model.Assistant, Stop: model.StopEnd, Model: vendor + "/another", Content: []model.Block{{Thinking: &thought}, model.Text("Done.")}},
		{Role: model.User, Content: []model.Block{model.Text("and now?")}},
	}
}

func body(t *testing.T, vendor string, newProvider func(openai.Options) model.Provider, r model.Request) []byte {
	t.Helper()
	server := modeltest.OpenAI(t, "-- request --\nauthorization: Bearer secret\nx-team: a\n-- reply --\ntext ok\n")
	p := newProvider(openai.Options{Vendor: vendor, BaseURL: server.URL + "/", Key: "secret", Headers: map[string]string{"X-Team": "a"}})
	if _, err := p.Stream(t.Context(), r, func(model.Event) {}); err != nil {
		t.Fatal(err)
	}
	return server.Requests()[0].Body
}

func TestRequestsAreAsTheVendorsDocumentThem(t *testing.T) {
	t.Parallel()
	secret := model.Thinking{Text: "hm", Redacted: []byte(`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"c2VjcmV0"}`)}
	details := model.Thinking{Text: "hm", Signature: "reasoning", Redacted: []byte(`[{"type":"reasoning.text","text":"hm","signature":"s","index":0}]`)}
	for _, tt := range []struct {
		golden, vendor, id string
		new                func(openai.Options) model.Provider
		thought            model.Thinking
	}{
		{"responses.json", "openai", "gpt-5.5", openai.NewResponses, secret},
		{"chat.json", "deepseek", "deepseek-v4", openai.NewChat, model.Thinking{Text: "hm", Signature: "reasoning_content"}},
		{"openrouter.json", "openrouter", "anthropic/claude-opus-5", openai.NewChat, details},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			t.Parallel()
			r := model.Request{
				Model: spec(tt.vendor, tt.id, "low", "medium", "high"), Level: model.LevelXHigh, MaxOutput: 5000,
				System: "You are an agent.", Tools: tools(), Messages: talk(tt.vendor, tt.id, tt.thought), Session: "session 1",
			}
			modeltest.Golden(t, tt.golden, body(t, tt.vendor, tt.new, r), *update)
		})
	}
}

func TestEffort(t *testing.T) {
	t.Parallel()
	newest := []string{"none", "low", "medium", "high", "xhigh"}
	for _, tt := range []struct {
		vendor  string
		new     func(openai.Options) model.Provider
		efforts []string
		level   model.Level
		want    string // "": nothing is said
	}{
		{"openai", openai.NewResponses, newest, model.LevelOff, `"effort":"none"`},
		{"openai", openai.NewResponses, newest, model.LevelMinimal, `"effort":"none"`},
		{"openai", openai.NewResponses, []string{"minimal", "low", "high"}, model.LevelOff, `"effort":"minimal"`},
		{"openai", openai.NewResponses, nil, model.LevelHigh, ""},
		{"groq", openai.NewChat, []string{"low", "medium", "high"}, model.LevelXHigh, `"reasoning_effort":"high"`},
		{"groq", openai.NewChat, []string{"low", "medium", "high"}, model.LevelOff, ""},
		{"groq", openai.NewChat, []string{"none", "high"}, model.LevelOff, `"reasoning_effort":"none"`},
		{"groq", openai.NewChat, nil, model.LevelHigh, ""},
		{"openrouter", openai.NewChat, []string{"low", "medium", "high"}, model.LevelLow, `"reasoning":{"effort":"low"}`},
	} {
		r := model.Request{Model: spec(tt.vendor, "m", tt.efforts...), Level: tt.level, Messages: talk("x", "y", model.Thinking{})[:1]}
		got := string(body(t, tt.vendor, tt.new, r))
		if !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "effort") {
			t.Errorf("%s %v %s: want %s in %s", tt.vendor, tt.efforts, tt.level, tt.want, got)
		}
	}
}

func TestResultsWithoutAnImageAreText(t *testing.T) {
	t.Parallel()
	blind := spec("openai", "m")
	blind.Images = false
	messages := talk("x", "y", model.Thinking{})[:3]
	for _, newProvider := range []func(openai.Options) model.Provider{openai.NewResponses, openai.NewChat} {
		got := string(body(t, "openai", newProvider, model.Request{Model: blind, Messages: messages}))
		if strings.Contains(got, "base64") || !strings.Contains(got, `found\n[an image was left out`) {
			t.Errorf("%s", got)
		}
	}
}
