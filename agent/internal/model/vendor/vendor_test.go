package vendor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

func TestProvidersThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	c := model.NewCatalog(model.Overrides{"corp": {BaseURL: "https://models.corp.example"}, "empty": {}})
	for _, tt := range []struct {
		vendor string
		config vendor.Config
		says   string // "": it is made
		kind   model.ErrorKind
	}{
		{"anthropic", vendor.Config{Key: "k"}, "", ""},
		{"anthropic", vendor.Config{}, "anthropic: there is no key; set ANTHROPIC_API_KEY or run: elyra auth set anthropic", model.ErrAuth},
		{"openai", vendor.Config{}, "set OPENAI_API_KEY", model.ErrAuth},
		{"openrouter", vendor.Config{}, "set OPENROUTER_API_KEY", model.ErrAuth},
		{"ollama", vendor.Config{}, "", ""},
		{"ollama", vendor.Config{BaseURL: "http://192.168.1.7:11434/v1"}, "", ""},
		{"ollama", vendor.Config{BaseURL: "http://[::1]:11434/v1"}, "", ""},
		{"ollama", vendor.Config{BaseURL: "https://ollama.example.com/v1"}, "there is no key", model.ErrAuth},
		{"ollama", vendor.Config{BaseURL: "http://ollama.example.com/v1", Key: "k"}, "not https", ""},
		{"openai", vendor.Config{Key: "k", BaseURL: "localhost:8000"}, "no http or https address", ""},
		{"openai", vendor.Config{Key: "k", BaseURL: "https://me:pw@example.com"}, "has a user in it", ""},
		{"corp", vendor.Config{}, "there is no key", model.ErrAuth},
		{"empty", vendor.Config{Key: "k"}, "set baseUrl", ""},
		{"vertexai", vendor.Config{Key: "k"}, "its API is not spoken here", ""},
		{"opnai", vendor.Config{Key: "k"}, `did you mean "openai"?`, ""},
	} {
		p, err := vendor.NewProvider(c, tt.vendor, tt.config)
		if tt.says == "" {
			if err != nil || p == nil {
				t.Errorf("%s: %v", tt.vendor, err)
			}
			continue
		}
		var e *model.Error
		if err == nil || !strings.Contains(err.Error(), tt.says) || errors.As(err, &e) != (tt.kind != "") || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s %+v: %v, want %q", tt.vendor, tt.config, err, tt.says)
		}
	}
}

// TestPrefixStaysTheSame sends a session of several requests: the server compares system prompt and tools byte by byte.
func TestPrefixStaysTheSame(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		server := s.serve(t, strings.Repeat("-- reply --\nthinking hm\ncall c1 read {}\n", 3)+"-- reply --\ntext done\n")
		p := s.provider(t, vendor.Config{BaseURL: server.URL})
		r := s.request()
		r.Session = "a session"
		for {
			m, err := stream(t.Context(), p, r)
			if err != nil {
				t.Fatal(err)
			}
			if m.Stop != model.StopCalls {
				break
			}
			r.Messages = append(r.Messages, m, model.Message{
				Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: "c1", Content: []model.Block{model.Text("ok")}}}},
			})
		}
		if n := len(server.Requests()); n != 4 {
			t.Errorf("%d requests", n)
		}
	})
}
