//go:build linux && cgo && gtk3 && !android

// These tests need a screen and WebKitGTK's development packages: see scripts/wails.sh.
package wails

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/backendtest"
	"github.com/elyra-go/elyra/window/headless"
)

// Wails can run once in a process, so each test of the suite has a process of its own: this variable tells it what it is.
const role = "ELYRA_WAILS_TEST"

const (
	listing = "list"    // names the tests, by running them without a screen
	streams = "streams" // as on macOS and Linux
	polls   = "polls"   // as on Windows: streams are fetched piece by piece
)

// patience is how long something on the screen may take. It bounds a failing test only.
const patience = 30 * time.Second

// onMain carries functions to the main goroutine, which Wails keeps on the process's first thread.
var onMain = make(chan func())

func TestMain(m *testing.M) {
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case run := <-onMain:
			run()
		case c := <-code:
			os.Exit(c)
		}
	}
}

func mainThread(run func()) {
	done := make(chan struct{})
	onMain <- func() { defer close(done); run() }
	<-done
}

// newBackend gives what Backend gives, or the same as it is on Windows.
func newBackend(o Options) *backend {
	b := New(o).(*backend)
	b.streams = os.Getenv(role) != polls
	return b
}

// again runs tests of this program in a process of their own. WebKit's processes may live longer than that one and keep
// its output open, so the output goes to a file, which nobody waits for.
func again(t *testing.T, as, tests string) (output string, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "output")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+tests)
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stdout, cmd.Stderr = file, file
	failed := cmd.Run()
	out, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), failed
}

func TestBackend(t *testing.T) {
	switch os.Getenv(role) {
	case listing:
		u := listingUser{questions: make(chan string), answers: make(chan bool)}
		backendtest.Run(t, backendtest.Setup{
			New: func() window.Backend {
				h := headless.New(headless.Options{Page: backendtest.Page, Ask: u.ask})
				// Nothing more than what the backend of this package can do, so that the tests are the same.
				return struct {
					window.Backend
					window.Asker
					window.Opener
				}{h, h, h}
			},
			Main: func(run func()) { run() },
			User: u,
		})
		return
	case streams, polls:
		u := &screenUser{}
		backendtest.Run(t, backendtest.Setup{New: u.backend, Main: mainThread, User: u})
		return
	}
	list, err := again(t, listing, "^TestBackend$")
	found := regexp.MustCompile(`(?m)^=== RUN +TestBackend/(.+)$`).FindAllStringSubmatch(list, -1)
	if err != nil || len(found) == 0 {
		t.Fatalf("list the tests: %v\n%s", err, list)
	}
	for _, match := range found {
		name := match[1]
		t.Run(name, func(t *testing.T) { inProcess(t, streams, name) })
		if strings.Contains(name, "stream") {
			t.Run(name+"_as_on_Windows", func(t *testing.T) { inProcess(t, polls, name) })
		}
	}
}

func inProcess(t *testing.T, as, name string) {
	t.Helper()
	out, err := again(t, as, "^TestBackend$/^"+regexp.QuoteMeta(name)+"$")
	if err != nil || !strings.Contains(out, "--- PASS: TestBackend/"+name) {
		t.Errorf("%v\n%s", cmp.Or(err, fmt.Errorf("it did not run")), out)
	}
}
