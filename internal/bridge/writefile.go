package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a file whole or not at all: when that fails, after the disk was full for one, the file that was there
// before is there still.
func writeFile(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less what the user's umask takes away
	if errors.Is(err, fs.ErrExist) {
		return replaceFile(path, content)
	}
	if err != nil {
		return fmt.Errorf("save a file: %w", err)
	}
	return fill(file, content)
}

// replaceFile puts a new file in the place of one that is there, with the same permissions.
func replaceFile(path string, content []byte) error {
	// A link stays one: what it leads to is replaced.
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("save a file: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("save a file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("save a file: %s is something else", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".saving-*")
	if err != nil {
		return fmt.Errorf("save a file: %w", err)
	}
	if err := file.Chmod(info.Mode().Perm()); err != nil {
		return errors.Join(fmt.Errorf("save a file: %w", err), file.Close(), os.Remove(file.Name()))
	}
	if err := fill(file, content); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return errors.Join(fmt.Errorf("save a file: %w", err), os.Remove(file.Name()))
	}
	return nil
}

// fill writes all of a new file and closes it. A file that cannot be written is removed.
func fill(file *os.File, content []byte) error {
	_, err := file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(fmt.Errorf("save a file: %w", err), os.Remove(file.Name()))
	}
	return nil
}
