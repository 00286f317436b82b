//go:build unix

package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/config"
)

// A script of a version manager is configured by its absolute path, and its interpreter is only in the PATH of a shell, as
// when a graphical program starts the agent.
func TestAScriptWithoutItsInterpreterPrintsThePATH(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	bin := filepath.Join(t.TempDir(), "versions", "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(bin, "npx")
	if err := os.WriteFile(script, []byte("#!/usr/bin/env elyra-test-node\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	node := "#!/bin/sh\nexec '" + os.Args[0] + "' hosttest-server good\n"
	if err := os.WriteFile(filepath.Join(bin, "elyra-test-node"), []byte(node), 0o700); err != nil {
		t.Fatal(err)
	}
	server := func(name string, env map[string]string) config.Server {
		s := f.program(name, "good")
		s.Command, s.Args, s.Env = script, nil, env
		return s
	}
	gui := "/usr/bin:/bin"
	f.open(func(o *Options) { o.Environ = []string{"PATH=" + gui} }, server("gui", nil), server("mended", map[string]string{"PATH": bin + ":" + gui}))
	_, err := f.call("gui", "pid", `{}`)
	for _, want := range []string{"elyra-test-node", "was not found in PATH=" + gui + ";", "in its configuration"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if _, err := f.call("mended", "pid", `{}`); err != nil {
		t.Errorf("with the PATH of a shell: %v", err)
	}
}
