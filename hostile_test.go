package elyra_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/internal/hostile"
	"github.com/elyra-go/elyra/internal/mcp"
)

// beNasty is the variable that makes the test binary the app of these tests.
const beNasty = "ELYRA_TEST_BE_NASTY"

func TestMain(m *testing.M) {
	if os.Getenv(beNasty) != "" {
		elyra.Main("dev.elyra.nasty", nasty, nil)
	}
	os.Exit(m.Run())
}

// nasty is an app whose commands misbehave in every way that a framework can do something about.
func nasty(*elyra.Env) (*elyra.App, error) {
	can := elyra.CommandOptions{Can: "nasty.do"}
	soon := elyra.CommandOptions{Can: "nasty.do", Timeout: 100 * time.Millisecond}
	type none = struct{}
	return elyra.New().Commands(
		elyra.NewCommand("panics", func(context.Context, none) (string, error) { panic("secret /home/ada") }, can),
		elyra.NewCommand("panics_with_nil", func(context.Context, none) (string, error) {
			var m map[string]int
			//lint:ignore SA5000 the panic is what is tested
			m["x"] = 1
			return "", nil
		}, can),
		elyra.NewCommand("ignores", func(context.Context, none) (string, error) { select {} }, soon),
		elyra.NewCommand("never_ends", func(context.Context, none) (string, error) { select {} }, elyra.CommandOptions{Can: "nasty.do", Timeout: time.Hour}),
		elyra.NewCommand("waits", func(ctx context.Context, _ none) (string, error) { <-ctx.Done(); return "", ctx.Err() }, soon),
		elyra.NewCommand("prints", func(context.Context, none) (string, error) {
			_, err := fmt.Println(strings.Repeat("not for the protocol\n", 10_000))
			return "printed", err
		}, can),
		elyra.NewCommand("reads", func(context.Context, none) (string, error) {
			all, err := io.ReadAll(os.Stdin)
			return fmt.Sprint(len(all)), err
		}, can),
		elyra.NewCommand("floods", func(ctx context.Context, _ none) (string, error) {
			for i := range 100_000 {
				elyra.Progress(ctx, float64(i), 0, "a step")
			}
			return strings.Repeat("x", 4<<20), nil
		}, can),
		elyra.NewCommand("cannot_encode", func(context.Context, none) (any, error) { return func() {}, nil }, can),
		elyra.NewCommand("fine", func(context.Context, none) (string, error) { return "fine", nil }, can),
	).MCP(elyra.NewMCP().AllowAbility("nasty.do").RateLimit("*", 1_000_000, time.Minute)), nil
}

// nastyApp is the app as a process with folders of its own under home.
func nastyApp(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runtimeDir := t.TempDir()
	if err := os.Chmod(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "HOME=") }),
		"HOME="+home, "XDG_RUNTIME_DIR="+runtimeDir, "XDG_DATA_HOME="+filepath.Join(home, "data"), beNasty+"=1")
	return cmd
}

// misbehave calls each command and checks that the connection, and that of somebody else, outlive it.
func misbehave(t *testing.T, p *hostile.Process, others func()) {
	t.Helper()
	for _, tt := range []struct {
		tool, want string
		failed     bool
	}{
		{"panics", "error ", true},
		{"panics_with_nil", "error ", true},
		{"waits", "took longer than 100ms", true},
		{"ignores", "it does not stop", true},
		{"prints", "printed", false},
		{"reads", `"0"`, false},
		{"cannot_encode", "error ", true},
		{"fine", "fine", false},
	} {
		m := p.Ask(`1`, hostile.Call(`1`, tt.tool, `{}`))
		text := string(m.Result)
		if m.Error != nil || strings.Contains(text, `"isError":true`) != tt.failed || !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), tt.want) {
			t.Errorf("%s: %s %v; want %q", tt.tool, text, m.Error, tt.want)
		}
		if strings.Contains(text, "secret") || strings.Contains(text, ".go") {
			t.Errorf("%s: the client is told the cause: %s", tt.tool, text)
		}
		p.Alive()
		others()
	}
	p.Write(hostile.Call(`2`, "never_ends", `{}`), hostile.Call(`3`, "never_ends", `{}`), hostile.Cancel(`2`))
	p.Alive()
	others()
	flood := strings.Replace(hostile.Call(`4`, "floods", `{}`), `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	p.Write(flood)
	for m, ok := p.Next(); string(m.ID) != `4`; m, ok = p.Next() {
		if !ok || m.Method != mcp.NotifyProgress {
			t.Fatalf("during the flood came %+v, more %v", m, ok)
		}
	}
	p.Alive()
	others()
}

func TestCommandsThatMisbehaveOverStdio(t *testing.T) {
	t.Parallel()
	p := hostile.Start(t, nastyApp(t, t.TempDir(), "--mcp"))
	misbehave(t, p, func() {})
	p.CloseInput()
	// The call that will never end is answered all the same, the cancelled one is not.
	if rest := p.Rest(); len(rest) != 1 || string(rest[0].ID) != `3` || rest[0].Error == nil || rest[0].Error.Code != mcp.CodeUnavailable {
		t.Errorf("at the end: %+v", rest)
	}
	if log := p.Exited(); !strings.Contains(log, "secret /home/ada") || !strings.Contains(log, "not for the protocol") {
		t.Errorf("the log lacks what went wrong, or what was printed: %.2000s", log)
	}
}

func TestCommandsThatMisbehaveInARunningApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := nastyApp(t, home, "--headless")
	stderr, err := app.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { app.Process.Kill() })
	ready, ended := watch(stderr, "serving without a window")
	select {
	case <-ready:
	case <-ended:
		t.Fatal("the app ended at its start")
	case <-time.After(hostile.Patience):
		t.Fatal("the app does not start")
	}
	bad, good := hostile.Start(t, nastyApp(t, home, "--mcp")), hostile.Start(t, nastyApp(t, home, "--mcp"))
	misbehave(t, bad, func() {
		good.Alive()
		if m := good.Ask(`1`, hostile.Call(`1`, "fine", `{}`)); m.Error != nil || !strings.Contains(string(m.Result), "fine") {
			t.Errorf("the other client's call: %s %v", m.Result, m.Error)
		}
	})
	// The app ends although a command does not, and the client is told about its call.
	if err := app.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if m := bad.Answer(`3`); m.Error == nil {
		t.Errorf("the call that never ends: %s", m.Result)
	}
	select {
	case <-ended:
	case <-time.After(hostile.Patience):
		t.Fatal("the app does not end")
	}
	if err := app.Wait(); err != nil {
		t.Errorf("the app ended with %v", err)
	}
	for _, p := range []*hostile.Process{bad, good} {
		p.CloseInput()
		p.Exited()
	}
}

// watch reads r to its end; ready is closed when a line contains text, ended at the end.
func watch(r io.Reader, text string) (ready, ended chan struct{}) {
	ready, ended = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var seen []byte
		buf := make([]byte, 4096)
		for announced := false; ; {
			n, err := r.Read(buf)
			if seen = append(seen, buf[:n]...); !announced && strings.Contains(string(seen), text) {
				announced = true
				close(ready)
			}
			if err != nil {
				return
			}
		}
	}()
	return ready, ended
}
