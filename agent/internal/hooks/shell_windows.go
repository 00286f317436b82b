package hooks

import (
	"os/exec"
	"syscall"
)

// shell passes the command line on as it is: cmd has rules of its own for quotes.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}
