package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
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
	env := Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Dir: dir, UserHome: os.Getenv("HOME"), Executable: executable, OpenTerminal: terminal.Open,
	}
	if os.Getenv(browserVariable) != "" {
		env.Browse = browse
	}
	return env
}

// modelKey is where a script's model is kept.
const modelKey = "model"

// TestScripts runs testdata/script. Each has a home and a project of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, params("testdata/script", func(*testscript.Env) {}))
}

// params are those of the scripts in a folder, before each of which prepare is called.
func params(dir string, prepare func(*testscript.Env)) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Value(modelKey).(*models).start(ts, args[0])
			},
			"asked":    func(ts *testscript.TestScript, _ bool, _ []string) { ts.Value(modelKey).(*models).asked(ts) },
			"terminal": openTerminal,
			"sees":     sees,
			"types":    types,
			"presses":  presses,
			"chooses":  chooses,
			"leaves":   leaves,
			"remote":   startRemote,
			"pastes":   pastes,
		},
		Setup: func(e *testscript.Env) error {
			e.Values[modelKey] = &models{}
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Cd = filepath.Join(e.WorkDir, "project")
			for _, folder := range []string{home, filepath.Join(e.Cd, ".git")} {
				if err := os.MkdirAll(folder, 0o700); err != nil {
					return err
				}
			}
			e.Values[terminalKey] = &terminalOf{}
			prepare(e)
			return nil
		},
	}
}

// models is the model of a script, which it starts and asks about.
type models struct{ server *modeltest.Server }

// start starts a model that follows the script in a file, as Anthropic and as OpenAI. A script inside a script has == in the
// place of -- around the names of its files.
func (m *models) start(ts *testscript.TestScript, name string) {
	server, err := modeltest.Start(modeltest.Unquote(ts.ReadFile(name)))
	ts.Check(err)
	m.server = server
	ts.Setenv("ANTHROPIC_BASE_URL", strings.TrimSuffix(server.URL, "/v1"))
	ts.Setenv("ANTHROPIC_API_KEY", "secret-key-of-the-test")
	ts.Setenv("OPENAI_BASE_URL", server.URL)
	ts.Setenv("OPENAI_API_KEY", "secret-key-of-the-test")
}

// asked ends the model and says what was not as its script wants it.
func (m *models) asked(ts *testscript.TestScript) {
	for _, problem := range m.server.Close() {
		ts.Fatalf("model: %s", problem)
	}
}
