//go:build unix

package endpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// alwaysLoopback is true where the endpoint cannot be a socket with a path and owner.
const alwaysLoopback = false

// foreign says in words that info belongs to another user, "" when it is ours.
func foreign(info fs.FileInfo, uid int) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "has an unknown owner"
	}
	if int(stat.Uid) != uid {
		return fmt.Sprintf("belongs to user %d, not to %d", stat.Uid, uid)
	}
	return ""
}

// exposed says in words why info is not ours alone, "" when it is.
func exposed(info fs.FileInfo, uid int) string {
	if why := foreign(info, uid); why != "" {
		return why
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 {
		return fmt.Sprintf("is open to other users (mode %04o)", perm)
	}
	return ""
}

// restrict gives a new file or folder to its user alone, whatever the umask was.
func restrict(path string, mode fs.FileMode) error { return os.Chmod(path, mode) }

// openNoFollow opens for reading without following a link and without waiting on a named pipe.
func openNoFollow(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("file %s is a symbolic link: remove it and start the app again: %w", path, errUnsafe)
	}
	return f, err
}

// nobodyThere reports whether a connect failed because nothing listens at the address.
func nobodyThere(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist)
}

// dropped reports whether the other end closed a connection without having read all that was sent.
func dropped(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
