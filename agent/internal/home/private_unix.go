//go:build unix

package home

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// foreign says in words why others decide what info holds, "" when only the user does.
func foreign(info fs.FileInfo, uid int) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return "has an unknown owner"
	case int(stat.Uid) != uid:
		return fmt.Sprintf("belongs to user %d, and this is user %d: run elyra as the folder's owner, or set ELYRA_HOME", stat.Uid, uid)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Sprintf("may be written to by others (mode %04o): look through it, then chmod 700 it", info.Mode().Perm())
	}
	return ""
}

// restrict gives a new folder to its user alone, whatever the umask was.
func restrict(folder string) error { return os.Chmod(folder, 0o700) }

// openPlain opens for reading without waiting on a named pipe.
func openPlain(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func rename(from, to string) error { return os.Rename(from, to) }
