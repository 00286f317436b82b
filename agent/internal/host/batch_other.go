//go:build !windows

package host

import "os/exec"

// batchCommand is for Windows: elsewhere nothing is a batch file.
func batchCommand(shell, _ string) *exec.Cmd { return exec.Command(shell) }
