package elyra_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// note is what the commands of these tests are about.
type note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

type noteInput struct {
	Text string   `json:"text" validate:"required,max=20"`
	Tags []string `json:"tags,omitempty"`
}

// Validate refuses what no tag can express.
func (n noteInput) Validate(context.Context) error {
	if n.Text == "forbidden" {
		return elyra.ValidationError{"text": {"must not be forbidden"}}
	}
	return nil
}

type storeArgs struct {
	Input noteInput `json:"input"`
}

type idArgs struct {
	ID int64 `json:"id"`
}

func store(_ context.Context, in storeArgs) (note, error) { return note{1, in.Input.Text}, nil }

func destroy(context.Context, idArgs) (elyra.None, error) { return elyra.None{}, nil }

func notes() []elyra.Command {
	return []elyra.Command{
		elyra.NewCommand("notes_store", store, elyra.CommandOptions{Can: "notes.create", Additive: true, Doc: "Store adds a note. Use it to remember things."}),
		elyra.NewCommand("notes_destroy", destroy, elyra.CommandOptions{Can: "notes.delete", Doc: "Destroy deletes a note for good."}),
		elyra.NewCommand("ping", func(context.Context, struct{}) (string, error) { return "pong", nil }, elyra.CommandOptions{}),
	}
}

// build returns a build function for an app that change has added to.
func build(change func(*elyra.App)) func(*elyra.Env) (*elyra.App, error) {
	return func(*elyra.Env) (*elyra.App, error) {
		app := elyra.New().Commands(notes()...)
		if change != nil {
			change(app)
		}
		return app, nil
	}
}

func TestStartReportsEveryMistakeAtOnce(t *testing.T) {
	t.Parallel()
	ok := func(context.Context, struct{}) (string, error) { return "", nil }
	app := elyra.New().
		Commands(notes()...).
		Commands(
			elyra.NewCommand("ping", ok, elyra.CommandOptions{}),
			elyra.NewCommand("Bad Name", ok, elyra.CommandOptions{}),
			elyra.NewCommand("odd", ok, elyra.CommandOptions{Can: "Odd Ability", Additive: true, Live: true}),
			elyra.NewCommand("hooked", func(context.Context, struct {
				Hook func(int) `json:"hook"`
			},
			) (string, error) {
				return "", nil
			}, elyra.CommandOptions{}),
			elyra.NewCommand("tagged", func(context.Context, struct {
				Name string `json:"name" validate:"nonesuch"`
			},
			) (string, error) {
				return "", nil
			}, elyra.CommandOptions{}),
		).
		AllowAbilities("notes.craete").
		MCP(elyra.NewMCP().AllowAbilities("orders.*").Confirm("notes.delte").RateLimit("notes.create", 0, time.Minute))
	_, err := app.Start(t.Context(), elyratest.Env(t))
	if err == nil {
		t.Fatal("the app started")
	}
	for _, want := range []string{
		`command "ping": two commands have this name`,
		`command "Bad Name": a name is snake_case`,
		`Odd Ability`, `cannot both create`,
		`command "hooked"`, `hook`, `func(int)`,
		`command "tagged"`, `nonesuch`,
		`allow ability: "notes.craete" matches no command's ability; did you mean "notes.create"?`,
		`mcp: allow ability: "orders.*" matches no command's ability`,
		`mcp: confirm: "notes.delte" matches no command's ability; did you mean "notes.delete"?`,
		`rate limit "notes.create": want at least 1 call`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestArgumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build(nil))
	for _, tt := range []struct{ name, command, args, path, message string }{
		{"no arguments", "notes_store", ``, "input", "is required"},
		{"null", "notes_store", `{"input":null}`, "input", "null"},
		{"null id", "notes_destroy", `{"id":null}`, "id", "null"},
		{"missing field", "notes_store", `{"input":{}}`, "input.text", "is required"},
		{"empty required field", "notes_store", `{"input":{"text":""}}`, "input.text", "required"},
		{"too long", "notes_store", `{"input":{"text":"a text of more than twenty characters"}}`, "input.text", "20"},
		{"wrong type", "notes_store", `{"input":{"text":7}}`, "input.text", "string"},
		{"wrong element", "notes_store", `{"input":{"text":"a","tags":["x",7]}}`, "input.tags[1]", "string"},
		{"unknown argument", "notes_destroy", `{"id":1,"force":true}`, "force", "unknown"},
		{"misspelt field", "notes_store", `{"input":{"text":"a","tgas":[]}}`, "input.tgas", `"tags"`},
		{"wrong case", "notes_store", `{"Input":{"text":"a"}}`, "Input", `"input"`},
		{"duplicate", "notes_destroy", `{"id":1,"id":2}`, "id", ""},
		{"fraction", "notes_destroy", `{"id":1.5}`, "id", "integer"},
		{"out of range", "notes_destroy", `{"id":9223372036854775808}`, "id", ""},
		{"own validation", "notes_store", `{"input":{"text":"forbidden"}}`, "input.text", "must not be forbidden"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bag, ok := errors.AsType[elyra.ValidationError](app.CallErr(tt.command, tt.args))
			if !ok {
				t.Fatalf("%v is no ValidationError", app.CallErr(tt.command, tt.args))
			}
			if messages := strings.Join(bag[tt.path], "\n"); messages == "" || !strings.Contains(messages, tt.message) {
				t.Errorf("at %s: %q; want %q (whole: %v)", tt.path, messages, tt.message, bag)
			}
		})
	}
	app.CallOK("notes_destroy", `{"id":1.0}`, nil)
}

