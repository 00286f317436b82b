package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const (
	// KeptFor is how long after the last use of a session its changes can be taken back.
	KeptFor = 30 * 24 * time.Hour
	// settled is the age from which on what no session names is not about to be named by one.
	settled = 24 * time.Hour
	// cleanEvery is how often all processes together clean.
	cleanEvery = 24 * time.Hour
	// cleanMark is a file whose time is that of the last cleaning.
	cleanMark = "cleaned"
	// cleanAtOnce is how many files are removed while others wait to add one.
	cleanAtOnce = 32
	// lockTime is how long a lock on kept content may take: others hold it for as long as a few files take.
	lockTime = 10 * time.Second
)

// Cleaned says what a cleaning has removed.
type Cleaned struct {
	Contents int // of files, as they were before changes
	Bytes    int64
	Sessions int // of agents that worked for one whose session is gone
}

// Clean removes what nobody can use any more: what files held before changes, when the sessions that name it are gone or were
// not used for [KeptFor], and sessions of child agents whose owner's is gone. It does so once a day for all processes
// together, and at other times nothing. Cut off at any moment it leaves no session worse; the next one goes on.
func (st *Store) Clean(ctx context.Context) (done Cleaned, err error) {
	root := st.dir.Path(folderName)
	mark := filepath.Join(folderName, cleanMark)
	if info, err := os.Stat(st.dir.Path(mark)); err == nil && st.now().Sub(info.ModTime()).Abs() < cleanEvery {
		return done, nil
	}
	folders, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return done, fmt.Errorf("clean sessions: %w", err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		if err := st.cleanFolder(ctx, folder.Name(), &done); err != nil {
			return done, fmt.Errorf("clean sessions in %s: %w", filepath.Join(root, folder.Name()), err)
		}
	}
	if err := st.dir.Write(mark, nil); err != nil {
		return done, fmt.Errorf("clean sessions: %w", err)
	}
	return done, nil
}

// cleanFolder cleans the sessions of one folder.
func (st *Store) cleanFolder(ctx context.Context, name string, done *Cleaned) error {
	folder := st.dir.Path(folderName, name)
	files, err := allIn(folder)
	if err != nil {
		return err
	}
	if err := st.cleanChildren(ctx, folder, files, done); err != nil {
		return err
	}
	kept, err := os.ReadDir(filepath.Join(folder, blobFolder))
	if errors.Is(err, fs.ErrNotExist) || len(kept) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for _, file := range files {
		path := filepath.Join(folder, file)
		used, err := st.used(path)
		if err == nil && used {
			err = hashesIn(ctx, path, named)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	var old []string
	for _, e := range kept {
		if info, err := e.Info(); err == nil && !named[e.Name()] && st.settled(info) {
			old = append(old, e.Name())
		}
	}
	for len(old) > 0 {
		n := min(len(old), cleanAtOnce)
		if err := st.remove(ctx, name, old[:n], done); err != nil {
			return err
		}
		old = old[n:]
	}
	return nil
}

// remove removes kept content, but for what a session has named meanwhile: that has made it new.
func (st *Store) remove(ctx context.Context, folder string, names []string, done *Cleaned) error {
	unlock, err := st.lockBlobs(ctx, folder)
	if err != nil {
		return err
	}
	defer unlock()
	for _, name := range names {
		path := st.dir.Path(folderName, folder, blobFolder, name)
		info, err := os.Lstat(path)
		if err != nil || !st.settled(info) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		done.Contents, done.Bytes = done.Contents+1, done.Bytes+info.Size()
	}
	return nil
}

// lockBlobs makes this caller the only one that adds to or removes from what is kept beside the sessions of a folder.
func (st *Store) lockBlobs(ctx context.Context, folder string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	return st.dir.Lock(ctx, filepath.Join(folderName, folder, blobFolder))
}

// cleanChildren removes the sessions of child agents that belong to none any more. One that is in use stays.
func (st *Store) cleanChildren(ctx context.Context, folder string, files []string, done *Cleaned) error {
	there := map[string]bool{}
	for _, file := range files {
		_, id, _ := strings.Cut(strings.TrimSuffix(file, suffix), "_")
		there[id] = true
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		path := filepath.Join(folder, file)
		info, err := os.Lstat(path)
		if err != nil || !st.settled(info) {
			continue
		}
		seen, err := peek(path)
		if err != nil || seen.Header.Owner == "" || there[seen.Header.Owner] {
			continue
		}
		unlock, err := lock(path)
		if err != nil {
			continue
		}
		err = os.Remove(path)
		unlock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		done.Sessions++
	}
	return nil
}

func (st *Store) settled(info fs.FileInfo) bool { return st.now().Sub(info.ModTime()) > settled }

// used reports whether the changes of a session can still be taken back: it was used not long ago, or is open.
func (st *Store) used(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil || st.now().Sub(info.ModTime()) < KeptFor {
		return err == nil, err
	}
	if _, err := os.Stat(path + ".lock"); err != nil {
		return false, nil
	}
	unlock, err := lock(path)
	if err != nil {
		return true, nil
	}
	unlock()
	return false, nil
}

// namedHash is how an entry names kept content. What only looks so is kept longer than it had to be.
var namedHash = regexp.MustCompile(`"before"\s*:\s*"([0-9a-f]{64})"`)

// hashesIn finds the kept content that a session names. It reads the file in parts.
func hashesIn(ctx context.Context, path string, found map[string]bool) error {
	const part, overlap = 1 << 20, 256
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := make([]byte, 0, part+overlap)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := io.ReadFull(f, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		for _, match := range namedHash.FindAllSubmatch(buf, -1) {
			found[string(match[1])] = true
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
		rest := bytes.Clone(buf[len(buf)-overlap:])
		buf = append(buf[:0], rest...)
	}
}
