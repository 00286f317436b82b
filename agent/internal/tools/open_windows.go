package tools

import (
	"os"
	"syscall"
)

// errNotDir is what the system says about a file that is taken for a folder.
const errNotDir = syscall.ERROR_PATH_NOT_FOUND

func openFile(path string) (*os.File, error) { return os.Open(path) }
