//go:build unix

package hooks

import (
	"os/exec"
	"syscall"
)

// group is the processes of a command: the session that its shell leads, without a terminal.
type group struct{ id int }

func startGroup(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{cmd.Process.Pid}, nil
}

// kill ends all processes. Those that are gone are what was wanted.
func (g group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

func (group) release() {}

func shell(command string) *exec.Cmd { return exec.Command("sh", "-c", command) }
