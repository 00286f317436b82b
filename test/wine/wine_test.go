//go:build wine

// Package wine runs the CRM that is built for Windows, under Wine: headless, and as the running app behind its loopback
// endpoint. scripts/wine.sh builds it, prepares Wine and says where both are.
package wine

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// crm is the CRM under Wine.
func crm(args ...string) *exec.Cmd {
	return exec.Command("wine", append([]string{os.Getenv("ELYRA_TEST_CRM")}, args...)...)
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

// agent is a client of `crm --mcp` whose user answers questions with the action.
func agent(t *testing.T, action string) *mcpclient.Client {
	t.Helper()
	c, err := mcpclient.Connect(t.Context(), judged{mcpclient.Command(func() *exec.Cmd { return crm("--mcp") }, mcpclient.CommandOptions{}), t}, mcpclient.Options{
		Info: mcp.Implementation{Name: "Test agent", Version: "1"},
		Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: action}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func call(t *testing.T, c *mcpclient.Client, tool string, args map[string]any) (string, bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), tool, args, mcpclient.CallOptions{})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r.Content[0].Text, r.IsError
}

// add adds a customer and returns what the tool answered.
func add(t *testing.T, c *mcpclient.Client, email string) string {
	t.Helper()
	text, failed := call(t, c, "customers_store", map[string]any{"input": map[string]any{"name": "Ada", "email": email}})
	if failed {
		t.Fatal(text)
	}
	return text
}

// open starts the app without a window. Its log is a file, because Wine's server keeps a pipe of a process that was killed.
func open(t *testing.T) (app *exec.Cmd, log func() string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	log = func() string {
		text, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	app = crm("--headless")
	app.Stderr = file
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(app) })
	for end := time.Now().Add(time.Minute); !strings.Contains(log(), "serving without a window"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the app did not start within a minute: %s", log())
		}
	}
	return app, log
}

func kill(app *exec.Cmd) {
	app.Process.Kill() //nolint:errcheck // It may be gone.
	app.Wait()         //nolint:errcheck // It was killed.
}

func TestHeadless(t *testing.T) {
	for _, email := range []string{"one@example.org", "two@example.org"} {
		c := agent(t, "accept")
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 10 {
			t.Errorf("%d tools, %v", len(tools), err)
		}
		add(t, c, email)
		if text, failed := call(t, c, "customers_store", map[string]any{"input": map[string]any{"name": "Ada", "email": email}}); !failed {
			t.Errorf("the same address twice: %s", text)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	text, _ := call(t, agent(t, "accept"), "customers_index", map[string]any{"query": map[string]any{"search": "@example.org"}})
	if !strings.Contains(text, "one@example.org") || !strings.Contains(text, "two@example.org") {
		t.Errorf("what two processes wrote is not in the file: %s", text)
	}
}

// Two agents work in the open app; it asks before it deletes, tells who listens what has changed, and when it is killed, who
// is connected goes on without it.
func TestTheRunningApp(t *testing.T) {
	app, log := open(t)
	one, other := agent(t, "decline"), agent(t, "accept")
	heard := make(chan string, 16)
	if _, err := other.Listen(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: []string{"app://customers_index"}},
		func(method string, _ jsontext.Value) { heard <- method }); err != nil {
		t.Fatal(err)
	}
	text := add(t, one, "three@example.org")
	_, rest, _ := strings.Cut(text, `"id":`)
	id, _, _ := strings.Cut(rest, ",")
	select {
	case method := <-heard:
		if method != "notifications/resources/updated" {
			t.Errorf("heard %s", method)
		}
	case <-time.After(10 * time.Second):
		t.Error("the other agent did not hear of the new customer")
	}
	deletion := map[string]any{"id": jsontext.Value(id)}
	if text, failed := call(t, one, "customers_destroy", deletion); !failed || !strings.Contains(text, "declined") {
		t.Errorf("a declined deletion: %s", text)
	}
	if text, failed := call(t, other, "customers_destroy", deletion); failed {
		t.Errorf("an accepted deletion: %s", text)
	}

	kill(app)
	for _, outcome := range []string{"customers_store X=ok", "customers_destroy X=refused", "customers_destroy X=ok"} {
		outcome = strings.Replace(outcome, "X", `elyra.mcp.client="Test agent" elyra.mcp.outcome`, 1)
		if !strings.Contains(log(), outcome) {
			t.Errorf("no call was made in the app with %s:\n%s", outcome, log())
		}
	}
	// Wine closes a killed process's connections a moment later. What is sent meanwhile has an uncertain end, and says so.
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		_, err := one.CallTool(t.Context(), "customers_show", map[string]any{"id": 1}, mcpclient.CallOptions{})
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "the app stopped") || time.Now().After(end) {
			t.Fatal(err)
		}
	}
	add(t, one, "four@example.org")
	text, _ = call(t, other, "customers_index", map[string]any{"query": map[string]any{"search": "@example.org"}})
	if strings.Contains(text, "three@") || !strings.Contains(text, "four@") {
		t.Errorf("after the app was killed: %s", text)
	}
	_, log = open(t)
	add(t, agent(t, "accept"), "five@example.org") // one stays without a window: the app has not been closed by its user
	if !strings.Contains(log(), "elyra.mcp.tool=customers_store") {
		t.Errorf("the app that was opened again was not called:\n%s", log())
	}
}
