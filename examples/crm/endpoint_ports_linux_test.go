package main

import (
	"os/exec"
	"testing"

	"github.com/elyra-go/elyra/internal/endpoint/ports"
)

// TestNoPortIsOpened has agents work in a running app and without one, and then asks the kernel. The same for the app
// with windows is in e2e.
func TestNoPortIsOpened(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)
	through := program(t, emptied(home), "--mcp")
	alone := program(t, emptied(t.TempDir()), "--mcp")
	for _, cmd := range []*exec.Cmd{through, alone} {
		callTool(t, connect(t, func() *exec.Cmd { return cmd }), "customers_index", nil)
	}
	for name, cmd := range map[string]*exec.Cmd{"the app": app.cmd, "the shim": through, "the app without a window": alone} {
		open, err := ports.Listening(cmd.Process.Pid)
		if err != nil || len(open) > 0 {
			t.Errorf("%s listens on %q, %v; want no port", name, open, err)
		}
	}
}
