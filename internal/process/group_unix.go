//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Group is a program and what it has started. Its number is the program's process id.
type Group struct{ id int }

// Start starts cmd as the leader of a new process group, which is that of its session if it leads one.
func Start(cmd *exec.Cmd) (Group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if !cmd.SysProcAttr.Setsid { // A session leader already leads a group of its own.
		cmd.SysProcAttr.Setpgid = true
		cmd.SysProcAttr.Pgid = 0
	}
	if err := cmd.Start(); err != nil {
		return Group{}, err
	}
	return Group{id: cmd.Process.Pid}, nil
}

// Terminate asks every process of the group to exit. A group that is gone is what was wanted, so errors are ignored here
// and in Kill.
func (g Group) Terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// Kill ends every process of the group. The system does not give the number to a new process while the group has members.
func (g Group) Kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// Release frees what belongs to the group: nothing on Unix.
func (g Group) Release() {}

// StartSession starts cmd as the leader of a new session, which is a group without a terminal: nothing in it can read what
// the user types or write on the screen.
func StartSession(cmd *exec.Cmd) (Group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
	return Start(cmd)
}
