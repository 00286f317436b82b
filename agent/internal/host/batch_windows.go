package host

import (
	"os/exec"
	"syscall"
)

// batchCommand runs a batch file by the line that batchLine made. Shell is cmd.exe.
func batchCommand(shell, line string) *exec.Cmd {
	cmd := exec.Command(shell)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: line}
	return cmd
}
