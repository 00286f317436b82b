//go:build unix

package serve_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestALinkIsNoWayIn has a link of another name in the PATH be the server of this program, which its command does not show,
// through a shell and with the variable taken away too: none is used.
func TestALinkIsNoWayIn(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]string{
		"link":     `"command": "assistant", "args": ["--mode", "mcp"]`,
		"shell":    `"command": "sh", "args": ["-c", "assistant --mode mcp"]`,
		"stripped": `"command": "sh", "args": ["-c", "env -u ELYRA_INSIDE assistant --mode mcp"]`,
		"hidden":   `"command": "sh", "args": ["-c", "m=mcp; assistant --mode $m"]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "")
			bin := filepath.Join(r.project, "bin")
			r.write("bin/README", "A link is here.\n")
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(self, filepath.Join(bin, "assistant")); err != nil {
				t.Fatal(err)
			}
			r.write("../home/.elyra/agent/mcp.json", `{"mcpServers": {"me": {`+server+`, "env": {"`+asProgram+`": "1", "PATH": "`+bin+`:${PATH}"}}}}`)
			cmd := exec.Command(self, "mcp", "call", "me", "elyra_decisions")
			cmd.Dir, cmd.Env = r.project, append(slices.Clone(r.environ), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "elyra does not load itself") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
