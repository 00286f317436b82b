//go:build bubblewrap && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// TestMain lets the test binary be the app.
func TestMain(m *testing.M) {
	if os.Getenv("SOAK_TEST_BE_THE_APP") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// A disk becomes full under an agent's writes: they fail, all that was answered stays and can be read, the log says what to
// do, and when there is space again the same process goes on. It needs bubblewrap, which makes a small file system for a
// program without being root.
func TestAFullDisk(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home, free := t.TempDir(), filepath.Join(t.TempDir(), "free")
	if err := syscall.Mkfifo(free, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	// Whoever writes into the pipe has the filler removed.
	const script = `head -c 1500000 /dev/zero >"$HOME/filler"; (read line <"$1"; rm "$HOME/filler") & exec "$2" --mcp`
	agent, err := mcpclient.Connect(t.Context(), mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command("bwrap", "--dev-bind", "/", "/", "--size", "4000000", "--tmpfs", home, "sh", "-c", script, "sh", free, self)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "SOAK_TEST_BE_THE_APP=1"}
		return cmd
	}, mcpclient.CommandOptions{Stderr: log}), mcpclient.Options{Info: mcp.Implementation{Name: "Test agent", Version: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	call := func(tool string, args map[string]any) (string, bool) {
		t.Helper()
		r, err := agent.CallTool(t.Context(), tool, args, mcpclient.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].Text, r.IsError
	}
	add := func(n int) (string, bool) {
		return call("customers_store", map[string]any{"input": map[string]any{
			"name": "Ada", "email": fmt.Sprintf("a%d@full.example", n), "notes": strings.Repeat("x", 1900),
		}})
	}
	added, text := 0, ""
	for failed := false; !failed; added++ {
		if added > 5000 {
			t.Fatal("the disk does not become full")
		}
		text, failed = add(added)
	}
	added-- // the last one failed
	if added == 0 || !strings.Contains(text, "explained in its log") {
		t.Errorf("after %d customers: %s", added, text)
	}
	count := func() {
		t.Helper()
		text, failed := call("customers_index", map[string]any{"query": map[string]any{"search": "@full.example", "perPage": 1}})
		if failed || !strings.Contains(text, fmt.Sprintf(`"total":%d`, added)) {
			t.Errorf("of %d customers: %s", added, text)
		}
	}
	count()
	if text, failed := add(added); !failed {
		t.Errorf("the disk is full, and a customer was added: %s", text)
	}
	if lines, err := os.ReadFile(log.Name()); err != nil || !strings.Contains(string(lines), "the disk is full: free some space") {
		t.Errorf("the log does not say what to do: %v\n%s", err, lines)
	}

	if err := os.WriteFile(free, []byte("go\n"), 0); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		text, failed := add(added)
		if !failed {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("there is space again: %s", text)
		}
	}
	added++
	count()
}
