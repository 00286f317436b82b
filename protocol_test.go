package elyra_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// shape is a struct of everything that results are made of.
type shape struct {
	Name     string             `json:"name"`
	Big      int64              `json:"big"`
	Ratio    float64            `json:"ratio"`
	At       time.Time          `json:"at"`
	Tags     []string           `json:"tags"`
	Counts   map[string]int     `json:"counts"`
	Note     *string            `json:"note"`
	Hidden   string             `json:"hidden,omitempty"`
	Children []shape            `json:"children"`
	Fixed    [2]bool            `json:"fixed"`
	Any      any                `json:"any"`
	Nested   struct{ A, B int } `json:"nested"`
}

// returning is a command whose result is v.
func returning[T any](name string, v T) elyra.Command {
	return elyra.NewCommand(name, func(context.Context, struct{}) (T, error) { return v, nil }, elyra.CommandOptions{Can: "results.view"})
}

// results is an app whose commands return each kind of value, registered in no order.
func results(*elyra.Env) (*elyra.App, error) {
	note := "n"
	filled := shape{Name: "a \"<é>\"\n\u2028", Big: 1<<53 + 1, Ratio: 0.1, Tags: []string{"x"}, Counts: map[string]int{"k": 1}, Note: &note, Children: []shape{{}}, Any: []any{1.5, nil}}
	return elyra.New().Commands(
		returning("z_number", 1<<60), returning("a_text", "t"), returning("m_none", elyra.None{}), returning("b_list", []shape{filled}),
		returning("y_empty_list", []shape(nil)), returning("c_filled", filled), returning("d_empty", shape{}), returning("x_pointer", (*shape)(nil)),
		returning("e_map", map[string]shape{"k": filled}), returning("f_no_map", map[string]int(nil)), returning("g_any", any(map[string]any{"a": 1})), returning("h_bool", true),
	).MCP(elyra.NewMCP().AllowAbility("results.view").RateLimit("*", 1_000_000, time.Minute)), nil
}

func TestS25_S27_S35_listsOfTools(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, results)
	for _, era := range eras {
		tools := app.MCP(elyratest.Era(era)).ListTools()
		if len(tools) != 12 || !slices.IsSortedFunc(tools, func(a, b elyratest.Tool) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: %d tools, or in no order: %v", era, len(tools), tools)
		}
		for _, tool := range tools {
			var input struct{ Type string }
			if err := json.Unmarshal([]byte(tool.InputSchema), &input); err != nil || input.Type != "object" {
				t.Errorf("%s: %s: the root of the input schema is %s", era, tool.Name, tool.InputSchema)
			}
			for _, schema := range []string{tool.InputSchema, tool.OutputSchema} {
				if schema == "" {
					continue // an old revision has no output schema
				}
				if _, err := mcpschema.CompileSchema([]byte(schema)); err != nil {
					t.Errorf("%s: %s: %v: %s", era, tool.Name, err, schema)
				}
			}
		}
		if again := app.MCP(elyratest.Era(era)).ListTools(); !slices.Equal(again, tools) {
			t.Errorf("%s: another connection sees another list", era)
		}
	}
}

// TestS28_resultsAreWhatTheirSchemasSay relies on elyratest, which holds each structured result
// against the output schema of its tool.
func TestS28_resultsAreWhatTheirSchemasSay(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, results)
	for _, era := range eras {
		agent := app.MCP(elyratest.Era(era))
		structured := 0
		for _, tool := range agent.ListTools() {
			r := agent.Call(tool.Name, nil)
			if r.IsError || r.Structured != "" && r.Structured != r.Text {
				t.Errorf("%s: %s: %+v; want the text to be the structured result", era, tool.Name, r)
			}
			if r.Structured != "" {
				structured++
			}
			if promised := tool.OutputSchema != ""; promised && r.Structured == "" {
				t.Errorf("%s: %s promises structured results: %+v", era, tool.Name, r)
			}
		}
		if want := map[string]int{"2026-07-28": 12, "2025-11-25": 6, "2025-06-18": 6, "2025-03-26": 0}[era]; structured != want {
			t.Errorf("%s: %d structured results, want %d", era, structured, want)
		}
	}
}

func TestS26_namesAreExact(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, results)
	agent := app.MCP()
	for _, name := range []string{"A_text", "a_Text", "a_text ", " a_text", "a-text", "a.text", "", "ａ_text", strings.Repeat("a_text", 100), "a_text\x00"} {
		if r := agent.Call(name, nil); r.Code != -32602 {
			t.Errorf("%q: %+v; want -32602", name, r)
		}
	}
	_, err := elyra.New().Commands(returning("twin", 1), returning("twin", 2)).Start(t.Context(), elyratest.Env(t))
	if err == nil || !strings.Contains(err.Error(), "two commands have this name") {
		t.Errorf("two commands of one name: %v", err)
	}
}

