package elyra_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

var eras = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}

// granted grants everything, deletion with confirmation.
func granted(a *elyra.App) {
	a.MCP(elyra.NewMCP().AllowAbilities("notes.*").Confirm("notes.delete"))
}

func TestOnlyGrantedCommandsAreTools(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build(func(a *elyra.App) {
		a.AllowAbilities("notes.*").MCP(elyra.NewMCP().AllowAbility("notes.create"))
	}))
	for _, era := range eras {
		agent := app.MCP(elyratest.Era(era))
		var names []string
		for _, tool := range agent.ListTools() {
			names = append(names, tool.Name)
		}
		if !slices.Equal(names, []string{"notes_store"}) {
			t.Errorf("%s: the tools are %v; want notes_store alone", era, names)
		}
		// What windows may call, and what declares no ability, is as unknown as what does not exist.
		for _, name := range []string{"notes_destroy", "ping", "nonesuch"} {
			if r := agent.Call(name, `{"id":1}`); r.Code != -32602 || !strings.Contains(r.Text, "unknown tool") {
				t.Errorf("%s: %s: code %d, %q; want -32602", era, name, r.Code, r.Text)
			}
		}
	}
}

func TestS33_ToolIsTheCommandsProjection(t *testing.T) {
	t.Parallel()
	tools := elyratest.New(t, build(granted)).MCP().ListTools()
	if len(tools) != 2 {
		t.Fatalf("%d tools; want 2", len(tools))
	}
	destroy, store := tools[0], tools[1]
	if store.Title != "Adds a note" || store.Description != "Store adds a note. Use it to remember things." {
		t.Errorf("title %q, description %q", store.Title, store.Description)
	}
	if store.Destructive || store.ReadOnly || !destroy.Destructive {
		t.Errorf("hints: store %+v, destroy %+v", store, destroy)
	}
	if !json.Valid([]byte(store.InputSchema)) || !strings.Contains(store.InputSchema, `"maxLength":20`) || !strings.Contains(destroy.OutputSchema, `"object"`) {
		t.Errorf("schemas: %s, %s", store.InputSchema, destroy.OutputSchema)
	}
}

func TestS29_BadInputIsAnErrorTheModelCanActOn(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build(granted))
	for _, era := range eras {
		agent := app.MCP(elyratest.Era(era))
		for _, tt := range []struct{ args, want string }{
			{`{"input":{"text":""}}`, "input.text"},
			{`{"input":{"txet":"a"}}`, `"text"`},
			{`{}`, "input"},
			{`{"input":{"text":"forbidden"}}`, "must not be forbidden"},
		} {
			if r := agent.Call("notes_store", tt.args); !r.IsError || r.Code != 0 || !strings.Contains(r.Text, tt.want) {
				t.Errorf("%s: %s: %+v; want an isError result with %q", era, tt.args, r, tt.want)
			}
		}
		r := agent.Call("notes_store", `{"input":{"text":"milk"}}`)
		if r.IsError || r.Text != `{"id":1,"text":"milk"}` {
			t.Errorf("%s: %+v", era, r)
		}
		if era >= "2025-06-18" && r.Structured != r.Text {
			t.Errorf("%s: structured content %s differs from the text %s", era, r.Structured, r.Text)
		}
	}
}

func TestConfirmation(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		canAsk := era >= "2025-06-18"
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			ran := 0
			app := elyratest.New(t, build(func(a *elyra.App) {
				granted(a)
				a.Use(func(next elyra.Handler) elyra.Handler {
					return func(ctx context.Context, r *elyra.Request) (any, error) {
						ran++
						return next(ctx, r)
					}
				})
			}))
			mute := app.MCP(elyratest.Era(era)).Call("notes_destroy", `{"id":12}`)
			wantCode := 0
			if era == "2026-07-28" {
				wantCode = -32021
			}
			if !mute.IsError || mute.Code != wantCode || !strings.Contains(mute.Text, "notes_destroy") || ran != 0 {
				t.Errorf("a client that cannot ask: %+v, ran %d times; want code %d", mute, ran, wantCode)
			}
			if !canAsk {
				return
			}
			for _, action := range []string{"decline", "cancel"} {
				r := app.MCP(elyratest.Era(era), elyratest.Confirming(action)).Call("notes_destroy", `{"id":12}`)
				if !r.IsError || !strings.Contains(r.Text, "declined") || ran != 0 {
					t.Errorf("%s: %+v, ran %d times", action, r, ran)
				}
			}
			r := app.MCP(elyratest.Era(era), elyratest.Confirming("accept"), elyratest.Named("Claude\u202e")).Call("notes_destroy", `{"id":12}`)
			if r.IsError || ran != 1 {
				t.Errorf("accept: %+v, ran %d times", r, ran)
			}
			if want := "Claude[U+202E] wants to run notes_destroy: Deletes a note for good.\n\nid: 12"; r.Confirmation != want {
				t.Errorf("the question is %q; want %q", r.Confirmation, want)
			}
			// What is wrong with the arguments is said without asking anybody.
			r = app.MCP(elyratest.Era(era), elyratest.Confirming("accept")).Call("notes_destroy", `{"id":"twelve"}`)
			if !r.IsError || r.Confirmation != "" || ran != 1 {
				t.Errorf("bad arguments: %+v", r)
			}
		})
	}
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		app := elyratest.New(t, build(func(a *elyra.App) {
			a.MCP(elyra.NewMCP().AllowAbilities("notes.*").Confirm("notes.delete").
				RateLimit("*", 5, time.Minute).RateLimit("notes.delete", 2, time.Minute))
		}))
		first, second := app.MCP(), app.MCP(elyratest.Era("2025-11-25"))
		for i := range 5 {
			if r := []*elyratest.Agent{first, second}[i%2].Call("notes_store", `{"input":{"text":"a"}}`); r.IsError {
				t.Fatalf("call %d: %s", i, r.Text)
			}
		}
		if r := second.Call("notes_store", `{"input":{"text":"a"}}`); !r.IsError || !strings.Contains(r.Text, "wait 1m0s") {
			t.Errorf("the sixth call of a tool over two connections: %+v", r)
		}
		// The retry that carries the user's answer is the same call: two rounds count once.
		accepting := app.MCP(elyratest.Confirming("accept"))
		for range 2 {
			if r := accepting.Call("notes_destroy", `{"id":1}`); r.IsError {
				t.Fatalf("a confirmed call: %s", r.Text)
			}
		}
		if r := accepting.Call("notes_destroy", `{"id":1}`); !r.IsError || r.Confirmation != "" {
			t.Errorf("a throttled call was asked about first: %+v", r)
		}
		time.Sleep(time.Minute)
		if r := second.Call("notes_store", `{"input":{"text":"a"}}`); r.IsError {
			t.Errorf("after a minute: %s", r.Text)
		}
	})
}

