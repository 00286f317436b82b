package change

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Conflicts is the error of a set that does not fit what is there. Nothing was written.
type Conflicts []Conflict

// Conflict is one file that keeps a set from being written.
type Conflict struct {
	// Path is the file, What is what is wrong with it, such as "is there and differs".
	Path, What string
	// Forced says that it can be overwritten. Else something has to be moved out of the way first.
	Forced bool
}

// Error lists the files, one a line, and says what to do.
func (c Conflicts) Error() string {
	var b strings.Builder
	b.WriteString("nothing was written, because of what is there already:\n")
	forced, moved := false, false
	for _, x := range c {
		fmt.Fprintf(&b, "  %s %s\n", x.Path, x.What)
		forced, moved = forced || x.Forced, moved || !x.Forced
	}
	switch {
	case !moved:
		b.WriteString("--dry-run shows the difference, --force overwrites them")
	case !forced:
		b.WriteString("move them out of the way first")
	default:
		b.WriteString("--dry-run shows the difference, --force overwrites files; move the rest out of the way first")
	}
	return b.String()
}

// seen is a planned file beside what is there.
type seen struct {
	planned
	old      []byte // nil when nothing is there
	mode     fs.FileMode
	action   Action
	conflict *Conflict
}

// look compares the set with the folder. The error is about the folder, not about a conflict.
func (s *Set) look() ([]seen, error) {
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		root, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	if root != nil {
		defer root.Close()
	}
	files := make([]seen, len(s.files))
	for i, f := range s.files {
		if files[i], err = lookAt(root, f); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// lookAt compares one file. A nil root is a folder that is not there yet.
func lookAt(root *os.Root, f planned) (seen, error) {
	x := seen{planned: f, action: Created}
	hard := func(what string) { x.conflict = &Conflict{Path: f.path, What: what} }
	soft := func(what string) {
		x.conflict, x.action = &Conflict{Path: f.path, What: what, Forced: true}, Overwrote
	}
	if f.invalid != "" {
		hard(f.invalid)
		return x, nil
	}
	if root == nil {
		if f.rewrite {
			soft("is missing")
			x.action = Created
		}
		return x, nil
	}
	if above, what := blockedBy(root, f.path); above != "" {
		hard(fmt.Sprintf("needs the folder %s, which %s", above, what))
		return x, nil
	}
	name := filepath.FromSlash(f.path)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.rewrite {
			soft("is missing")
			x.action = Created
		}
		return x, nil
	case err != nil:
		return x, err
	case !info.Mode().IsRegular():
		hard(kindOf(info.Mode()) + " and no file")
		return x, nil
	}
	x.mode = info.Mode().Perm()
	if x.old, err = root.ReadFile(name); err != nil {
		return x, err
	}
	if x.old == nil {
		x.old = []byte{}
	}
	switch {
	case sameText(x.old, f.content):
		x.action = Unchanged
	case f.rewrite && sameText(x.old, f.before):
		x.action = Updated
	case f.rewrite:
		soft("is not as rata wrote it: somebody has edited it")
	default:
		soft("is there and differs")
	}
	return x, nil
}

// blockedBy gives the nearest folder above a file that is there and is no folder, and what it is.
func blockedBy(root *os.Root, file string) (above, what string) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		info, err := root.Stat(filepath.FromSlash(dir))
		switch {
		case err == nil && !info.IsDir():
			return dir, kindOf(info.Mode())
		case err == nil:
			return "", ""
		case errors.Is(err, fs.ErrNotExist):
			if link, err := root.Lstat(filepath.FromSlash(dir)); err == nil && link.Mode()&fs.ModeSymlink != 0 {
				return dir, "is a link to nothing"
			}
		case errors.Is(err, syscall.ENOTDIR): // the folder above tells which
		default:
			return dir, "cannot be used: " + cause(err).Error()
		}
	}
	return "", ""
}

// cause is an error without the operation and the path that an [fs.PathError] puts before it.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "is a folder"
	case m&fs.ModeSymlink != 0:
		return "is a link"
	case m.IsRegular():
		return "is a file"
	}
	return "is a device"
}

// sameText compares as git may have checked a text out on Windows: the ends of lines do not count.
func sameText(a, b []byte) bool {
	crlf, lf := []byte("\r\n"), []byte("\n")
	return bytes.Equal(a, b) || bytes.Equal(bytes.ReplaceAll(a, crlf, lf), bytes.ReplaceAll(b, crlf, lf))
}

// Conflicts looks at what is there and returns [Conflicts] if the set cannot be written without
// force, nil if it can.
func (s *Set) Conflicts() error {
	files, err := s.look()
	if err != nil {
		return err
	}
	return conflicts(files, false)
}

func conflicts(files []seen, force bool) error {
	var found Conflicts
	for _, f := range files {
		if f.conflict != nil && !(force && f.conflict.Forced) {
			found = append(found, *f.conflict)
		}
	}
	if found == nil {
		return nil
	}
	return found
}
