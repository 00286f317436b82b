package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// TestMain lets the test binary be the CRM: a test starts it as the real programs it needs.
func TestMain(m *testing.M) {
	if os.Getenv("CRM_TEST_BE_THE_APP") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// session is the environment of the app: that of a desktop session, in folders of the test's own.
func session(t *testing.T, home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "DATABASE_URL=")
	})
	runtimeDir := t.TempDir()
	if err := os.Chmod(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	return append(env, "HOME="+home, "XDG_RUNTIME_DIR="+runtimeDir, "XDG_DATA_HOME="+filepath.Join(home, "data"), "CRM_TEST_BE_THE_APP=1")
}

// emptied is the environment that an MCP client gives to a server: hardly any.
func emptied(home string) []string {
	return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "CRM_TEST_BE_THE_APP=1"}
}

// program is this test binary as the CRM.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env, cmd.Dir = env, "/"
	if runtime.GOOS == "windows" {
		cmd.Dir = ""
	}
	return cmd
}

// runningApp is the CRM without a window, in a desktop session.
type runningApp struct {
	t     *testing.T
	cmd   *exec.Cmd
	ended chan struct{}   // closed when its standard error has ended
	log   strings.Builder // what it logged; read after ended
}

func startApp(t *testing.T, home string) *runningApp {
	t.Helper()
	return start(t, program(t, session(t, home), "--headless"))
}

// start starts a command that runs the app, and returns once it serves.
func start(t *testing.T, cmd *exec.Cmd) *runningApp {
	t.Helper()
	a := &runningApp{t: t, cmd: cmd, ended: make(chan struct{})}
	stderr, err := a.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.cmd.Process.Kill()
		a.cmd.Wait()
	})
	ready := make(chan struct{})
	go func() {
		defer close(a.ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			a.log.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "serving without a window") {
				close(ready)
			}
		}
	}()
	select {
	case <-ready:
	case <-a.ended:
		t.Fatalf("the app ended: %s", a.log.String())
	case <-time.After(30 * time.Second):
		t.Fatal("the app did not start within 30 s")
	}
	return a
}

// quit ends the app as its user does and returns its log.
func (a *runningApp) quit() string {
	a.t.Helper()
	if err := a.cmd.Process.Signal(os.Interrupt); err != nil {
		a.t.Fatal(err)
	}
	<-a.ended
	if err := a.cmd.Wait(); err != nil {
		a.t.Errorf("the app was interrupted and ended with %v:\n%s", err, a.log.String())
	}
	return a.log.String()
}

// judged is a transport whose messages are held against the protocol's schemas.
type judged struct {
	mcpclient.Transport
	t *testing.T
}

func (j judged) Open(ctx context.Context, legacy bool) (mcpclient.Conn, error) {
	conn, err := j.Transport.Open(ctx, legacy)
	if err != nil {
		return nil, err
	}
	return mcpschema.New().TapConn(conn, func(_ bool, err error) { j.t.Error(err) }), nil
}

func connect(t *testing.T, cmd func() *exec.Cmd) *mcpclient.Client {
	t.Helper()
	c, err := mcpclient.Connect(t.Context(), judged{mcpclient.Command(cmd, mcpclient.CommandOptions{}), t}, mcpclient.Options{
		Info: mcp.Implementation{Name: "Test agent", Version: "1"},
		Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func callTool(t *testing.T, c *mcpclient.Client, tool string, args map[string]any) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), tool, args, mcpclient.CallOptions{})
	if err != nil || r.IsError {
		t.Fatalf("%s: %+v, %v", tool, r, err)
	}
	return r.Content[0].Text
}