func TestS30_whatComesInIsCheckedAndWhatGoesOutIsClean(t *testing.T) {
	t.Parallel()
	const secret = "open /home/ada/crm.db: password=hunter2"
	synctest.Test(t, func(t *testing.T) {
		app := elyratest.New(t, build(func(a *elyra.App) {
			can := elyra.CommandOptions{Can: "notes.create"}
			a.Commands(
				elyra.NewCommand("leaks", func(context.Context, struct{}) (string, error) { return "", elyra.Private(fmt.Errorf("%s", secret)) }, can),
				elyra.NewCommand("panics", func(context.Context, struct{}) (string, error) { panic(secret) }, can),
			)
			a.MCP(elyra.NewMCP().AllowAbility("notes.create").RateLimit("notes.create", 3, time.Minute))
		}))
		agent := app.MCP()
		if r := agent.Call("notes_store", `{"input":{"text":7}}`); !r.IsError || !strings.Contains(r.Text, "input.text") {
			t.Errorf("validated: %+v", r)
		}
		if r := agent.Call("notes_destroy", `{"id":1}`); r.Code != -32602 {
			t.Errorf("authorised: %+v", r)
		}
		for range 2 {
			if r := agent.Call("notes_store", `{"input":{"text":"a"}}`); r.IsError {
				t.Errorf("within the limit: %+v", r)
			}
		}
		if r := agent.Call("notes_store", `{"input":{"text":"a"}}`); !r.IsError || !strings.Contains(r.Text, "wait") {
			t.Errorf("limited: %+v", r)
		}
		for _, tool := range []string{"leaks", "panics"} {
			if r := agent.Call(tool, nil); !r.IsError || strings.Contains(r.Text, "hunter2") || strings.Contains(r.Text, "/home") || strings.Contains(r.Text, "goroutine") {
				t.Errorf("sanitised: %+v", r)
			}
		}
	})
}

func TestS32_nothingBecomesAHeader(t *testing.T) {
	t.Parallel()
	type secretArgs struct {
		APIKey string `json:"apiKey" validate:"required,min=1"`
	}
	app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		login := func(context.Context, secretArgs) (elyra.None, error) { return elyra.None{}, nil }
		return elyra.New().Commands(elyra.NewCommand("login", login, elyra.CommandOptions{Can: "x"})).MCP(elyra.NewMCP().AllowAbility("x")), nil
	})
	for _, tool := range app.MCP().ListTools() {
		if text := strings.ToLower(fmt.Sprintf("%+v", tool)); strings.Contains(text, "x-mcp-header") || strings.Contains(text, "x-mcp") {
			t.Errorf("an argument would be copied into a header: %s", text)
		}
	}
}

func TestS13_aConfirmationIsAHandle(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	first := rawAgent(t, v.App, "Claude", canAsk)
	state := asked(t, first, "erase", `{"id":1}`)
	// The same program, connected anew, with other calls in between.
	second := rawAgent(t, v.App, "Claude", canAsk)
	asked(t, second, "erase", `{"id":2}`)
	if r := second.call("erase", `{"id":1}`, state, accept); !r.ran() || v.ran.Load() != 1 {
		t.Errorf("on another connection: %+v, ran %d times", r, v.ran.Load())
	}
}

func TestS45_S48_aQuestionIsOneThatTheClientCanShow(t *testing.T) {
	t.Parallel()
	for capabilities, may := range map[string]bool{
		`{}`: false, `{"elicitation":{"url":{}}}`: false, `{"sampling":{}}`: false,
		`{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true, `{"elicitation":{"form":{},"url":{}}}`: true,
	} {
		v := newVault(t)
		c := rawAgent(t, v.App, "Claude", capabilities)
		r := c.call("erase", `{"id":1}`, "", "")
		if got := r.question() != ""; got != may || !may && r.Error.Code != -32021 {
			t.Errorf("%s: %+v; want a question: %v", capabilities, r, may)
		}
		if !may {
			continue
		}
		// It is a form without fields, so nothing secret can be asked for, and its schema is flat.
		if p := r.Result.InputRequests["confirm"].Params; p.Mode != "form" || p.URL != "" || string(p.RequestedSchema) != `{"type":"object","properties":{}}` {
			t.Errorf("%s: the question is %+v", capabilities, p)
		}
	}
	for _, action := range []string{"decline", "cancel"} {
		v := newVault(t)
		c := rawAgent(t, v.App, "Claude", canAsk)
		r := c.call("erase", `{"id":1}`, asked(t, c, "erase", `{"id":1}`), `{"confirm":{"action":"`+action+`"}}`)
		if !r.Result.IsError || !strings.Contains(r.text(), "declined") || v.ran.Load() != 0 {
			t.Errorf("%s: %+v, ran %d times", action, r, v.ran.Load())
		}
	}
}

func TestS47_unknownResponsesAreIgnoredAndMissingOnesAskedForAgain(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	c := rawAgent(t, v.App, "Claude", canAsk)
	state := asked(t, c, "erase", `{"id":1}`)
	r := c.call("erase", `{"id":1}`, state, `{"other":{"action":"accept"},"":7}`)
	if r.question() == "" || r.Result.RequestState == state || v.ran.Load() != 0 {
		t.Fatalf("without the answer: %+v, ran %d times; want to be asked again", r, v.ran.Load())
	}
	r = c.call("erase", `{"id":1}`, r.Result.RequestState, `{"other":[],"confirm":{"action":"accept","future":1}}`)
	if !r.ran() || v.ran.Load() != 1 {
		t.Errorf("with the answer among others: %+v", r)
	}
	// A client that never comes back leaves nothing that another call would notice.
	asked(t, c, "erase", `{"id":1}`)
	if r := c.call("erase", `{"id":1}`, "", ""); r.question() == "" {
		t.Errorf("a new call: %+v", r)
	}
}
