package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Info is what a list shows of a session.
type Info struct {
	Path    string
	Header  Header
	Prompt  string    // the first one, in one line, cut; "" if the beginning of the file does not have it
	Changed time.Time // when it was last written to
	Sum     Sum       // zero if the end of the file does not tell
}

const (
	window     = 16 << 10 // what is read of a file's beginning and end
	widest     = 1 << 20  // the same when lines are long
	maxPrompt  = 200      // runes
	maxListed  = 20_000   // files of one folder
	maxFolders = 100_000
)

// List returns the user's own sessions of a working directory, the last used first. It reads the ends of files only. Those of
// child agents are found by their ids.
func (st *Store) List(cwd string) ([]Info, error) {
	folder := st.dir.Path(folderName, encode(cwd))
	names, err := filesIn(folder)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var list []Info
	for _, name := range names {
		info, err := peek(filepath.Join(folder, name))
		if empty := info.Sum.Messages == 0 && info.Prompt == ""; err != nil || empty {
			continue // a write that failed left it
		}
		if (info.Header.Cwd == cwd || info.Header.Cwd == "") && info.Header.Owner == "" {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b Info) int { return b.Changed.Compare(a.Changed) })
	return list, nil
}

// Latest returns the session of a working directory that was used last. [fs.ErrNotExist] says that there is none.
func (st *Store) Latest(cwd string) (Info, error) {
	list, err := st.List(cwd)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("find the last session: there is none in %s: %w", cwd, fs.ErrNotExist)
	}
	if err != nil {
		return Info{}, err
	}
	return list[0], nil
}

// Find returns the session with an id or the beginning of one, in whatever working directory. [fs.ErrNotExist] says that
// there is none.
func (st *Store) Find(id string) (Info, error) {
	if !validID(id) {
		return Info{}, fmt.Errorf("find session %.80q: that is no id: %w", id, fs.ErrNotExist)
	}
	root := st.dir.Path(folderName)
	folders, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Info{}, fmt.Errorf("find session %s: %w", id, err)
	}
	var found []string
	for _, folder := range folders[:min(len(folders), maxFolders)] {
		names, _ := filesIn(filepath.Join(root, folder.Name()))
		for _, name := range names {
			_, rest, _ := strings.Cut(strings.TrimSuffix(name, suffix), "_")
			path := filepath.Join(root, folder.Name(), name)
			if rest == id {
				return peek(path)
			}
			if strings.HasPrefix(rest, id) {
				found = append(found, path)
			}
		}
	}
	switch len(found) {
	case 0:
		return Info{}, fmt.Errorf("find session %s: %w", id, fs.ErrNotExist)
	case 1:
		return peek(found[0])
	}
	return Info{}, fmt.Errorf("find session %s: %d sessions begin so: write more of the id", id, len(found))
}

// filesIn returns the names of session files in a folder, the newest first, and not too many.
func filesIn(folder string) ([]string, error) {
	names, err := allIn(folder)
	return names[:min(len(names), maxListed)], err
}

// allIn returns the names of all session files in a folder, the newest first. An absent folder has none.
func allIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && e.Type()&fs.ModeDir == 0 {
			names = append(names, e.Name())
		}
	}
	slices.Reverse(names)
	return names, nil
}

// peek reads the beginning and the end of a file.
func peek(path string) (Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	if !stat.Mode().IsRegular() {
		return Info{}, fmt.Errorf("%s is no session", path)
	}
	info := Info{Path: path, Changed: stat.ModTime()}
	size := stat.Size()
	for n := int64(window); ; n *= 4 {
		head := make([]byte, min(n, size))
		if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
			return Info{}, err
		}
		if info.begin(path, head) || n >= widest || n >= size {
			break
		}
	}
	for n := int64(window); ; n *= 4 {
		tail := make([]byte, min(n, size))
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
			return Info{}, err
		}
		if info.end(tail) || n >= widest || n >= size {
			break
		}
	}
	return info, nil
}

// begin takes the header and the first prompt from the beginning of a file. It reports whether it found the prompt.
func (i *Info) begin(path string, head []byte) bool {
	c := &content{byID: map[string]int{}}
	defer func() { i.Header = c.named(path).header }()
	for n := 1; ; n++ {
		text, rest, ok := bytes.Cut(head, []byte("\n"))
		if !ok {
			return false
		}
		head = rest
		if h, ok := decodeHeader(text); ok && n == 1 {
			c.header = h
			continue
		}
		e, ok := decodeEntry(text)
		if !ok || e.Kind != KindMessage || e.Message.Role != model.User {
			continue
		}
		if prompt := e.Message.String(); prompt != "" {
			i.Prompt = oneLine(prompt)
			return true
		}
	}
}

// end takes the sum from the last good line.
func (i *Info) end(tail []byte) bool {
	lines := bytes.Split(tail, []byte("\n"))
	for _, text := range slices.Backward(lines) {
		if e, ok := decodeEntry(text); ok {
			i.Sum, i.Changed = e.Sum, e.Time
			return true
		}
	}
	return false
}

func oneLine(text string) string {
	if len(text) > 4*maxPrompt*2 {
		text = text[:4*maxPrompt*2]
	}
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	if len(runes) > maxPrompt {
		return string(runes[:maxPrompt-1]) + "…"
	}
	return string(runes)
}
