//go:build webkit && linux

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/webdriver"
)

// TestUserConfirmsInTheAppsDialog has an agent that would agree to anything: the app asks its own user instead.
func TestUserConfirmsInTheAppsDialog(t *testing.T) {
	app := &crm{binary: filepath.Join(t.TempDir(), "vault"), home: t.TempDir()}
	build := exec.Command("go", "build", "-o", app.binary, "github.com/elyra-go/elyra/examples/crm/e2e/vault")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the vault: %v\n%s", err, out)
	}
	window := exec.Command(app.binary)
	window.Env = append(os.Environ(), "HOME="+app.home)
	if err := window.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		window.Process.Signal(os.Interrupt)
		window.Wait()
	})
	webdriver.Until(t, "the window", func() bool { return len(windowsNamed("Vault")) == 1 })
	first := windowsNamed("Vault")[0]
	agent := app.agent(t, func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
		t.Error("the client was asked")
		return mcp.ElicitResult{Action: "accept"}, nil
	})

	for _, answer := range []struct {
		keys   []string
		failed bool
		want   string
	}{
		{[]string{"Escape"}, true, "declined"},
		{[]string{"Return"}, true, "declined"}, // the default is to refuse
		{[]string{"Tab", "Return"}, false, "erased #12"},
	} {
		type outcome struct {
			text   string
			failed bool
		}
		done := make(chan outcome, 1)
		go func() {
			r, err := agent.CallTool(t.Context(), "records_erase", map[string]any{"id": 12}, mcpclient.CallOptions{})
			if err != nil {
				done <- outcome{err.Error(), true}
				return
			}
			done <- outcome{r.Content[0].Text, r.IsError}
		}()
		dialog := ""
		webdriver.Until(t, "the dialog", func() bool {
			for _, w := range windowsNamed("Vault") {
				if w != first {
					dialog = w
				}
			}
			return dialog != ""
		})
		time.Sleep(1500 * time.Millisecond) // a dialog takes no answer before its user can have read it
		output(t, "xdotool", "windowfocus", "--sync", dialog)
		time.Sleep(time.Second) // coming back to it, the user has to look again
		for _, key := range answer.keys {
			output(t, "xdotool", "key", key)
		}
		select {
		case got := <-done:
			if got.failed != answer.failed || !strings.Contains(got.text, answer.want) {
				t.Errorf("after %v: %+v; want %q", answer.keys, got, answer.want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("after %v the call is not answered", answer.keys)
		}
		webdriver.Until(t, "the dialog to close", func() bool { return len(windowsNamed("Vault")) == 1 })
	}
}

// windowsNamed are the ids of the visible windows of that title.
func windowsNamed(title string) []string {
	out, _ := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+title+"$").Output() // no window is a failure, too
	return strings.Fields(string(out))
}

func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}
