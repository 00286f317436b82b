package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

func TestFind(t *testing.T) {
	t.Parallel()
	c := model.NewCatalog(model.Overrides{
		"ollama":  {Models: map[string]model.ModelOverride{"qwen3:8b": {Context: 32_000}}},
		"mylocal": {BaseURL: "http://localhost:8000/v1"},
	})
	for _, tt := range []struct{ name, want, says string }{
		{"anthropic/claude-opus-5", "anthropic/claude-opus-5", ""},
		{"Anthropic/Claude-Opus-5", "anthropic/claude-opus-5", ""},
		{" claude-opus-5 ", "anthropic/claude-opus-5", ""},
		{"gpt-5.6-sol", "openai/gpt-5.6-sol", ""},
		{"openrouter/anthropic/claude-sonnet-4.6", "openrouter/anthropic/claude-sonnet-4.6", ""},
		{"anthropic/opus-4-1", "", "there is none of this name"},
		{"opus-4-1-2025", "anthropic/claude-opus-4-1-20250805", ""},
		{"qwen3:8b", "ollama/qwen3:8b", ""},
		{"ollama/llama9:70b", "ollama/llama9:70b", ""},
		{"mylocal/whatever", "mylocal/whatever", ""},
		{"claude", "", "match; say which: anthropic/claude"},
		{"anthropic/claude-opos-5", "", `did you mean "anthropic/claude-opus-5"?`},
		{"claude-sonet-5", "", `did you mean "claude-sonnet-5"?`},
		{"anthropic/nothing like it", "", "there is none of this name"},
		{"", "", `say "provider/id"`},
	} {
		s, err := c.Find(tt.name)
		switch {
		case tt.want != "" && (err != nil || s.String() != tt.want):
			t.Errorf("%q: %s, %v, want %s", tt.name, s, err, tt.want)
		case tt.want == "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%q: %s, %v, want an error that says %q", tt.name, s, err, tt.says)
		}
	}
}

func TestCatalogKnowsPricesAndKeys(t *testing.T) {
	t.Parallel()
	c := model.NewCatalog(nil)
	s, err := c.Find("anthropic/claude-opus-5")
	if err != nil {
		t.Fatal(err)
	}
	// A cache is dearer to write and cheaper to read than the input is.
	if p := s.Price; p.CacheRead >= p.Input || p.CacheWrite <= p.Input || p.Output <= p.Input || s.Context < 200_000 || !s.Images || !s.Reasoning {
		t.Errorf("%+v", s)
	}
	for vendor, variable := range map[string]string{
		"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "openrouter": "OPENROUTER_API_KEY",
		"gemini": "GEMINI_API_KEY", "groq": "GROQ_API_KEY", "xai": "XAI_API_KEY", "ollama": "",
	} {
		v, err := c.Vendor(vendor)
		if err != nil || v.KeyVariable != variable || v.BaseURL == "" || v.API == "" {
			t.Errorf("%s: %+v, %v", vendor, v, err)
		}
	}
	if _, err := c.Vendor("antropic"); err == nil || !strings.Contains(err.Error(), `did you mean "anthropic"?`) {
		t.Errorf("%v", err)
	}
	seen := map[string]bool{}
	for _, s := range c.List() {
		if s.ID == "" || s.Provider == "" || seen[s.String()] {
			t.Errorf("a model without a name, or twice: %+v", s)
		}
		seen[s.String()] = true
	}
	if len(seen) < 500 {
		t.Errorf("%d models", len(seen))
	}
}

func TestUsersOverrideTheCatalog(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	c := model.NewCatalog(model.Overrides{
		"anthropic": {
			BaseURL: "https://proxy.example.com", KeyVariable: "TEAM_KEY", Headers: map[string]string{"X-Team": "a"},
			Models: map[string]model.ModelOverride{
				"claude-opus-5": {Context: 5, Price: &model.Price{Input: 1}, Images: &no},
				"claude-new":    {Name: "New", MaxOutput: 9, Reasoning: &yes, Efforts: []string{"high"}},
			},
		},
		"corp": {API: model.APIOpenAI, Name: "Corp"},
	})
	v, err := c.Vendor("anthropic")
	if err != nil || v.BaseURL != "https://proxy.example.com" || v.KeyVariable != "TEAM_KEY" || v.Headers["X-Team"] != "a" || v.API != model.APIAnthropic {
		t.Errorf("%+v, %v", v, err)
	}
	opus, err := c.Find("anthropic/claude-opus-5")
	if err != nil || opus.Context != 5 || opus.Price != (model.Price{Input: 1}) || opus.Images || !opus.Reasoning || opus.MaxOutput == 0 {
		t.Errorf("%+v, %v", opus, err)
	}
	fresh, err := c.Find("claude-new")
	if err != nil || fresh.Name != "New" || fresh.MaxOutput != 9 || !fresh.Reasoning || fresh.Effort(model.LevelLow) != "high" {
		t.Errorf("%+v, %v", fresh, err)
	}
	if v, err := c.Vendor("corp"); err != nil || v.API != model.APIOpenAI || v.Name != "Corp" {
		t.Errorf("%+v, %v", v, err)
	}
	if !slices.ContainsFunc(c.List(), func(s model.Spec) bool { return s.String() == "anthropic/claude-new" }) {
		t.Error("List lacks the user's model")
	}
}

func TestEffortIsTheNearest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		efforts string
		level   model.Level
		want    string
	}{
		{"", model.LevelHigh, ""},
		{"low medium high", model.LevelOff, "low"},
		{"none low high", model.LevelOff, "none"},
		{"low medium high", model.LevelMinimal, "low"},
		{"low medium high", model.LevelXHigh, "high"},
		{"low high max", model.LevelXHigh, "max"},
		{"low high xhigh max", model.LevelXHigh, "xhigh"},
		{"low high", model.LevelMedium, "low"},
		{"high max", model.LevelLow, "high"},
		{"turbo", model.LevelLow, ""},
	} {
		s := model.Spec{Efforts: strings.Fields(tt.efforts)}
		if got := s.Effort(tt.level); got != tt.want {
			t.Errorf("%q at %s: %q, want %q", tt.efforts, tt.level, got, tt.want)
		}
	}
}

func BenchmarkCatalog(b *testing.B) {
	for b.Loop() {
		if _, err := model.NewCatalog(nil).Find("anthropic/claude-opus-5"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestModelsWhoseVendorsSearchTools(t *testing.T) {
	t.Parallel()
	c := model.NewCatalog(model.Overrides{"openai": {Models: map[string]model.ModelOverride{"gpt-6": {}}}})
	for name, want := range map[string]bool{
		"openai/gpt-5.6-sol": true, "openai/gpt-5.4": true, "openai/gpt-5.4-mini": true, "openai/gpt-5.4-nano": false, "openai/gpt-5.4-pro": false,
		"openai/gpt-5.3-codex": false, "openai/gpt-5": false, "openai/gpt-5-nano": false, "openai/gpt-4.1": false, "openai/o3": false,
		"openai/gpt-6": false, "anthropic/claude-opus-5": true, "anthropic/claude-sonnet-4-5-20250929": true, "openrouter/openai/gpt-5.4": false,
	} {
		if s, err := c.Find(name); err != nil || s.ToolSearch != want {
			t.Errorf("%s: %t, %v", name, s.ToolSearch, err)
		}
	}
}
