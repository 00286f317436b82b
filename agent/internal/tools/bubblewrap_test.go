//go:build bubblewrap && linux

// These tests need bubblewrap, which scripts/install-deps.sh installs: go test -tags bubblewrap.
package tools

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func newBox(t *testing.T) *bench {
	t.Helper()
	return newBench(t, func(e *Env) {
		box, err := FindSandbox(context.Background(), os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		box.Cache = filepath.Join(filepath.Dir(e.Dir), "cache")
		e.Sandbox = box
	})
}

func TestBubblewrap(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	outside := filepath.Join(b.env.UserHome, "file")
	if err := os.WriteFile(outside, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.file(".git/config", "config\n")
	b.file(".git/hooks/pre-commit", "hook\n")
	b.file(".git/HEAD", "head\n")
	b.file(".elyra/settings.json", "{}\n")
	if err := os.MkdirAll(b.env.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.env.Home, "auth.json"), []byte("key"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for name, c := range map[string]struct{ command, want string }{
		"writes in the project":   {"echo x > made && cat made", "x"},
		"reads outside":           {"ls /etc/passwd", "/etc/passwd"},
		"does not write outside":  {"(echo x > /etc/elyra-was-here) 2>/dev/null || echo refused", "refused"},
		"has a private /tmp":      {"ls -A /tmp | grep -v project | wc -w | xargs test 3 -gt && echo x > /tmp/y && cat /tmp/y", "x"},
		"which does not last":     {"test -e /tmp/y || echo gone", "gone"},
		"has a cache":             {"echo x > $XDG_CACHE_HOME/y && cat $XDG_CACHE_HOME/y", "x"},
		"keeps Git's settings":    {"echo x | tee .git/config >/dev/null 2>&1 || echo refused", "refused"},
		"keeps hooks":             {"echo x | tee .git/hooks/post-commit >/dev/null 2>&1 || echo refused", "refused"},
		"cannot move them":        {"mv .git .other 2>/dev/null || echo refused", "refused"},
		"writes the rest of .git": {"echo x | tee .git/HEAD", "x"},
		"keeps our settings":      {"echo x | tee .elyra/settings.json >/dev/null 2>&1 || echo refused", "refused"},
		"hides keys":              {"f=auth; cat ../user/.elyra/agent/$f.json 2>/dev/null | wc -c", "0"},
		"has no network":          {fmt.Sprintf("(: > /dev/tcp/127.0.0.1/%d) 2>/dev/null || echo refused", listener.Addr().(*net.TCPAddr).Port), "refused"},
		"sees no other processes": {"ls -d /proc/[0-9]* | wc -l | xargs test 12 -gt && echo few", "few"},
		"cannot mount":            {"mount -t tmpfs x . 2>/dev/null || echo refused", "refused"},
		"ends with its exit code": {"exit 7", "[exit code 7]"},
	} {
		b.equal(name+": "+b.run("bash", "command", c.command).Text, name+": "+c.want)
	}
	out := b.run("bash", "command", "touch /etc/elyra-was-here")
	if !strings.Contains(out.Text, "run it again with unsandboxed: true") {
		t.Errorf("%q", out.Text)
	}
	b.equal(b.ok("bash", "command", "cat "+outside, "unsandboxed", true).Text, "mine")
}

func TestBubblewrap_ends(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	start := time.Now()
	mark := fmt.Sprintf("sleep 61.%d", os.Getpid())
	out := b.run("bash", "command", "setsid "+mark+" & "+mark, "timeout", 1)
	if !out.Details.TimedOut || time.Since(start) > 20*time.Second {
		t.Errorf("%q after %v", out.Text, time.Since(start))
	}
	b.ok("bash", "command", "setsid "+mark+" >/dev/null 2>&1 & true")
	for range 200 {
		if !running(t, mark) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("what left the group is alive")
}

// running reports whether a process with this command line runs.
func running(t *testing.T, command string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil && strings.TrimRight(strings.ReplaceAll(string(data), "\x00", " "), " ") == command {
			return true
		}
	}
	return false
}
