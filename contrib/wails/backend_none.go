//go:build !(windows || (darwin && cgo) || (linux && cgo && gtk3)) || ios || android

package wails

import (
	"context"
	"runtime"

	"github.com/elyra-go/elyra/window"
)

type backend struct{}

// New gives a backend whose Run returns *window.Unavailable: this program was built without Wails.
func New(o Options) window.Backend {
	o.withDefaults()
	return backend{}
}

func (backend) Name() string { return "wails" }

func (backend) Run(context.Context, window.Host, []window.Options) error {
	why := window.Unavailable{
		Reason:   "this program was built without Wails, which does not know " + runtime.GOOS,
		Fix:      "give the program another backend on this system",
		ExitCode: window.ExitNoLibrary,
	}
	switch runtime.GOOS {
	case "darwin":
		why.Reason = "this program was built without cgo, which Wails needs on macOS"
		why.Fix = "install Apple's command line tools (xcode-select --install) and build it with CGO_ENABLED=1"
	case "linux":
		why.Reason = "this program was built without cgo or without the tag gtk3, which Wails needs on Linux"
		why.Fix = "use the backend of window/webkitgtk, or build it with CGO_ENABLED=1 and -tags gtk3"
	}
	return &why
}
