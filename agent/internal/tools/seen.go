package tools

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxWhole is the size of the largest file that is read as a whole, and so of one that can be edited.
const maxWhole = 16 << 20

// sum is the hash of a file's content.
type sum [sha256.Size]byte

// remember notes that the model knows a file as it is in data.
func (s *session) remember(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[path] = sha256.Sum256(data)
}

// known says why a file with the content data must not be changed: the model has not read it, or not as it is.
func (s *session) known(path string, data []byte) error {
	s.mu.Lock()
	was, read := s.seen[path]
	s.mu.Unlock()
	switch {
	case !read:
		return fmt.Errorf("%s was not read in this session: read it first", s.show(path))
	case was != sha256.Sum256(data):
		return fmt.Errorf("%s has changed on disk since it was read: read it again", s.show(path))
	}
	return nil
}

// load reads a regular file as a whole.
func (s *session) load(path string) (data []byte, info fs.FileInfo, err error) {
	f, info, err := s.open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), maxWhole)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, maxWhole+1)); err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", s.show(path), plainError(err))
	}
	if b.Len() > maxWhole {
		return nil, nil, fmt.Errorf("%s has more than %s: use bash for such a file", s.show(path), result.Size(maxWhole))
	}
	return b.Bytes(), info, nil
}

// open opens a regular file. What is none is refused without waiting for it.
func (s *session) open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) {
			return nil, nil, s.missing(path)
		}
		return nil, nil, fmt.Errorf("%s: %w", s.show(path), plainError(err))
	}
	if err := s.regular(path, info); err != nil {
		return nil, nil, err
	}
	f, err := openFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.show(path), plainError(err))
	}
	if info, err = f.Stat(); err == nil {
		err = s.regular(path, info) // It may have been exchanged.
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func (s *session) regular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder: use ls", s.show(path))
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a named pipe, not a file", s.show(path))
	case mode&fs.ModeSocket != 0:
		return fmt.Errorf("%s is a socket, not a file", s.show(path))
	}
	return fmt.Errorf("%s is a device, not a file", s.show(path))
}

// save replaces or makes a file at once and tells Changed what was there. The caller holds s.changing.
func (s *session) save(path string, data, before []byte, existed bool) error {
	if s.Changed != nil {
		s.Changed(path, before, existed)
	}
	if !existed {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of %s: %w", s.show(path), plainError(err))
		}
	}
	if err := home.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("write %s: %w; the file is as it was", s.show(path), rootCause(err))
	}
	s.remember(path, data)
	return nil
}

// rootCause takes the names of temporary files off.
func rootCause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied (the folder must allow it too)")
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
