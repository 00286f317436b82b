//go:build unix

package mcpclient

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// alive reports whether a process runs. One that has ended but was not collected by its parent does not count: its orphans
// belong to whoever collects orphans on the machine, perhaps nobody in a container.
func alive(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatalf("%q is no process id", pid)
	}
	if syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return !os.IsNotExist(err) || !hasProc()
	}
	// The state follows the name of the program, which is in parentheses.
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// hasProc reports whether the system shows its processes as files.
func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