func TestWhoMayCallWhat(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build(func(a *elyra.App) { a.AllowAbilities("notes.create") }))
	window := elyra.Frontend{Window: "main"}
	if _, err := app.CallAs(window, "ping", nil); err != nil {
		t.Errorf("a command without an ability is refused to a window: %v", err)
	}
	if _, err := app.CallAs(window, "notes_store", `{"input":{"text":"a"}}`); err != nil {
		t.Errorf("a granted command is refused to a window: %v", err)
	}
	_, err := app.CallAs(window, "notes_destroy", `{"id":1}`)
	if refused, ok := errors.AsType[*elyra.NotAllowedError](err); !ok || refused.Ability != "notes.delete" {
		t.Errorf("a command that is not granted: %v; want a NotAllowedError naming notes.delete", err)
	}
	_, err = app.CallAs(elyra.Internal{}, "notes_stor", nil)
	if unknown, ok := errors.AsType[*elyra.UnknownCommandError](err); !ok || unknown.Nearest != "notes_store" {
		t.Errorf("an unknown command: %v; want the nearest name", err)
	}
	if _, err := app.CallAs(elyra.Agent{Client: "x"}, "ping", nil); err == nil {
		t.Error("an agent's origin reached a command beside its grant")
	}
}

func TestPrivateErrorsAndPanicsShowOnlyAnID(t *testing.T) {
	t.Parallel()
	fail := func(err error) func(context.Context, struct{}) (string, error) {
		return func(context.Context, struct{}) (string, error) { return "", err }
	}
	app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		return elyra.New().Commands(
			elyra.NewCommand("open", fail(errors.New("the shop is closed")), elyra.CommandOptions{}),
			elyra.NewCommand("hidden", fail(elyra.Private(errors.New("password=hunter2"))), elyra.CommandOptions{}),
			elyra.NewCommand("panics", func(context.Context, struct{}) (string, error) { panic("hunter2") }, elyra.CommandOptions{}),
		), nil
	})
	if err := app.CallErr("open", nil); err.Error() != "the shop is closed" {
		t.Errorf("a plain error reaches the caller as %q", err)
	}
	for _, name := range []string{"hidden", "panics"} {
		err := app.CallErr(name, nil)
		if s := err.Error(); strings.Contains(s, "hunter2") || strings.Contains(s, ".go") || !strings.Contains(s, "error ") {
			t.Errorf("%s: the caller is shown %q", name, s)
		}
	}
}

func TestMiddlewareWrapsEveryCall(t *testing.T) {
	t.Parallel()
	var seen []string
	trace := func(name string) elyra.Middleware {
		return func(next elyra.Handler) elyra.Handler {
			return func(ctx context.Context, r *elyra.Request) (any, error) {
				seen = append(seen, name+" "+r.Name+" "+string(r.Args))
				if _, isWindow := r.Origin.(elyra.Frontend); isWindow && name == "inner" {
					return nil, errors.New("not from a window")
				}
				return next(ctx, r)
			}
		}
	}
	app := elyratest.New(t, build(func(a *elyra.App) { a.Use(trace("outer"), trace("inner")) }))
	app.CallOK("ping", nil, nil)
	if _, err := app.CallAs(elyra.Frontend{Window: "main"}, "ping", nil); err == nil || err.Error() != "not from a window" {
		t.Errorf("middleware could not refuse: %v", err)
	}
	want := "outer ping {}|inner ping {}|outer ping {}|inner ping {}"
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("the middleware saw %s; want %s", got, want)
	}
}

func TestOutsideACall(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	if err := elyra.DB(ctx).PingContext(ctx); err == nil || !strings.Contains(err.Error(), "belongs to no call") {
		t.Errorf("DB outside a call: %v", err)
	}
	if err := elyra.Transact(ctx, func(context.Context) error { return nil }); err == nil {
		t.Error("Transact outside a call succeeded")
	}
	if err := elyra.Emit(ctx, "c", 1); err == nil {
		t.Error("Emit outside a call succeeded")
	}
	if err := elyra.Dispatch(ctx, 1); err == nil {
		t.Error("Dispatch outside a call succeeded")
	}
	if _, ok := elyra.OriginOf(ctx).(elyra.Internal); !ok {
		t.Errorf("the origin outside a call is %T", elyra.OriginOf(ctx))
	}
}