func TestAgentsAreSeen(t *testing.T) {
	t.Parallel()
	var origin elyra.Origin
	app := elyratest.New(t, build(func(a *elyra.App) {
		granted(a)
		a.Use(func(next elyra.Handler) elyra.Handler {
			return func(ctx context.Context, r *elyra.Request) (any, error) {
				origin = elyra.OriginOf(ctx)
				return next(ctx, r)
			}
		})
		a.Listen(elyra.On(func(context.Context, elyra.AgentCalled) error { return errors.New("the audit log is full") }))
	}))
	agent := app.MCP(elyratest.Named("Claude"))
	if r := agent.Call("notes_store", `{"input":{"text":"a"}}`); r.IsError {
		t.Errorf("the error of a listener for AgentCalled became the call's: %s", r.Text)
	}
	agent.Call("notes_store", `{}`)
	if who, ok := origin.(elyra.Agent); !ok || who.Client != "Claude" || who.Connection == "" {
		t.Errorf("middleware saw the origin %#v", origin)
	}
	var phases []string
	for deadline := time.Now().Add(5 * time.Second); len(phases) < 4 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		phases = nil
		for _, m := range app.Channel("elyra:mcp") {
			var a elyra.AgentActivity
			if err := json.Unmarshal([]byte(m), &a); err != nil {
				t.Fatal(err)
			}
			phase := fmt.Sprint(a.ID, a.Phase, " ", a.Kind, " ", a.Tool, " ", a.Client)
			if a.OK != nil {
				phase += fmt.Sprint(" ", *a.OK)
			}
			phases = append(phases, phase)
		}
	}
	want := []string{
		"1started tool notes_store Claude", "1finished tool notes_store Claude true",
		"2started tool notes_store Claude", "2finished tool notes_store Claude false",
	}
	if !slices.Equal(phases, want) {
		t.Errorf("the channel carried %q; want %q", phases, want)
	}
}

func TestResultThatNoClientWouldReadIsAnError(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		everything := func(context.Context, struct{}) (string, error) { return strings.Repeat("x", 9<<20), nil }
		return elyra.New().Commands(elyra.NewCommand("everything", everything, elyra.CommandOptions{Can: "x"})).
			MCP(elyra.NewMCP().AllowAbility("x")), nil
	})
	if r := app.MCP().Call("everything", nil); !r.IsError || !strings.Contains(r.Text, "ask for less at once") {
		t.Errorf("a result of 9 MiB: %.200s", r.Text)
	}
}

func TestDeadlinesAndPanicsEndOneCallOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		defer close(released)
		app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
			can := elyra.CommandOptions{Can: "x"}
			slow := elyra.CommandOptions{Can: "x", Timeout: 5 * time.Second}
			deaf := func(context.Context, struct{}) (string, error) { <-released; return "late", nil }
			wait := func(ctx context.Context, _ struct{}) (string, error) { <-ctx.Done(); return "", ctx.Err() }
			return elyra.New().Commands(
				elyra.NewCommand("waits", wait, can), elyra.NewCommand("deaf", deaf, can), elyra.NewCommand("waits_less", wait, slow),
				elyra.NewCommand("panics", func(context.Context, struct{}) (string, error) { panic("secret") }, can),
				elyra.NewCommand("fine", func(context.Context, struct{}) (string, error) { return "ok", nil }, can),
			).MCP(elyra.NewMCP().AllowAbility("x")), nil
		})
		agent := app.MCP()
		for _, tt := range []struct {
			tool, want string
			after      time.Duration
		}{{"waits", "longer than 1m0s", time.Minute}, {"waits_less", "longer than 5s", 5 * time.Second}, {"panics", "error ", 0}} {
			began := time.Now()
			r := agent.Call(tt.tool, nil)
			if took := time.Since(began); !r.IsError || !strings.Contains(r.Text, tt.want) || strings.Contains(r.Text, "secret") || took > tt.after+time.Second {
				t.Errorf("%s: %+v after %v", tt.tool, r, took)
			}
		}
		began := time.Now()
		if r := agent.Call("deaf", nil); !r.IsError || !strings.Contains(r.Text, "does not stop") || time.Since(began) != 61*time.Second {
			t.Errorf("a command that ignores its deadline, after %v: %+v", time.Since(began), r)
		}
		if r := agent.Call("fine", nil); r.Text != `"ok"` {
			t.Errorf("after a panic: %+v", r)
		}
	})
}
