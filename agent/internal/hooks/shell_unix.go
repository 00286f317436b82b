//go:build unix

package hooks

import "os/exec"

func shell(command string) *exec.Cmd { return exec.Command("sh", "-c", command) }
