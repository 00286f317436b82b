//go:build unix

package keeper

import (
	"os/exec"
	"syscall"
)

const supported = true

// detach puts the keeper in a session of its own, where no signal for the owner's terminal or group reaches it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// alive reports whether a group has members. One that we may not signal is not ours any more.
func alive(group int) bool { return syscall.Kill(-group, 0) == nil }

func terminate(group int) { _ = syscall.Kill(-group, syscall.SIGTERM) }
func kill(group int)      { _ = syscall.Kill(-group, syscall.SIGKILL) }
