//go:build unix

package cli

import "os"

// OpenTerminal opens the controlling terminal of the process.
func OpenTerminal() (Terminal, error) {
	return os.OpenFile("/dev/tty", os.O_RDWR, 0)
}
