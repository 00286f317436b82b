package wails

import (
	"github.com/wailsapp/wails/v3/pkg/application"
	"golang.org/x/sys/windows/registry"

	"github.com/elyra-go/elyra/window"
)

const (
	origin = "http://wails.localhost"
	// canStream: Wails collects a response and gives it to WebView2 when it is complete.
	canStream = false
	// quitEndsLoop says what Wails is told when it asks whether to do what quit has begun.
	quitEndsLoop = true
)

// webView2 is the key under which the runtime says which version of it is installed.
const webView2 = `Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}`

// available looks for the runtime of WebView2, without which Wails would exit the program.
func available(func(string) string) error {
	for _, place := range []struct {
		root registry.Key
		path string
	}{
		{registry.LOCAL_MACHINE, `SOFTWARE\WOW6432Node\` + webView2},
		{registry.LOCAL_MACHINE, `SOFTWARE\` + webView2},
		{registry.CURRENT_USER, `Software\` + webView2},
	} {
		key, err := registry.OpenKey(place.root, place.path, registry.QUERY_VALUE)
		if err != nil {
			continue
		}
		version, _, err := key.GetStringValue("pv")
		_ = key.Close()
		if err == nil && version != "" && version != "0.0.0.0" {
			return nil
		}
	}
	return &window.Unavailable{
		Reason:   "the WebView2 runtime is not installed",
		Fix:      "install the Evergreen WebView2 Runtime from https://developer.microsoft.com/microsoft-edge/webview2/",
		ExitCode: window.ExitNoLibrary,
	}
}

func quit(app *application.App) { app.Quit() }
