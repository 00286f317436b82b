package vendor_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

// speaker is one way to reach a model; all that follows holds for each.
type speaker struct {
	api    modeltest.API
	vendor string
}

var speakers = []speaker{
	{modeltest.Messages, "anthropic"},
	{modeltest.Responses, "openai"},
	{modeltest.Chat, "deepseek"},
}

// each runs a test for all speakers.
func each(t *testing.T, test func(*testing.T, speaker)) {
	t.Helper()
	for _, s := range speakers {
		t.Run(string(s.api), func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// serve starts a scripted server for a speaker.
func (s speaker) serve(t *testing.T, script string) *modeltest.Server {
	t.Helper()
	if s.api == modeltest.Messages {
		return modeltest.Anthropic(t, script)
	}
	return modeltest.OpenAI(t, script)
}

const key = "sk-test-0123456789"

func (s speaker) provider(t *testing.T, c vendor.Config) model.Provider {
	t.Helper()
	c.Key = key
	p, err := vendor.NewProvider(model.NewCatalog(nil), s.vendor, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// spec is a model with prices at which tokens of each kind can be told apart in a sum.
func (s speaker) spec() model.Spec {
	return model.Spec{
		Provider: s.vendor, ID: "m", Context: 200_000, MaxOutput: 8000, Images: true,
		Price: model.Price{Input: 1, Output: 10, CacheRead: 0.1, CacheWrite: 2},
	}
}

func (s speaker) request(messages ...model.Message) model.Request {
	if len(messages) == 0 {
		messages = []model.Message{{Role: model.User, Content: []model.Block{model.Text("hi")}}}
	}
	return model.Request{
		Model: s.spec(), System: "Be brief.", Messages: messages,
		Tools: []model.Tool{
			{Name: "bash", Description: "run", InputSchema: []byte(`{"type":"object","properties":{"command":{"type":"string"}}}`)},
			{Name: "read", InputSchema: []byte(`{"type":"object"}`)},
		},
	}
}

// ask sends one request by a script and returns the message, the events and the *model.Error, if any.
func (s speaker) ask(t *testing.T, script string) (model.Message, []model.Event, *model.Error) {
	t.Helper()
	p := s.provider(t, vendor.Config{BaseURL: s.serve(t, script).URL})
	var events []model.Event
	m, err := p.Stream(t.Context(), s.request(), func(e model.Event) { events = append(events, e) })
	return m, events, failure(t, err)
}

func failure(t *testing.T, err error) *model.Error {
	t.Helper()
	if err == nil {
		return nil
	}
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is no *model.Error: %v", err)
	}
	if strings.Contains(err.Error(), key) {
		t.Errorf("the key is in the error: %v", err)
	}
	return e
}

// cutter is a server that answers with bytes and then ends, or breaks the connection.
type cutter struct {
	body   string
	broken bool
}

func (c *cutter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if _, err := w.Write([]byte(c.body)); err != nil {
		return
	}
	if c.broken {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func stream(ctx context.Context, p model.Provider, r model.Request) (model.Message, error) {
	return p.Stream(ctx, r, func(model.Event) {})
}
