//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// group is the processes of a command: the session that its shell leads. It has no terminal, so nothing in it can read what
// the user types or write on the screen.
type group struct{ id int }

func startGroup(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{cmd.Process.Pid}, nil
}

// terminate asks all processes to end, kill ends them. Those that are gone are what was wanted.
func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

func (group) release() {}

// signalOf names the signal that ended a process, "" when none did.
func signalOf(cmd *exec.Cmd) string {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
