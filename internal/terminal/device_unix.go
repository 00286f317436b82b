//go:build unix

package terminal

import "os"

// Open opens the controlling terminal of the process.
func Open() (Device, error) {
	return os.OpenFile("/dev/tty", os.O_RDWR, 0)
}
