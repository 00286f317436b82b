package cli

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/internal/terminal"
)

// TestMain lets the scripts run elyra and a server as programs: this test binary, under other names.
func TestMain(m *testing.M) {
	hosttest.Main()
	testscript.Main(m, map[string]func(){
		"elyra":      func() { os.Exit(Run(context.Background(), os.Args[1:], processEnv())) },
		"mcp-server": func() {}, // What hosttest.Main did not take.
	})
}

// processEnv is the surroundings of a process of a script, whose home is the script's.
func processEnv() Env {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Dir: dir, UserHome: os.Getenv("HOME"), Executable: executable, OpenTerminal: terminal.Open,
	}
}

// TestScripts runs testdata/script. Each has a home and a project of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Cd = filepath.Join(e.WorkDir, "project")
			for _, folder := range []string{home, filepath.Join(e.Cd, ".git")} {
				if err := os.MkdirAll(folder, 0o700); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
