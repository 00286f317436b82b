package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	object := []byte(` {"type":"object"}`)
	for _, tt := range []struct {
		name  string
		tools []model.Tool
		tool  int // 1 + index of the one that is refused
		says  string
	}{
		{"none", nil, 0, ""},
		{"fine", []model.Tool{{Name: "a-B_9", InputSchema: object}, {Name: strings.Repeat("x", 64), InputSchema: object}}, 0, ""},
		{"a dot", []model.Tool{{Name: "a", InputSchema: object}, {Name: "crm.find", InputSchema: object}}, 2, "A-Za-z"},
		{"too long", []model.Tool{{Name: strings.Repeat("x", 65), InputSchema: object}}, 1, "A-Za-z"},
		{"another script", []model.Tool{{Name: "поиск", InputSchema: object}}, 1, "A-Za-z"},
		{"empty", []model.Tool{{InputSchema: object}}, 1, "A-Za-z"},
		{"twice", []model.Tool{{Name: "a", InputSchema: object}, {Name: "a", InputSchema: object}}, 2, "another one"},
		{"no schema", []model.Tool{{Name: "a"}}, 1, "no JSON object"},
		{"schema true", []model.Tool{{Name: "a", InputSchema: []byte("true")}}, 1, "no JSON object"},
		{"broken schema", []model.Tool{{Name: "a", InputSchema: []byte(`{"type":`)}}, 1, "no JSON object"},
	} {
		r := model.Request{Model: model.Spec{ID: "m"}, Messages: []model.Message{{}}, Tools: tt.tools}
		err := r.Validate()
		var e *model.Error
		if errors.As(err, &e) != (tt.tool != 0) || e != nil && (e.Tool != tt.tool || e.Kind != model.ErrInvalid || !strings.Contains(e.Message, tt.says)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if (model.Request{Messages: []model.Message{{}}}).Validate() == nil || (model.Request{Model: model.Spec{ID: "m"}}).Validate() == nil {
		t.Error("a request without a model or message is valid")
	}
}

func FuzzSettle(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":1}`, `{"a":1,"a":2}`, `[1]`, `{"a":`, "null", "{}{}", " {} ", "{\"\xff\":1}"} {
		f.Add(s, "")
		f.Add(s, model.BrokenCut)
	}
	f.Fuzz(func(t *testing.T, raw, broken string) {
		var c model.Call
		c.Settle(raw, broken)
		if (c.Broken == "") != (c.Arguments != nil) {
			t.Fatalf("broken %q, arguments %s", c.Broken, c.Arguments)
		}
		if c.Broken != "" && c.Raw != raw || c.Broken == "" && raw != "" && string(c.Arguments) != raw {
			t.Fatalf("%q became %+v", raw, c)
		}
		if v := c.Sendable(); !v.IsValid() || v.Kind() != '{' {
			t.Fatalf("%q is sent as %s", raw, v)
		}
	})
}
