package webkitgtk

import (
	"errors"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// noHost is never asked: nothing is opened in these tests.
type noHost struct{}

func (noHost) Serve(*window.Request, window.ResponseWriter) { panic("asked") }
func (noHost) DocumentStart(string) string                  { panic("asked") }
func (noHost) Closed(string)                                { panic("asked") }

func TestMachineThatCannotShowWindows(t *testing.T) {
	missing := []stack{{webkit: "libwebkit-that-is-nowhere.so.0", gtk: "libgtk-that-is-nowhere.so.0", gtkMajor: 3}}
	for name, test := range map[string]struct {
		display string
		stacks  []stack
		code    int
		says    []string
	}{
		"no screen":  {"", stacks(), window.ExitNoDisplay, []string{"DISPLAY", "WAYLAND_DISPLAY"}},
		"no library": {":77", missing, window.ExitNoLibrary, []string{"libwebkit-that-is-nowhere.so.0", AptLine}},
		// A library that is there but has nothing of WebKit's stands for one that is too old.
		"old library": {":77", []stack{{webkit: "libc.so.6", gtk: "libc.so.6", gtkMajor: 3}}, window.ExitNoLibrary, []string{"libc.so.6", AptLine}},
	} {
		t.Run(name, func(t *testing.T) {
			getenv := func(variable string) string {
				if variable == "DISPLAY" {
					return test.display
				}
				return ""
			}
			b := &backend{options: Options{Getenv: getenv}.withDefaults(), stacks: test.stacks}
			kit := process.kit
			process.kit = nil // Another test of this process may have found a screen and a library.
			defer func() { process.kit = kit }()
			err := b.Run(t.Context(), noHost{}, []window.Options{{}})
			unavailable, ok := errors.AsType[*window.Unavailable](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if unavailable.ExitCode != test.code {
				t.Errorf("exit code %d, want %d", unavailable.ExitCode, test.code)
			}
			for _, part := range append(test.says, "--headless", "--mcp") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is missing in:\n%v", part, err)
				}
			}
		})
	}
}

func TestOnlySomeAddressesLeaveTheApp(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://example.com/a?b#c":  true,
		"HTTP://example.com":         true,
		"mailto:ada@example.com":     true,
		"https:///etc/passwd":        false,
		"mailto:":                    false,
		"file:///etc/passwd":         false,
		"javascript:alert(1)":        false,
		"data:text/html,x":           false,
		"elyra://app/":               false,
		"elyra://other/":             false,
		"smb://host/share":           false,
		"--version":                  false,
		"":                           false,
		"https://exa mple.com/\x00":  false,
		"vscode://file/etc/x":        false,
		"blob:elyra://app/some-uuid": false,
	} {
		if got := forBrowser(address); got != want {
			t.Errorf("forBrowser(%q) = %v", address, got)
		}
	}
}

func TestOwnAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"elyra://app/": true, "elyra://app/customers/1": true, "about:blank": true, "about:srcdoc": true,
		"elyra://app.evil/": false, "elyra://apple": false, "elyra://app": false, "https://app/": false, "about:config": false,
	} {
		if got := own(address); got != want {
			t.Errorf("own(%q) = %v", address, got)
		}
	}
}
