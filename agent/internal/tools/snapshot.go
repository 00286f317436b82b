package tools

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/elyra-go/elyra/agent/internal/tools/walk"
)

// Bounds of what is remembered of a project to see what a command changes.
const (
	maxTracked   = 50_000          // files
	maxLooking   = 2 * time.Second // for one look
	maxKeptFile  = 1 << 20
	maxKeptTotal = 32 << 20
)

// stamp is by what a change of a file is seen.
type stamp struct {
	size     int64
	modified int64 // nanoseconds
	mode     fs.FileMode
}

// keptFile is a file as it was.
type keptFile struct {
	stamp
	data []byte
}

// snapshot is what the project's files look like: those that are not ignored.
type snapshot map[string]stamp

// look looks at the project. It returns nil when there is too much to see.
func (s *session) look(ctx context.Context) snapshot {
	ctx, cancel := context.WithTimeout(ctx, maxLooking)
	defer cancel()
	now := snapshot{}
	errMany := errors.New("too many")
	truncated, err := walk.Files(ctx, s.Dir, walk.Options{Root: s.Dir}, func(e walk.Entry) error {
		if !e.Type().IsRegular() {
			return nil
		}
		if len(now) == maxTracked {
			return errMany
		}
		if info, err := e.Info(); err == nil {
			now[e.Path] = stamp{info.Size(), info.ModTime().UnixNano(), info.Mode()}
		}
		return nil
	})
	if err != nil || truncated {
		return nil
	}
	return now
}

// keep reads what may be needed to take a command's changes back. What was read before and has not changed is not read again.
func (s *session) keep(now snapshot) {
	total := int64(0)
	for path, old := range s.kept {
		if now[path] != old.stamp {
			delete(s.kept, path)
			continue
		}
		total += int64(len(old.data))
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		st := now[path]
		if _, ok := s.kept[path]; ok || st.size > maxKeptFile || total+st.size > maxKeptTotal {
			continue
		}
		if data, err := readSome(path, st.size); err == nil {
			s.kept[path] = keptFile{st, data}
			total += int64(len(data))
		}
	}
}

// readSome reads a file that has size bytes.
func readSome(path string, size int64) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, os.ErrInvalid
	}
	var b bytes.Buffer
	b.Grow(int(size) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, size+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) != size {
		return nil, os.ErrInvalid
	}
	return b.Bytes(), nil
}

// compare says what changed between two looks and tells Changed what the files were.
func (s *session) compare(before, after snapshot) []Change {
	var changes []Change
	for path, now := range after {
		if was, ok := before[path]; !ok {
			changes = append(changes, Change{Path: path, What: Created})
		} else if was != now {
			changes = append(changes, Change{Path: path, What: Modified})
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			changes = append(changes, Change{Path: path, What: Deleted})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	for i := range changes {
		c := &changes[i]
		kept, known := s.kept[c.Path]
		known = known && kept.stamp == before[c.Path] || c.What == Created
		if c.Undoable = known && s.Changed != nil; c.Undoable {
			s.Changed(c.Path, kept.data, c.What != Created)
		}
	}
	return changes
}
