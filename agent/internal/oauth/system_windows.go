package oauth

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/windows"
)

// inUse reports whether listening failed because somebody listens there. Windows has two words for it.
func inUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}

// detach has nothing to do: a browser does not end with our console.
func detach(*exec.Cmd) {}
