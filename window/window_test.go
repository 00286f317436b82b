package window_test

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func TestCheckedFillsDefaults(t *testing.T) {
	t.Parallel()
	got, err := window.Checked([]window.Options{{}, {ID: "log", Width: 300, Height: 200, Title: "Log"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []window.Options{
		{ID: "main", Title: "main", Width: 1024, Height: 720},
		{ID: "log", Title: "Log", Width: 300, Height: 200},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("window %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestCheckedRefuses(t *testing.T) {
	t.Parallel()
	for name, windows := range map[string][]window.Options{
		"none":            nil,
		"the same id":     {{ID: "a"}, {ID: "a"}},
		"the default id":  {{}, {}},
		"default by name": {{}, {ID: "main"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := window.Checked(windows); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestUnavailableNamesTheFixAndTheOtherWays(t *testing.T) {
	t.Parallel()
	err := &window.Unavailable{Reason: "no screen", Fix: "set DISPLAY", ExitCode: window.ExitNoDisplay}
	for _, part := range []string{"no screen", "set DISPLAY", "--headless", "--mcp"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in %q", part, err.Error())
		}
	}
}
