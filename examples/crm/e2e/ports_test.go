//go:build webkit && linux

package e2e

import (
	"os"
	"os/exec"
	"testing"

	"github.com/elyra-go/elyra/internal/endpoint/ports"
	"github.com/elyra-go/elyra/internal/webdriver"
)

// TestNoPortIsOpened looks at the app with its window and an agent, and at the processes of the web view. The app runs
// as its user starts it: a driver would have WebKit listen for it.
func TestNoPortIsOpened(t *testing.T) {
	app := buildCRM(t)
	window := exec.Command(app.binary)
	window.Env, window.Stderr = append(os.Environ(), "HOME="+app.home), t.Output()
	if err := window.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		window.Process.Signal(os.Interrupt)
		window.Wait()
	})
	webdriver.Until(t, "the window", func() bool { return len(windowsNamed("Elyra CRM")) == 1 })
	agent := app.agent(t, nil)
	if text, failed := call(t, agent, "customers_index", nil); failed {
		t.Fatal(text)
	}
	open, err := ports.Listening(window.Process.Pid)
	if err != nil || len(open) > 0 {
		t.Errorf("the app listens on %q, %v; want no port", open, err)
	}
}
