//go:build !windows

package oauth

import (
	"errors"
	"os/exec"
	"syscall"
)

// inUse reports whether listening failed because somebody listens there.
func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// detach keeps a browser that is started first from ending when the user interrupts us.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
