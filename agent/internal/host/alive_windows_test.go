package host

import "golang.org/x/sys/windows"

// alive reports whether a process runs.
func alive(pid int) bool {
	const stillRunning = 259
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(p) //nolint:errcheck // There is nothing to do about it.
	var code uint32
	return windows.GetExitCodeProcess(p, &code) == nil && code == stillRunning
}
