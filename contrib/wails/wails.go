// Package wails shows windows with Wails v3, for macOS and Windows. It is a module of its own: an app that does not import
// it links nothing of Wails. On Linux, package webkitgtk is what an app wants; this one works there with cgo and the build
// tag gtk3, so that it can be tested.
//
// It promises what package window asks of a backend. Every request of a page is answered by the app, none by Wails: what
// Wails' own runtime can do (open files, read the clipboard, end the program) is out of a page's reach. Camera, microphone,
// location, notifications and reading the clipboard are denied to pages.
//
// What is different from package webkitgtk, because Wails is:
//
//   - Wails can run once in a process, so a second Run fails, also one of another backend of this package.
//   - On Windows, Wails hands a response to the web view only when it is complete. There a stream is a sequence of
//     requests, each of which waits for the next piece; the page's fetch puts them together again.
//   - The start script is the first element of each document that is served to the main frame, since Wails runs scripts
//     only after a document has loaded.
//   - Wails' dialogs can be neither taken back nor given a while without input; the one on Windows has no labels of its
//     own, and the one on Linux does not tell that it was closed. So a question has a window of its own, with a page of
//     this package. The pages of the app can neither reach nor answer it. The window may take the keyboard
//     from another program, which Wails leaves to the system; it takes no input for 700 ms after that.
//   - A window can be led elsewhere by a script that sets location, where the web view has no Navigation API (WebView2
//     has it). Such a page gets no start script, and its requests are seen as foreign. Links open in the browser.
//   - There are no file dialogs (window.FileDialogs) and no notifications (window.Notifier): once open, a file dialog of
//     Wails can be closed by its user only.
//   - A page whose process dies stays blank until it is loaded again.
//   - On Windows, the sizes of windows include their frames.
//   - On macOS, logging out while the app is open is put off once: the app closes in good order first.
//
// Without the build tag production, Wails lets everybody open the developer tools: build a release with -tags production.
//
// The package must not import anything of Elyra but package window.
package wails

import (
	"log/slog"
	"os"

	"github.com/elyra-go/elyra/window"
)

// Options of the backend. The zero value is what a program wants.
type Options struct {
	// Getenv reads the environment. ELYRA_DEV=1 gives the windows developer tools. On Linux, DISPLAY and WAYLAND_DISPLAY
	// say whether there is a screen. Default: os.Getenv.
	Getenv func(name string) string
	// OpenURL shows an http, https or mailto address in the system's browser. Default: what Wails does.
	OpenURL func(address string) error
	// Log hears of addresses that were not opened, and of what Wails complains about. Default: only what ends the program
	// is told, on standard error.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Backend gives the backend with default options.
func Backend() window.Backend { return New(Options{}) }
