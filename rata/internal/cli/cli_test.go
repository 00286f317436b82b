package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run rata as a program: this test binary, under another name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rata": func() {
			os.Exit(Run(context.Background(), os.Args[1:], Env{
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, OpenTerminal: OpenTerminal,
			}))
		},
	})
}

// TestScripts runs testdata/script. $APP is the folder of an app, $BIN the same app built, and
// $OUTSIDE a folder in no module.
func TestScripts(t *testing.T) {
	t.Parallel()
	app, err := filepath.Abs("../notes")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "notes"+executableSuffix)
	if out, err := exec.Command("go", "build", "-o", bin, app).CombinedOutput(); err != nil {
		t.Fatalf("build the app notes: %v\n%s", err, out)
	}
	env := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("APP", app)
			e.Setenv("BIN", bin)
			e.Setenv("OUTSIDE", t.TempDir())
			// The app keeps its files below HOME, so each script has a home of its own.
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			for key, value := range env {
				e.Setenv(key, value)
			}
			return os.Mkdir(home, 0o700)
		},
	})
}

// goEnvironment is what the go command needs where HOME is another folder. The workspace is found
// from the folder that is built, unless it is switched off.
func goEnvironment(t *testing.T) map[string]string {
	t.Helper()
	env := map[string]string{}
	for _, key := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY"} {
		out, err := exec.Command("go", "env", key).Output()
		if err != nil {
			t.Fatal(err)
		}
		env[key] = strings.TrimSpace(string(out))
	}
	if os.Getenv("GOWORK") == "off" {
		env["GOWORK"] = "off"
	}
	return env
}
