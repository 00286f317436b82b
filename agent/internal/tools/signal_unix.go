//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// signalOf names the signal that ended a process, "" when none did.
func signalOf(cmd *exec.Cmd) string {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
