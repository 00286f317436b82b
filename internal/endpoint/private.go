package endpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// errUnsafe marks a file or folder that others could read or have put there.
var errUnsafe = errors.New("not private")

// ensureConfigDir makes the app's config folder and refuses one of another user, which is what a program
// started through sudo with the user's home would find.
func ensureConfigDir(dir string, uid int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make config folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at config folder: %w", err)
	}
	if why := foreign(info, uid); why != "" {
		return fmt.Errorf("config folder %s %s: run the app as its owner: %w", dir, why, errUnsafe)
	}
	return nil
}

// ensurePrivateDir makes dir, whose parent exists, and checks that it is ours alone.
func ensurePrivateDir(dir string, uid int) error {
	if err := os.Mkdir(dir, 0o700); err == nil {
		// The umask may have taken bits away, and on Windows the parent's rights were inherited.
		if err := restrict(dir, 0o700); err != nil {
			return fmt.Errorf("restrict folder %s: %w", dir, err)
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make folder: %w", err)
	}
	return checkPrivateDir(dir, uid)
}

// checkPrivateDir refuses a folder that is a link, another user's, or open to others.
func checkPrivateDir(dir string, uid int) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	why := ""
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		why = "is a symbolic link"
	case !info.IsDir():
		why = "is not a folder"
	default:
		why = exposed(info, uid)
	}
	if why != "" {
		return fmt.Errorf("folder %s %s: remove it or make it yours alone (0700): %w", dir, why, errUnsafe)
	}
	return nil
}

// readPrivate reads a small file that must be ours alone. It follows no link and never blocks, whatever
// lies under the name.
func readPrivate(path string, limit int64, uid int) ([]byte, error) {
	f, err := openNoFollow(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	why := ""
	switch {
	case !info.Mode().IsRegular():
		why = "is not a regular file"
	case info.Size() > limit:
		why = fmt.Sprintf("is longer than %d bytes", limit)
	default:
		why = exposed(info, uid)
	}
	if why != "" {
		return nil, fmt.Errorf("file %s %s: remove it and start the app again: %w", path, why, errUnsafe)
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// writePrivate replaces a file at once: a reader sees the old content or the new one. The caller holds
// the lock of the folder, so the name beside it is free for use.
func writePrivate(path string, data []byte) error {
	next := path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove what an earlier start left: %w", err)
	}
	f, err := os.OpenFile(next, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	defer os.Remove(next) // without effect once it was renamed
	err = restrict(next, 0o600)
	if err == nil {
		_, err = io.Copy(f, bytes.NewReader(data))
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}
