//go:build webkit && linux

// These tests need a screen, WebKitGTK and its driver:
//
//	xvfb-run -a -s "-noreset -screen 0 1280x900x24" go test -v -tags webkit ./examples/crm/e2e
package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/webdriver"
)

// crm is the example app, open in a window, with a home folder of the test's own.
type crm struct {
	*webdriver.Browser
	binary, home string
}

// buildCRM makes the app, not open yet.
func buildCRM(t *testing.T) *crm {
	t.Helper()
	c := &crm{binary: filepath.Join(t.TempDir(), "crm"), home: t.TempDir()}
	build := exec.Command("go", "build", "-o", c.binary, "github.com/elyra-go/elyra/examples/crm")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the CRM: %v\n%s", err, out)
	}
	return c
}

// openCRM opens its window, with variables beside those of a desktop session.
func openCRM(t *testing.T, variables ...string) *crm {
	t.Helper()
	c := buildCRM(t)
	// A session as a desktop has it: a runtime folder, and folders moved by XDG variables.
	runtimeDir := t.TempDir()
	if err := os.Chmod(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "DATABASE_URL=")
	})
	env = append(env, "HOME="+c.home, "XDG_RUNTIME_DIR="+runtimeDir, "XDG_CONFIG_HOME="+filepath.Join(c.home, "moved-config"))
	c.Browser = webdriver.Open(t, c.binary, append(env, variables...))
	webdriver.Until(t, "the list to show", func() bool { return strings.Contains(c.rows(), "@example.com") })
	return c
}

// agent starts the real shim as an MCP client does that drops the environment.
func (c *crm) agent(t *testing.T, ask func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error)) *mcpclient.Client {
	t.Helper()
	shim := mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command(c.binary, "--mcp")
		cmd.Env = []string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH")}
		return cmd
	}, mcpclient.CommandOptions{})
	client, err := mcpclient.Connect(t.Context(), shim, mcpclient.Options{Info: mcp.Implementation{Name: "Test agent", Version: "1"}, Elicit: ask})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// call calls a tool and returns its text.
func call(t *testing.T, c *mcpclient.Client, tool string, args any) (text string, isError bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), tool, args, mcpclient.CallOptions{})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r.Content[0].Text, r.IsError
}

func customer(name, email string) map[string]any {
	return map[string]any{"input": map[string]any{"name": name, "email": email}}
}

func TestAnAgentWorksInTheOpenWindow(t *testing.T) {
	app := openCRM(t)
	asked := ""
	agent := app.agent(t, func(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
		asked = p.Message
		return mcp.ElicitResult{Action: "accept"}, nil
	})

	text, failed := call(t, agent, "customers_store", customer("Ada Lovelace", "ada at example"))
	if !failed || !strings.Contains(text, "input.email") {
		t.Errorf("a bad address: %s", text)
	}
	if text, failed = call(t, agent, "customers_store", customer("Ada Lovelace", "ada@example.org")); failed {
		t.Fatalf("add a customer: %s", text)
	}
	webdriver.Until(t, "the row to appear in the window", func() bool { return strings.Contains(app.rows(), "Ada Lovelace") })
	var strip string
	app.Eval(`return document.getElementById("activity").innerText`, &strip)
	if !strings.Contains(strip, "Test agent") {
		t.Errorf("the window does not say who is at work: %q", strip)
	}

	// The page calls the same commands through the same checks.
	var fields string
	app.Eval(`document.getElementById("add").click();
		document.querySelector("[name=name]").value = "Grace";
		document.querySelector("dialog form").requestSubmit();`, nil)
	webdriver.Until(t, "the form to explain itself", func() bool {
		app.Eval(`return document.querySelector("small[data-for=email]").innerText`, &fields)
		return fields != ""
	})

	id := text[strings.Index(text, `"id":`)+len(`"id":`):]
	id = id[:strings.IndexAny(id, ",}")]
	if text, failed := call(t, agent, "customers_destroy", map[string]any{"id": jsonNumber(id)}); failed {
		t.Errorf("a confirmed delete: %s", text)
	}
	if !strings.Contains(asked, "customers_destroy") || !strings.Contains(asked, "id: "+id) {
		t.Errorf("the question was %q", asked)
	}
	webdriver.Until(t, "the row to disappear", func() bool { return !strings.Contains(app.rows(), "Ada Lovelace") })
}

// secondWindow opens another window from the page of the first.
func (c *crm) secondWindow(t *testing.T) (handle string) {
	t.Helper()
	first := c.windows(t)[0]
	c.Eval(`document.getElementById("window").click()`, nil)
	webdriver.Until(t, "a second window", func() bool {
		for _, h := range c.windows(t) {
			if h != first {
				handle = h
			}
		}
		return handle != ""
	})
	c.in(t, handle, func() {
		webdriver.Until(t, "its list to show", func() bool { return strings.Contains(c.rows(), "@example.com") })
	})
	return handle
}

func TestTheRowAppearsInBothWindows(t *testing.T) {
	app := openCRM(t)
	second := app.secondWindow(t)
	agent := app.agent(t, nil)
	if text, failed := call(t, agent, "customers_store", customer("Grace Hopper", "grace@example.org")); failed {
		t.Fatal(text)
	}
	seen := func() bool { return strings.Contains(app.rows(), "Grace Hopper") }
	webdriver.Until(t, "the row in the first window", seen)
	app.in(t, second, func() {
		webdriver.Until(t, "the row in the second window", seen)
		var strip string
		app.Eval(`return document.getElementById("activity").innerText`, &strip)
		if !strings.Contains(strip, "Test agent") {
			t.Errorf("the second window does not say who is at work: %q", strip)
		}
	})
	// The switch in one window stops the agent, and both windows show it.
	app.in(t, second, func() { app.Eval(`document.getElementById("pause").click()`, nil) })
	var paused bool
	webdriver.Until(t, "the switch of the first window", func() bool {
		app.Eval(`return document.getElementById("pause").checked`, &paused)
		return paused
	})
	if text, failed := call(t, agent, "customers_index", nil); !failed || !strings.Contains(text, "paused") {
		t.Errorf("a call while agents are paused: %.200s", text)
	}
}

// jsonNumber is a number as its text.
type jsonNumber string

func (n jsonNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }
