// Package elyratest runs an app inside a test: its commands, live queries, events and channels, and
// an agent that speaks the real protocol to it over an in-memory pipe. Everything an app keeps goes
// to folders that the test removes. It owns no behaviour of the framework and is imported by tests
// only.
package elyratest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
)

// App is an app under test. Its methods fail the test when they cannot do what they say.
type App struct {
	// Instance is the running app, for what has no method here.
	Instance *elyra.Instance

	t testing.TB

	mu       sync.Mutex
	events   []any
	channels map[string][]string
}

// Env returns what New gives to the function that builds the app: empty folders of the test's own,
// no environment variables, and a log that goes to the test's output.
func Env(t testing.TB) *elyra.Env {
	dir := t.TempDir()
	return &elyra.Env{
		AppID: "dev.elyra.test", Version: "test",
		ConfigDir: filepath.Join(dir, "config"), DataDir: filepath.Join(dir, "data"), CacheDir: filepath.Join(dir, "cache"),
		Getenv: func(string) string { return "" }, Now: time.Now, Rand: rand.Reader,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

// New builds and starts an app; the test's end closes it.
func New(t testing.TB, build func(*elyra.Env) (*elyra.App, error)) *App {
	t.Helper()
	return NewWith(t, Env(t), build)
}

// NewWith is New with surroundings of the caller's choice.
func NewWith(t testing.TB, env *elyra.Env, build func(*elyra.Env) (*elyra.App, error)) *App {
	t.Helper()
	built, err := build(env)
	if err != nil {
		t.Fatalf("build the app: %v", err)
	}
	a := &App{t: t, channels: map[string][]string{}}
	built.Listen(elyra.On(func(_ context.Context, event any) error {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.events = append(a.events, event)
		return nil
	}))
	if a.Instance, err = built.Start(t.Context(), env); err != nil {
		t.Fatalf("%v", err)
	}
	messages, stop := a.Instance.Channels()
	var listening sync.WaitGroup
	listening.Go(func() {
		for m := range messages {
			a.mu.Lock()
			a.channels[m.Channel] = append(a.channels[m.Channel], string(m.Value))
			a.mu.Unlock()
		}
	})
	t.Cleanup(func() {
		if err := a.Instance.Close(context.Background()); err != nil {
			t.Errorf("close the app: %v", err)
		}
		stop()
		listening.Wait()
	})
	return a
}

// Call runs a command as the app itself would, with args encoded as JSON (a string or bytes are
// taken as JSON already, nil is no arguments), and returns the result as JSON.
func (a *App) Call(command string, args any) (string, error) {
	a.t.Helper()
	return a.CallAs(elyra.Internal{}, command, args)
}

// CallAs is Call as another origin, such as elyra.Frontend.
func (a *App) CallAs(origin elyra.Origin, command string, args any) (string, error) {
	a.t.Helper()
	result, err := a.Instance.Call(a.t.Context(), origin, command, a.encode(args))
	return string(result), err
}

// CallOK is Call of a command that must succeed; the result is decoded into result unless that is
// nil.
func (a *App) CallOK(command string, args, result any) {
	a.t.Helper()
	text, err := a.Call(command, args)
	if err != nil {
		a.t.Fatalf("%s: %v", command, err)
	}
	if result != nil {
		if err := json.Unmarshal([]byte(text), result); err != nil {
			a.t.Fatalf("%s: decode the result %s: %v", command, text, err)
		}
	}
}

// CallErr is Call of a command that must fail, and returns its error.
func (a *App) CallErr(command string, args any) error {
	a.t.Helper()
	text, err := a.Call(command, args)
	if err == nil {
		a.t.Fatalf("%s succeeded with %s; want an error", command, text)
	}
	return err
}

// Events returns the events dispatched so far, in order.
func (a *App) Events() []any {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]any(nil), a.events...)
}

// Channel returns the messages, as JSON, emitted so far on a channel. Messages arrive soon after
// they were emitted rather than at once.
func (a *App) Channel(name string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.channels[name]...)
}

func (a *App) encode(args any) []byte {
	a.t.Helper()
	switch args := args.(type) {
	case nil:
		return nil
	case string:
		return []byte(args)
	case []byte:
		return args
	}
	b, err := json.Marshal(args)
	if err != nil {
		a.t.Fatalf("encode arguments: %v", err)
	}
	return b
}
