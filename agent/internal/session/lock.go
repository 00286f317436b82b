package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// ErrInUse says that another process writes to a session.
var ErrInUse = errors.New("the session is in use")

// lock makes this process the only one that writes to a file. The lock is a file beside it with the number of its holder,
// which the system frees when the holder dies. The returned function frees it and takes the file away.
func lock(path string) (unlock func(), err error) {
	name := path + ".lock"
	for {
		l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		ok, err := l.TryLock()
		if err != nil || !ok {
			l.Close() //nolint:errcheck // It holds nothing.
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("lock %s: %w", name, err)
		case !ok:
			return nil, fmt.Errorf("%w by process %s: end that one, or fork the session", ErrInUse, holder(name))
		}
		if !current(l, name) { // the last holder took the file away meanwhile
			l.Close() //nolint:errcheck // The next round takes another.
			continue
		}
		if err := sign(name); err != nil {
			l.Close() //nolint:errcheck // The error is that of writing.
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
		return func() {
			os.Remove(name) //nolint:errcheck // Windows keeps what is open; a lock that stays harms nobody.
			l.Close()       //nolint:errcheck // Closing frees it; there is nothing else to do.
		}, nil
	}
}

// current reports whether the locked file is the one that has the name.
func current(l *flock.Flock, name string) bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(name)
	return err == nil && os.SameFile(locked, named)
}

// sign writes the number of this process behind the first byte, which is what Windows locks.
func sign(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 1)
	return errors.Join(err, f.Close())
}

// holder reads the number of the process that holds a lock.
func holder(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	text := make([]byte, 20)
	n, _ := f.ReadAt(text, 1)
	number, _, _ := strings.Cut(string(text[:n]), "\n")
	if _, err := strconv.Atoi(number); err != nil {
		return "unknown"
	}
	return number
}
