package tui

import (
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// silent is the terminal as the program loop gets it: it may ask for its size and set its modes, and writes nothing. What
// is to be seen is written by the painter alone.
type silent struct{ *os.File }

func (silent) Write(p []byte) (int, error) { return len(p), nil }

// plainTerminal reports whether the environment asks for lines only, or the terminal can do no more.
func plainTerminal(environ []string) bool {
	return value(environ, "ELYRA_PLAIN") == "1" || value(environ, "TERM") == "dumb"
}

// value returns a variable of an environment, "" when it is not set.
func value(environ []string, name string) string {
	for _, line := range slices.Backward(environ) {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return v
		}
	}
	return ""
}

// darkByEnvironment guesses the background from COLORFGBG, which some terminals set: "15;0". Most are dark.
func darkByEnvironment(environ []string) bool {
	v := value(environ, "COLORFGBG")
	background := v[strings.LastIndexByte(v, ';')+1:]
	return background != "7" && background != "15"
}

func profile(c look.Colors) colorprofile.Profile {
	switch c {
	case look.None:
		return colorprofile.ASCII
	case look.ANSI:
		return colorprofile.ANSI
	}
	return colorprofile.ANSI256
}
