//go:build cgo && gtk3 && !android

package wails

import (
	"github.com/wailsapp/wails/v3/pkg/application"

	"github.com/elyra-go/elyra/window"
)

const (
	origin = "wails://localhost"
	// canStream: Wails gives WebKitGTK one end of a pipe.
	canStream = true
	// quitEndsLoop says what Wails is told when it asks whether to do what quit has begun.
	quitEndsLoop = true
)

func available(getenv func(string) string) error {
	if getenv("WAYLAND_DISPLAY")+getenv("DISPLAY") != "" {
		return nil
	}
	return &window.Unavailable{
		Reason:   "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set",
		Fix:      "start it in a desktop session, or set DISPLAY to the screen to use",
		ExitCode: window.ExitNoDisplay,
	}
}

func quit(app *application.App) { app.Quit() }
