//go:build unix

package tools

import (
	"os"
	"syscall"
)

// errNotDir is what the system says about a file that is taken for a folder.
const errNotDir = syscall.ENOTDIR

// openFile opens for reading without waiting on a named pipe.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
