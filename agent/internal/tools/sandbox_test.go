//go:build unix

package tools

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeBwrap is a program that notes its arguments and runs what is after --. Before is done first.
func fakeBwrap(t *testing.T, before string) (path string, noted func() []string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "bwrap")
	script := "#!/bin/sh\n" + before + "\nprintf '%s\\n' \"$@\" > " + dir + "/args\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, func() []string {
		data, err := os.ReadFile(filepath.Join(dir, "args"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(data), "\n")
	}
}

// has reports whether words stand in a row in list.
func has(list []string, words ...string) bool {
	for i := range list {
		if len(list)-i >= len(words) && slices.Equal(list[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

func TestSandbox_arguments(t *testing.T) {
	t.Parallel()
	program, noted := fakeBwrap(t, "")
	cache := filepath.Join(t.TempDir(), "cache")
	b := newBench(t, func(e *Env) { e.Sandbox = &Sandbox{Program: program, Cache: cache} })
	b.file(".git/config", "")
	b.file(".git/hooks/x", "")
	b.file(".elyra/settings.json", "")
	if err := os.MkdirAll(b.env.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(b.env.Home, "auth.json")
	if err := os.WriteFile(keys, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.equal(b.ok("bash", "command", "echo $XDG_CACHE_HOME").Text, cache)
	got := noted()
	git := filepath.Join(b.dir, ".git")
	for _, want := range [][]string{
		{"--unshare-all", "--die-with-parent"},
		{"--ro-bind", "/", "/"},
		{"--tmpfs", "/tmp"},
		{"--bind", b.dir, b.dir},
		{"--bind", cache, cache},
		{"--bind", git, git, "--ro-bind", filepath.Join(git, "config"), filepath.Join(git, "config")},
		{"--ro-bind", filepath.Join(git, "hooks"), filepath.Join(git, "hooks")},
		{"--ro-bind", filepath.Join(b.dir, ".elyra"), filepath.Join(b.dir, ".elyra")},
		{"--ro-bind", "/dev/null", keys},
		{"--chdir", b.dir, "--"},
	} {
		if !has(got, want...) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if has(got, "--share-net") {
		t.Error("there is a network")
	}
	if slices.Index(got, "--tmpfs") > slices.Index(got, b.dir) {
		t.Error("the empty /tmp comes after the project and would hide it")
	}
	// Outside, no bwrap runs.
	b.equal(b.ok("bash", "command", "echo out$XDG_CACHE_NOTHING", "unsandboxed", true).Text, "out")
	if slices.Contains(noted(), "echo out$XDG_CACHE_NOTHING") {
		t.Error("it was run in the sandbox")
	}
	out := b.run("bash", "command", "echo 'touch: Read-only file system'; exit 1")
	if !strings.HasSuffix(out.Text, "[exit code 1; the sandbox may have stopped it: if so, run it again with unsandboxed: true]") {
		t.Errorf("%q", out.Text)
	}
	command, boxed, err := b.tools["bash"].(Commander).Command(args("command", "ls", "unsandboxed", true))
	if command != "ls" || boxed || err != nil {
		t.Errorf("Command = %q %v %v", command, boxed, err)
	}
}

func TestFindSandbox(t *testing.T) {
	t.Parallel()
	if _, err := FindSandbox(context.Background(), []string{"PATH=" + t.TempDir()}); err == nil || !strings.Contains(err.Error(), "bubblewrap") {
		t.Errorf("without bwrap: %v", err)
	}
	works, noted := fakeBwrap(t, "")
	b, err := FindSandbox(context.Background(), []string{"PATH=.:" + filepath.Dir(works)})
	if err != nil || b.Program != works || !has(noted(), "--", "/bin/sh", "-c", "exit 0") {
		t.Errorf("%+v %v", b, err)
	}
	broken, _ := fakeBwrap(t, "echo no namespaces here >&2; exit 1")
	if _, err := FindSandbox(context.Background(), []string{"PATH=" + filepath.Dir(broken)}); err == nil || !strings.Contains(err.Error(), "no namespaces here") {
		t.Errorf("a broken one: %v", err)
	}
}
