// Package webkitgtk shows windows with the WebKitGTK of the system. It needs no cgo and no development packages: the
// libraries are opened when Run is called, and a program that never calls it runs on machines without them.
//
// It promises what package window asks of a backend. The app's pages are at elyra://app/, a scheme that exists inside
// this process only: no port is opened. A window never leaves the app: links to elsewhere open in the system's browser.
//
// GTK belongs to one thread of the process, for ever, and cannot be shut down. So all calls of Run in a process must
// come from one OS thread (the main goroutine of a program, locked by its caller if it calls Run twice), and the one
// package-level variable is the process's GTK.
//
// WebKit needs the signal SIGUSR1 for itself: a program that shows windows must not use it.
//
// It must not import anything of Elyra but package window.
package webkitgtk

import (
	"log/slog"
	"os"

	"github.com/elyra-go/elyra/window"
)

// AptLine is the command that installs what this backend needs on Debian and Ubuntu.
const AptLine = "sudo apt-get install libwebkit2gtk-4.1-0"

// Options of the backend. The zero value is what a program wants.
type Options struct {
	// Getenv reads the environment: DISPLAY and WAYLAND_DISPLAY say whether there is a screen, ELYRA_AUTOMATION=1 lets
	// WebKitWebDriver drive the windows, ELYRA_DEV=1 gives them the web inspector. Default: os.Getenv.
	Getenv func(name string) string
	// OpenURL shows an http, https or mailto address in the system's browser. It does not wait for it.
	// Default: the program xdg-open, run without a shell.
	OpenURL func(url string) error
	// Log hears of pages that crashed or could not be loaded and of addresses that were not opened. Default: nothing is logged.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.OpenURL == nil {
		o.OpenURL = openInBrowser
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Backend gives the backend with default options.
func Backend() window.Backend { return New(Options{}) }