func TestShimWithAnEmptiedEnvironmentReachesTheRunningApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)

	// The shim's own data folder would be another one: what it answers comes from the running app.
	agent := connect(t, func() *exec.Cmd { return program(t, emptied(home), "--mcp") })
	if text := callTool(t, agent, "customers_store", map[string]any{"input": map[string]any{"name": "Ada", "email": "ada@example.org"}}); !strings.Contains(text, `"id":325`) {
		t.Errorf("the first new customer is %s", text)
	}
	if _, err := os.Stat(filepath.Join(home, ".local")); !os.IsNotExist(err) {
		t.Errorf("the shim made a data folder of its own (%v): the running app did not serve it", err)
	}
	other := connect(t, func() *exec.Cmd { return program(t, session(t, home), "--mcp") })
	if text := callTool(t, other, "customers_index", nil); !strings.Contains(text, "ada@example.org") {
		t.Error("a second agent does not see what the first one added")
	}
	log := app.quit()
	for _, private := range []string{"ada@example.org", `"name"`} {
		if strings.Contains(log, private) {
			t.Errorf("the log has arguments in it (%s):\n%s", private, log)
		}
	}
	if !strings.Contains(log, "elyra.mcp.tool=customers_store") {
		t.Errorf("the log does not name the call:\n%s", log)
	}
}

// TestAppGoesAwayUnderAConnectedAgent closes, reopens and kills the app while an agent is connected. The agent keeps its
// connection throughout.
func TestAppGoesAwayUnderAConnectedAgent(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	add := func(c *mcpclient.Client, email string) (string, bool) {
		t.Helper()
		r, err := c.CallTool(t.Context(), "customers_store", map[string]any{"input": map[string]any{"name": "Ada", "email": email}}, mcpclient.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].Text, r.IsError
	}
	first := startApp(t, home)
	agent := connect(t, func() *exec.Cmd { return program(t, session(t, home), "--mcp") })
	if text, failed := add(agent, "one@example.org"); failed {
		t.Fatal(text)
	}

	first.quit()
	if text := callTool(t, agent, "customers_index", nil); !strings.Contains(text, "one@example.org") {
		t.Errorf("after the user closed the app, reading gives %s", text)
	}
	if text, failed := add(agent, "two@example.org"); !failed || !strings.Contains(text, "the user closed the app") {
		t.Errorf("after the user closed the app, a write gives %s", text)
	}

	second := startApp(t, home)
	if text, failed := add(agent, "three@example.org"); failed {
		t.Errorf("after the app was opened again: %s", text)
	}
	if err := second.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-second.ended
	if text, failed := add(agent, "four@example.org"); failed {
		t.Errorf("after the app crashed: %s; want to be served headless", text)
	}
	found := callTool(t, agent, "customers_index", map[string]any{"query": map[string]any{"search": "@example.org"}})
	for email, want := range map[string]bool{"one@": true, "two@": false, "three@": true, "four@": true} {
		if strings.Contains(found, email) != want {
			t.Errorf("%s is in the list: %v; want %v", email, !want, want)
		}
	}
}

func TestHeadlessWithoutARunningApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var total [2]string
	for i := range total {
		agent := connect(t, func() *exec.Cmd { return program(t, emptied(home), "--mcp") })
		if i == 0 {
			callTool(t, agent, "customers_store", map[string]any{"input": map[string]any{"name": "Ada", "email": "ada@example.org"}})
		}
		total[i] = callTool(t, agent, "customers_index", map[string]any{"query": map[string]any{"perPage": 1}})
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
	}
	if total[0] != total[1] || !strings.Contains(total[1], `"total":325`) {
		t.Errorf("two runs on one file see %v", total)
	}
}

func TestStdoutBelongsToTheProtocol(t *testing.T) {
	t.Parallel()
	cmd := program(t, emptied(t.TempDir()), "--mcp")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
	var errText strings.Builder
	cmd.Stderr = &errText
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("at the end of its input it ended with %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `{"jsonrpc":"2.0"`) {
			t.Errorf("on standard output: %q", line)
		}
	}
	if !strings.Contains(string(out), `"id":1`) || !strings.Contains(errText.String(), "crm.db") {
		t.Errorf("out: %s\nerr: %s", out, errText.String())
	}
}
