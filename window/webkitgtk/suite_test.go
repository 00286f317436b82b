//go:build webkit && linux

// These tests need a screen and WebKitGTK: xvfb-run -a -s "-noreset -screen 0 1280x900x24" go test -tags webkit ./window/webkitgtk
package webkitgtk

import (
	"os"
	"runtime"
	"testing"

	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/backendtest"
)

// onMain carries functions to the main goroutine, which stays on one OS thread, as GTK wants it.
var onMain = make(chan func())

func TestMain(m *testing.M) {
	runtime.LockOSThread()
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

func onGTK4() bool { return os.Getenv("WEBKITGTK_TEST_STACK") == "6.0" }

// newBackend makes a backend over the preferred library, or over WebKitGTK 6.0 if WEBKITGTK_TEST_STACK says so.
func newBackend(o Options) window.Backend {
	choices := stacks()
	if onGTK4() {
		choices = choices[1:]
	}
	return &backend{options: o.withDefaults(), stacks: choices}
}

func TestBackend(t *testing.T) {
	backendtest.Run(t, backendtest.Setup{
		New:  func() window.Backend { return newBackend(Options{}) },
		Main: mainThread,
		User: screenUser{},
	})
}
