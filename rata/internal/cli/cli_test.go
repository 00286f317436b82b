package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elyra-go/elyra/internal/terminal"
)

// TestMain lets the scripts run rata as a program: this test binary, under another name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rata": func() {
			os.Exit(Run(context.Background(), os.Args[1:], Env{
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
				Environ: os.Environ(), OpenTerminal: terminal.Open,
			}))
		},
		"claude": recordArguments,
		"npm":    runScript,
	})
}

// recordArguments is a program in the place of an MCP client's: it prints its arguments, one a line.
func recordArguments() {
	for _, arg := range os.Args[1:] {
		fmt.Println(arg)
	}
}

// runScript is a program in the place of npm: it adds its arguments to npm.log, and fails where the
// build script is "fail".
func runScript() {
	script, err := os.ReadFile("package.json")
	if err == nil && strings.Contains(string(script), `"fail"`) {
		err = errors.New("the build script says no")
	}
	log, openErr := os.OpenFile("npm.log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err := errors.Join(err, openErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(log, strings.Join(os.Args[1:], " "))
}

// TestScripts runs testdata/script. $APP is the folder of an app, $BIN the same app built, and
// $OUTSIDE a folder in no module. The command printed-json prints the JSON in the last output, and
// cursor-config what is in its link to Cursor, both read and written again on one line; connect starts
// the server of such a file as a client does, and stores the names of its tools; replace puts one text in place of
// another in a file.
func TestScripts(t *testing.T) {
	t.Parallel()
	app, err := filepath.Abs("../notes")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "notes"+executableSuffix)
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, app).CombinedOutput(); err != nil {
		t.Fatalf("build the app notes: %v\n%s", err, out)
	}
	env := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"printed-json":  func(ts *testscript.TestScript, _ bool, args []string) { writeJSON(ts, args[0], printedJSON(ts)) },
			"cursor-config": func(ts *testscript.TestScript, _ bool, args []string) { writeJSON(ts, args[0], cursorConfig(ts)) },
			"replace":       func(ts *testscript.TestScript, _ bool, args []string) { replace(ts, args[0], args[1], args[2]) },
			"connect":       func(ts *testscript.TestScript, _ bool, args []string) { connect(ts, ts.ReadFile(args[0]), args[1]) },
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("APP", app)
			e.Setenv("BIN", bin)
			e.Setenv("EXE", executableSuffix)
			e.Setenv("ARCH", runtime.GOARCH)
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

// printedJSON is the text from the first line that is an opening brace.
func printedJSON(ts *testscript.TestScript) []byte {
	_, text, ok := strings.Cut(ts.ReadFile("stdout"), "\n{\n")
	if !ok {
		ts.Fatalf("no JSON was printed")
	}
	return []byte("{" + text)
}

func cursorConfig(ts *testscript.TestScript) []byte {
	_, link, _ := strings.Cut(ts.ReadFile("stdout"), "cursor://")
	link, _, _ = strings.Cut(link, "\n")
	u, err := url.Parse("cursor://" + link)
	ts.Check(err)
	config, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
	ts.Check(err)
	return config
}

// writeJSON writes JSON to a file of the script, without spaces.
func writeJSON(ts *testscript.TestScript, name string, text []byte) {
	value := jsontext.Value(text)
	ts.Check(value.Canonicalize())
	ts.Check(os.WriteFile(ts.MkAbs(name), append(value, '\n'), 0o600))
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
	// The modules were checked when they came into the cache. A new app's go.sum is made of them without asking the network.
	env["GOSUMDB"] = "off"
	// The version of an app in this repository would be that of the commit.
	env["GOFLAGS"] = strings.TrimSpace(env["GOFLAGS"] + " -buildvcs=false")
	if os.Getenv("GOWORK") == "off" {
		env["GOWORK"] = "off"
	}
	return env
}

// replace puts a text in place of another one, which is in the file once.
func replace(ts *testscript.TestScript, file, old, text string) {
	before := ts.ReadFile(file)
	if strings.Count(before, old) != 1 {
		ts.Fatalf("%s has %q %d times", file, old, strings.Count(before, old))
	}
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(strings.Replace(before, old, text, 1)), 0o666))
}
