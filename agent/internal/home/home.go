package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// maxFile is the size of the largest file that is read.
const maxFile = 64 << 20

// maxAside is how many damaged versions of one file are kept.
const maxAside = 9

// lockRetry is the pause between two attempts at a lock that another process holds.
const lockRetry = 10 * time.Millisecond

// ErrUnsafe marks a folder that belongs to another user or that others may write to, and a name that is no file.
var ErrUnsafe = errors.New("not safe to use")

// Locate returns the path of the agent's folder: what ELYRA_HOME says, made absolute against userHome if it is relative,
// or .elyra/agent in userHome.
func Locate(getenv func(string) string, userHome string) string {
	path := getenv("ELYRA_HOME")
	switch {
	case path == "":
		return filepath.Join(userHome, ".elyra", "agent")
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(userHome, path)
}

// Dir is the agent's folder. Its methods may be called from many goroutines and processes at once.
type Dir struct {
	path string
	uid  int
}

// Open returns the folder at path, which must be absolute. Neither the folder nor its parents have to exist: they are
// made by the first write or lock. A folder that is there and not safe is refused with [ErrUnsafe].
func Open(path string) (*Dir, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("open the agent's folder: the path %q is not absolute", path)
	}
	d := &Dir{path: filepath.Clean(path), uid: os.Geteuid()}
	if err := d.check(d.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open the agent's folder: %w", err)
	}
	return d, nil
}

// Path returns the path of the folder, or of what lies at elem below it.
func (d *Dir) Path(elem ...string) string {
	return filepath.Join(append([]string{d.path}, elem...)...)
}

// Read returns the content of a file below the folder, at most 64 MiB. An absent one is [fs.ErrNotExist].
func (d *Dir) Read(name string) ([]byte, error) {
	path, err := d.local(name)
	if err == nil {
		err = d.check(d.path)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return ReadFile(path, maxFile)
}

// SetAside renames a file that makes no sense, so that the next write does not destroy what a person may want to save
// from it, and returns its new path. The caller holds the lock of name.
func (d *Dir) SetAside(name string) (string, error) {
	path, err := d.local(name)
	if err != nil {
		return "", fmt.Errorf("set aside %s: %w", name, err)
	}
	aside := ""
	for n := 1; n <= maxAside; n++ {
		aside = fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break // else the last name is used again
		}
	}
	if err := rename(path, aside); err != nil {
		return "", fmt.Errorf("set aside %s: %w", name, err)
	}
	return aside, nil
}

// Write replaces a file below the folder at once and makes the folders above it. Where name is a link, the file that it
// points to is replaced.
func (d *Dir) Write(name string, data []byte) error {
	path, err := d.prepare(name)
	if err == nil {
		err = replace(path, data, 0o600, false)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Lock waits until this caller alone holds the lock of name among all goroutines and processes that ask for it, or until
// ctx ends. The lock is a file of its own, name with .lock, which stays; the system frees it when its holder dies.
func (d *Dir) Lock(ctx context.Context, name string) (unlock func(), err error) {
	path, err := d.prepare(name + ".lock")
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		lock.Close() //nolint:errcheck // It holds nothing.
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lock %s: another process holds %s: %w", name, path, err)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return func() { lock.Close() }, nil //nolint:errcheck // Closing the file frees the lock; there is nothing else to do.
}

// Update changes a file under its lock: change gets the content, nil when there is no file, and returns the new one.
// Nothing is written when that is the same or when change fails; its error is returned as it is.
func (d *Dir) Update(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error {
	unlock, err := d.Lock(ctx, name)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := d.Read(name)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	data, err := change(old)
	if err != nil {
		return err
	}
	if bytes.Equal(data, old) && !(missing && data != nil) {
		return nil
	}
	return d.Write(name, data)
}

// Folder makes the folder of that name below the home, as private as the home itself, and returns its path.
func (d *Dir) Folder(name string) (string, error) {
	inside, err := d.prepare(filepath.Join(name, "any"))
	if err != nil {
		return "", fmt.Errorf("make folder %s: %w", name, err)
	}
	return filepath.Dir(inside), nil
}

// local returns the path of name, which must stay below the folder.
func (d *Dir) local(name string) (string, error) {
	if !filepath.IsLocal(name) || filepath.Clean(name) == "." {
		return "", fmt.Errorf("the name is not one of a file in %s: %w", d.path, ErrUnsafe)
	}
	return filepath.Join(d.path, name), nil
}

// prepare makes the folders above name and checks those that are the agent's.
func (d *Dir) prepare(name string) (string, error) {
	path, err := d.local(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return "", err
	}
	folder := d.path
	rest, err := filepath.Rel(d.path, filepath.Dir(path))
	if err != nil {
		return "", err
	}
	for _, elem := range append([]string{"."}, splitPath(rest)...) {
		folder = filepath.Join(folder, elem)
		if err := d.ensure(folder); err != nil {
			return "", err
		}
	}
	return path, nil
}

// ensure makes one folder, whose parent exists, and checks it.
func (d *Dir) ensure(folder string) error {
	err := os.Mkdir(folder, 0o700)
	switch {
	case err == nil:
		// The umask may have taken bits away, and on Windows the parent's rights were inherited.
		if err := restrict(folder); err != nil {
			return fmt.Errorf("restrict folder %s: %w", folder, err)
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	return d.check(folder)
}

// check refuses a folder that is not this user's or that others may write to. That others may list it is no harm: each
// file in it is for the user alone. A link is followed, because people keep such folders elsewhere.
func (d *Dir) check(folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	why := foreign(info, d.uid)
	if !info.IsDir() {
		why = "is not a folder: move it away"
	}
	if why != "" {
		return fmt.Errorf("%s %s: %w", folder, why, ErrUnsafe)
	}
	return nil
}

// ReadFile reads a regular file anywhere, of limit bytes at most. It never waits on a named pipe.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read file: %s is not a regular file: move it away: %w", path, ErrUnsafe)
	}
	var data bytes.Buffer
	data.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if int64(data.Len()) > limit {
		return nil, fmt.Errorf("read file: %s is longer than %d MiB", path, limit>>20)
	}
	return data.Bytes(), nil
}
