package mcpclient

import (
	"strconv"
	"testing"

	"golang.org/x/sys/windows"
)

// alive reports whether a process runs.
func alive(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatalf("%q is no process id", pid)
	}
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(n))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	state, err := windows.WaitForSingleObject(h, 0)
	return err == nil && state == uint32(windows.WAIT_TIMEOUT)
}
