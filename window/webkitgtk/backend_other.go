//go:build !linux

package webkitgtk

import (
	"context"
	"runtime"

	"github.com/elyra-go/elyra/window"
)

type backend struct{}

// New gives a backend whose Run returns *window.Unavailable: WebKitGTK is for Linux.
func New(o Options) window.Backend {
	o.withDefaults()
	return backend{}
}

func (backend) Name() string { return "webkitgtk" }

func (backend) Run(context.Context, window.Host, []window.Options) error {
	return &window.Unavailable{
		Reason:   "the WebKitGTK backend is for Linux, and this is " + runtime.GOOS,
		Fix:      "give the program another backend on this system",
		ExitCode: window.ExitNoLibrary,
	}
}

func openInBrowser(string) error { return nil }
