package elyra

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
	"github.com/elyra-go/elyra/window"
)

// fakeProgram is a run of Main with surroundings of the test's own. What the app would print for the
// protocol ends up in the file out.
func fakeProgram(t *testing.T, app *App, backend window.Backend) (p *program, stderr *strings.Builder, out string) {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home, "XDG_RUNTIME_DIR": filepath.Join(home, "run")}
	env, err := NewEnv("dev.elyra.test", func(name string) string { return vars[name] }, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	stderr = &strings.Builder{}
	out = filepath.Join(home, "out")
	return &program{
		env: env, build: func(*Env) (*App, error) { return app, nil }, backend: backend, stdout: stderr, stderr: stderr,
		takeStdio: func() (*os.File, *os.File, error) {
			in, err := os.Open(os.DevNull)
			if err != nil {
				return nil, nil, err
			}
			file, err := os.Create(out)
			return in, file, err
		},
	}, stderr, out
}

// noWindow is a backend that cannot open a window.
type noWindow struct{ code int }

func (noWindow) Name() string { return "none" }
func (b noWindow) Run(context.Context, window.Host, []window.Options) error {
	return &window.Unavailable{Reason: "no display", Fix: "sudo apt-get install something", ExitCode: b.code}
}

func greeting() Command {
	return NewCommand("greet", func(context.Context, struct {
		Name string `json:"name"`
	},
	) (string, error) {
		return "hello", nil
	}, CommandOptions{Can: "greet", Doc: "Greet greets somebody."})
}

func TestStartModes(t *testing.T) {
	t.Parallel()
	withMCP := func() *App {
		return New().Commands(greeting()).Window(Window{}).MCP(NewMCP().AllowAbility("greet"))
	}
	without := func() *App { return New().Commands(greeting()).Window(Window{}) }
	for _, tt := range []struct {
		name    string
		app     *App
		backend window.Backend
		args    string
		code    int
		said    string
	}{
		{"unknown flag", withMCP(), nil, "--nonesuch", exitUsage, "usage:"},
		{"two flags", withMCP(), nil, "--mcp --headless", exitUsage, "usage:"},
		{"help", withMCP(), nil, "--help", exitOK, "--headless"},
		{"version", withMCP(), nil, "--version", exitOK, "dev.elyra.test"},
		{"mcp without MCP", without(), nil, "--mcp", exitUsage, "without App.MCP"},
		{"mcp at end of input", withMCP(), nil, "--mcp", exitOK, ""},
		{"no library", withMCP(), noWindow{3}, "", 3, "apt-get install"},
		{"no display", without(), noWindow{4}, "", 4, "no display"},
		{"no backend", withMCP(), nil, "", exitUsage, "--headless or --mcp"},
		{"mistake", New().AllowAbilities("x"), nil, "--headless", exitFailed, "matches no command's ability"},
		{"describe a mistake", New().AllowAbilities("x"), nil, "--describe", exitFailed, "matches no command's ability"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, stderr, _ := fakeProgram(t, tt.app, tt.backend)
			if code := p.run(t.Context(), strings.Fields(tt.args)); code != tt.code || !strings.Contains(stderr.String(), tt.said) {
				t.Errorf("exit %d, %q; want %d with %q", code, stderr, tt.code, tt.said)
			}
		})
	}
}

func TestDescribeOpensNothing(t *testing.T) {
	t.Parallel()
	quiet := NewCommand("quiet", func(context.Context, struct{}) (None, error) { return None{}, nil }, CommandOptions{})
	app := New().Commands(greeting(), quiet).MCP(NewMCP().AllowAbility("greet").Confirm("greet"))
	p, stderr, out := fakeProgram(t, app, nil)
	if code := p.run(t.Context(), []string{"--describe"}); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name": "greet"`, `"confirm": true`, `"name": "quiet"`, `can never be granted`, `"resources": []`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the description lacks %s:\n%s", want, text)
		}
	}
}

func TestHeadlessServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	p, stderr, _ := fakeProgram(t, New().Commands(greeting()).MCP(NewMCP().AllowAbility("greet")), nil)
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int)
	go func() { code <- p.run(ctx, []string{"--headless"}) }()
	client, err := dialUntilRunning(ctx, p.env)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if answer, err := bufio.NewReader(client).ReadString('\n'); err != nil || !strings.Contains(answer, `"id":1`) {
		t.Errorf("the endpoint answered %q, %v", answer, err)
	}
	// A second start of the same install is refused rather than left without agents.
	second := &program{env: p.env, build: p.build, stdout: io.Discard, stderr: io.Discard, takeStdio: p.takeStdio}
	if c := second.run(ctx, []string{"--headless"}); c != exitRunning {
		t.Errorf("a second start exits %d; want %d", c, exitRunning)
	}
	stop()
	if c := <-code; c != 0 {
		t.Errorf("stopped, it exits %d: %s", c, stderr)
	}
}

// openWindow is a backend whose window is open until ctx ends, and counts how often it was raised.
type openWindow struct {
	opened chan window.Options
	raised chan string
}

func (openWindow) Name() string { return "open" }

func (b openWindow) Run(ctx context.Context, h window.Host, windows []window.Options) error {
	b.opened <- windows[0]
	<-ctx.Done()
	h.(window.GeometryKeeper).KeepGeometry(windows[0].ID, window.Geometry{Width: 640, Height: 480})
	return nil
}

