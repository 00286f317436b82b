//go:build unix

package mcpclient

import (
	"os/exec"
	"syscall"
)

// processGroup is the process group that a server leads. Its number is the server's process id.
type processGroup struct{ id int }

// startInGroup starts cmd as the leader of a new process group.
func startInGroup(cmd *exec.Cmd) (processGroup, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if !cmd.SysProcAttr.Setsid { // A session leader already leads a group of its own.
		cmd.SysProcAttr.Setpgid = true
		cmd.SysProcAttr.Pgid = 0
	}
	if err := cmd.Start(); err != nil {
		return processGroup{}, err
	}
	return processGroup{id: cmd.Process.Pid}, nil
}

// terminate asks every process of the group to exit. A group that is gone is what was wanted, so errors are ignored here
// and in kill.
func (g processGroup) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// kill ends every process of the group. The system does not give the number to a new process while the group has members.
func (g processGroup) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// release frees what belongs to the group: nothing on Unix.
func (g processGroup) release() {}
