package elyra_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// onlyPeople refuses agents what only a person in the window should do, whatever they were granted.
func onlyPeople(next elyra.Handler) elyra.Handler {
	return func(ctx context.Context, r *elyra.Request) (any, error) {
		if agent, ok := r.Origin.(elyra.Agent); ok && strings.HasPrefix(r.Name, "settings_") {
			return nil, fmt.Errorf("settings are changed by the user, not by %s: ask the user", agent.Client)
		}
		return next(ctx, r)
	}
}

// timing logs how long each call took.
func timing(log *slog.Logger) elyra.Middleware {
	return func(next elyra.Handler) elyra.Handler {
		return func(ctx context.Context, r *elyra.Request) (any, error) {
			began := time.Now()
			result, err := next(ctx, r)
			log.Info("call", "command", r.Name, "took", time.Since(began), "failed", err != nil)
			return result, err
		}
	}
}

// sparing admits a few calls a minute of each command from windows. Agents have a limit of their own.
func sparing(n int, now func() time.Time) elyra.Middleware {
	limiter := elyra.NewRateLimiter(n, time.Minute)
	return func(next elyra.Handler) elyra.Handler {
		return func(ctx context.Context, r *elyra.Request) (any, error) {
			if _, ok := r.Origin.(elyra.Frontend); ok && !r.Live {
				if ok, wait := limiter.Allow(r.Name, now()); !ok {
					return nil, fmt.Errorf("not so fast: try again in %v", wait.Round(time.Second))
				}
			}
			return next(ctx, r)
		}
	}
}

// Switch is where the switch is to stand.
type Switch struct {
	Paused bool `json:"paused"`
}

// Pause is the switch in the window that stops agents and lets them go on.
func Pause(ctx context.Context, in Switch) (elyra.None, error) {
	return elyra.None{}, elyra.PauseAgents(ctx, in.Paused)
}

// Paused tells the switch where it stands. As a live command it runs again when that changes.
func Paused(ctx context.Context, _ struct{}) (bool, error) { return elyra.AgentsPaused(ctx), nil }

// limited grants with limits of its own.
func limited() *elyra.MCP {
	return elyra.NewMCP().
		AllowAbilities("settings.change").
		RateLimit("*", 120, time.Minute).
		RateLimit("settings.change", 5, time.Hour)
}

// tidyUp is a conversation that a user begins in the MCP client, often as /tidy_up.
func tidyUp() elyra.Prompt {
	return elyra.Prompt{
		Name: "tidy_up",
		Doc:  "Go through the settings and suggest what to change.",
		Can:  "settings.change",
		Args: []elyra.PromptArg{{Name: "tone", Doc: "How to write.", Values: []string{"brief", "friendly"}}},
		Run: func(_ context.Context, args map[string]string) ([]elyra.PromptMessage, error) {
			text := "Look at my settings, and suggest what to change."
			if tone := args["tone"]; tone != "" {
				text += " Be " + tone + "."
			}
			return []elyra.PromptMessage{{Text: text}}, nil
		},
	}
}

// record keeps what agents do.
func record(log *slog.Logger) elyra.Listener {
	return elyra.OnAsync(func(_ context.Context, e elyra.AgentCalled) error {
		log.Info("an agent called", "kind", e.Kind, "tool", e.Tool, "client", e.Client, "ok", e.OK, "took", e.Duration)
		return nil
	})
}

func buildSettings(env *elyra.Env) (*elyra.App, error) {
	reset := func(context.Context, struct{}) (elyra.None, error) { return elyra.None{}, nil }
	return elyra.New().
		Commands(
			elyra.NewCommand("settings_reset", reset, elyra.CommandOptions{Can: "settings.change", Doc: "Reset forgets all settings."}),
			elyra.NewCommand("agents_pause", Pause, elyra.CommandOptions{Can: "agents.pause"}),
			elyra.NewCommand("agents_paused", Paused, elyra.CommandOptions{Can: "agents.pause", Live: true}),
		).
		AllowAbilities("*").
		Use(timing(env.Log), onlyPeople, sparing(2, env.Now)).
		Listen(record(env.Log)).
		MCP(elyra.NewMCP().
			AllowAbilities("settings.change").
			Confirm("settings.*", elyra.ConfirmOptions{InApp: true}).
			RateLimit("settings.*", 5, time.Hour)), nil
}

func TestMiddlewareRefusesAgents(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, func(env *elyra.Env) (*elyra.App, error) {
		built, err := buildSettings(env)
		built.MCP(limited().Prompt(tidyUp())) // without the confirmation
		return built, err
	})
	switched := app.Live("agents_paused", nil)
	agent := app.MCP(elyratest.Named("Claude"))
	r := agent.Call("settings_reset", nil)
	if want := "settings are changed by the user, not by Claude: ask the user"; !r.IsError || r.Text != want {
		t.Errorf("an agent is told %q; want %q", r.Text, want)
	}
	window := elyra.Frontend{Window: "main"}
	for range 2 {
		if _, err := app.CallAs(window, "settings_reset", nil); err != nil {
			t.Error(err)
		}
	}
	if _, err := app.CallAs(window, "settings_reset", nil); err == nil || !strings.Contains(err.Error(), "not so fast") {
		t.Errorf("the third call of a minute: %v", err)
	}
	if _, err := app.CallAs(window, "agents_pause", `{"paused":true}`); err != nil || !app.Instance.AgentsPaused() {
		t.Errorf("pausing from the window: %v", err)
	}
	if got := switched.Next(); got != "true" {
		t.Errorf("the switch shows %s", got)
	}
	if r := agent.Prompt("tidy_up", nil); !r.IsError {
		t.Errorf("a prompt while agents are paused: %+v", r)
	}
	app.Instance.PauseAgents(false)
	if r := agent.Prompt("tidy_up", map[string]string{"tone": "brief"}); r.Text != "user: Look at my settings, and suggest what to change. Be brief.\n" {
		t.Errorf("the prompt: %+v", r)
	}
}

func TestInAppConfirmationNeedsTheWindow(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildSettings)
	if r := app.MCP(elyratest.Confirming("accept")).Call("settings_reset", nil); !r.IsError || !strings.Contains(r.Text, "the app is not open") {
		t.Errorf("without a window: %+v", r)
	}
}

func ExampleApp_Start() {
	greet := func(context.Context, struct{}) (string, error) { return "hello", nil }
	app := elyra.New().
		Commands(elyra.NewCommand("greet", greet, elyra.CommandOptions{Can: "greetings.say"})).
		AllowAbilities("greeting.say").
		MCP(elyra.NewMCP().AllowAbilities("greetings.*").Confirm("greetings.shout"))
	env, err := elyra.NewEnv("dev.example.greeter", func(string) string { return "/home/ada" }, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = app.Start(context.Background(), env)
	fmt.Println(err)
	// Output:
	// start dev.example.greeter: allow ability: "greeting.say" matches no command's ability; did you mean "greetings.say"?
	// mcp: confirm: "greetings.shout" matches no command's ability; did you mean "greetings.say"?
}

func ExampleValidationError() {
	err := error(elyra.ValidationError{
		"input.email":        {"must be an email address"},
		"input.lines[1].qty": {"must be at least 1"},
	})
	if bag, ok := errors.AsType[elyra.ValidationError](err); ok {
		fmt.Println(len(bag), "problems")
	}
	fmt.Println(err)
	// Output:
	// 2 problems
	// the arguments are not valid:
	// - input.email: must be an email address
	// - input.lines[1].qty: must be at least 1
}