func (openWindow) Open(context.Context, window.Options) error { return nil }

func (b openWindow) Raise(_ context.Context, windowID, startup string) error {
	b.raised <- windowID + " " + startup
	return nil
}

func TestPageCallsACommandWithBytes(t *testing.T) {
	t.Parallel()
	size := func(_ context.Context, in struct {
		Picture []byte `json:"picture" validate:"max=4"`
	},
	) (int, error) {
		return len(in.Picture), nil
	}
	p, _, _ := fakeProgram(t, New().Commands(NewCommand("size", size, CommandOptions{}), NewCommand("vault", size, CommandOptions{Can: "vault.open"}), greeting()), nil)
	app, err := p.build(p.env)
	if err != nil {
		t.Fatal(err)
	}
	in, err := app.Start(t.Context(), p.env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(context.Background()) })
	for _, tt := range []struct{ command, body, want string }{
		{"size", "\x00\xff!", "3"},
		{"size", "", "0"},
		{"size", "12345", "picture"},
		{"greet", "x", "needs the ability"},
		{"vault", "x", "needs the ability"},
		{"nonesuch", "x", "no command"},
	} {
		result, err := page{in}.CallRaw(t.Context(), "main", tt.command, []byte(tt.body))
		if got := fmt.Sprint(string(result), err); !strings.Contains(got, tt.want) {
			t.Errorf("%s with %q: %s; want %q", tt.command, tt.body, got, tt.want)
		}
	}
}

func TestSecondStartRaisesTheWindowOfTheFirst(t *testing.T) {
	t.Parallel()
	b := openWindow{make(chan window.Options, 2), make(chan string, 1)}
	p, stderr, _ := fakeProgram(t, New().Commands(greeting()).Window(Window{Width: 800, Height: 600}), b)
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int)
	go func() { code <- p.run(ctx, nil) }()
	if o := <-b.opened; o.ID != "main" || o.Width != 800 {
		t.Errorf("the window opened with %+v", o)
	}
	again := *p
	env := *p.env
	env.Getenv = func(name string) string { return map[string]string{"XDG_ACTIVATION_TOKEN": "token 1"}[name] }
	again.env = &env
	if c := again.run(ctx, nil); c != exitOK {
		t.Errorf("the second start exits %d: %s", c, stderr)
	}
	if got := <-b.raised; got != "main token 1" {
		t.Errorf("raised %q", got)
	}
	stop()
	if c := <-code; c != exitOK {
		t.Errorf("closed, it exits %d: %s", c, stderr)
	}

	// The next start opens the window as its user left it.
	ctx, stop = context.WithCancel(t.Context())
	go func() { code <- p.run(ctx, nil) }()
	if o := <-b.opened; o.Width != 640 || o.Height != 480 {
		t.Errorf("the next start opens the window with %+v", o)
	}
	stop()
	<-code
}

func TestDamagedGeometryIsForgotten(t *testing.T) {
	t.Parallel()
	p, _, _ := fakeProgram(t, New(), nil)
	if err := os.MkdirAll(p.env.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.env.DataDir, "windows.json"), []byte(`{"main":{"width":`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := loadGeometry(p.env.DataDir, p.env.Log)
	if o := g.apply(window.Options{ID: "main", Width: 800, Height: 600}); o.Width != 800 {
		t.Errorf("a torn file gave %+v", o)
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Claude":           "Claude",
		"a\x1b[31mb":       "a[U+001B][31mb",
		"a\u202eb\u200bc":  "a[U+202E]b[U+200B]c",
		"\U000E0041x":      "[U+E0041]x",
		"\xff":             "[U+FFFD]",
		"line\nbreak":      "line[U+000A]break",
		"0123456789abcdef": "0123456789…",
	} {
		if got := visible(in, 10); got != want {
			t.Errorf("visible(%q) = %q; want %q", in, got, want)
		}
	}
}

// dialUntilRunning connects to the app's endpoint as soon as there is one.
func dialUntilRunning(ctx context.Context, env *Env) (net.Conn, error) {
	for {
		conn, _, err := endpoint.Dial(ctx, env.endpoint(env.ConfigDir))
		if !errors.Is(err, endpoint.ErrNotRunning) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func TestNewEnvFollowsHomeAndXDG(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"HOME": "/home/ada"}
	get := func(name string) string { return vars[name] }
	env, err := NewEnv("dev.elyra.crm", get, nil)
	if err != nil {
		t.Fatal(err)
	}
	if env.ConfigDir != env.HomeConfigDir || !strings.HasPrefix(env.DataDir, "/home/ada") {
		t.Errorf("with HOME alone: %+v", env)
	}
	vars["XDG_CONFIG_HOME"], vars["XDG_DATA_HOME"], vars["XDG_CACHE_HOME"] = "/c", "/d", "relative"
	env, err = NewEnv("dev.elyra.crm", get, nil)
	if err != nil || env.ConfigDir != "/c/dev.elyra.crm" || env.DataDir != "/d/dev.elyra.crm" || !strings.HasPrefix(env.CacheDir, "/home/ada") {
		t.Errorf("with XDG variables: %+v, %v", env, err)
	}
	for _, id := range []string{"", "..", "a/b"} {
		if _, err := NewEnv(id, get, nil); err == nil {
			t.Errorf("the app id %q is accepted", id)
		}
	}
}
