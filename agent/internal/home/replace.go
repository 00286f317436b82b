package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// staleAfter is the age at which the temporary file of a write is that of a process which died.
const staleAfter = time.Hour

// WriteFile replaces a file anywhere at once, as [Dir.Write] does in the agent's folder. A new file gets mode; a file that
// is there keeps its own, and a link to one is followed. The folder must exist.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	if err := replace(path, data, mode, true); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replace writes a temporary file beside path and renames it over path, so that a reader sees old or new content. With
// keep, the mode of a file that is there wins over mode.
func replace(path string, data []byte, mode fs.FileMode, keep bool) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: move it away: %w", path, ErrUnsafe)
	case err == nil && keep:
		mode = info.Mode().Perm()
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	pattern := "." + filepath.Base(path) + ".*.tmp"
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // without effect once it was renamed
	removeStale(f, pattern)
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	// CreateTemp made it 0600, which is what a private file stays.
	if err == nil && mode != 0o600 {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = rename(f.Name(), path)
	}
	return err
}

// removeStale removes what writes of the same file left beside it when their process was killed. A file system's own
// clock says how old they are.
func removeStale(now *os.File, pattern string) {
	mine, err := now.Stat()
	if err != nil {
		return
	}
	folder := filepath.Dir(now.Name())
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	before, after, _ := strings.Cut(pattern, "*")
	for _, entry := range entries {
		name := entry.Name()
		if len(name) <= len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
			continue
		}
		if info, err := entry.Info(); err == nil && mine.ModTime().Sub(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(folder, name)) //nolint:errcheck // Litter that cannot be removed harms nobody.
		}
	}
}

// splitPath returns the elements of a relative path, none for ".".
func splitPath(path string) []string {
	if path == "." {
		return nil
	}
	return strings.Split(path, string(filepath.Separator))
}
