package change

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Apply writes the set and says what happened to each file, in the planned order. With force it
// overwrites files that conflict, and says so. When it fails, the folder is as it was before; what
// could not be put back is named in the error.
func (s *Set) Apply(force bool) ([]Done, error) {
	files, err := s.look()
	if err != nil {
		return nil, err
	}
	if err := conflicts(files, force); err != nil {
		return nil, err
	}
	w := &writing{}
	if err := w.open(s.dir); err != nil {
		return nil, errors.Join(err, w.undo())
	}
	defer w.root.Close()
	for i := range files {
		if err := w.stage(&files[i]); err != nil {
			return nil, errors.Join(failed(files[i].path, err), w.undo())
		}
	}
	for _, f := range w.staged {
		if err := w.place(f); err != nil {
			return nil, errors.Join(failed(f.path, err), w.undo())
		}
	}
	done := make([]Done, len(files))
	for i, f := range files {
		done[i] = Done{f.path, f.action}
	}
	return done, nil
}

func failed(file string, err error) error {
	return fmt.Errorf("write %s: %w; nothing was changed", file, cause(err))
}

// writing is one run of Apply: what it has done so far.
type writing struct {
	root    *os.Root
	above   []string // folders that were made to hold the root, outermost first
	folders []string // those that were made below it, in order
	staged  []stagedFile
	placed  []stagedFile
}

// stagedFile is a file whose content lies complete beside its place, in temporary.
type stagedFile struct {
	*seen
	temporary string
}

// open opens the folder, which it makes if need be.
func (w *writing) open(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		w.above = append([]string{at}, w.above...)
	}
	for i, folder := range w.above {
		if err := os.Mkdir(folder, 0o777); err != nil {
			w.above = w.above[:i]
			return fmt.Errorf("make the folder %s: %w", folder, cause(err))
		}
	}
	var err error
	w.root, err = os.OpenRoot(dir)
	return err
}

// stage writes a file's content beside its place.
func (w *writing) stage(f *seen) error {
	if f.action == Unchanged {
		return nil
	}
	if err := w.folder(path.Dir(f.path)); err != nil {
		return err
	}
	file, name, err := w.temporary(f.path)
	if err != nil {
		return err
	}
	w.staged = append(w.staged, stagedFile{f, name})
	_, err = file.Write(f.content)
	if f.old != nil {
		err = errors.Join(err, file.Chmod(f.mode))
	}
	return errors.Join(err, file.Close())
}

// folder makes a folder and those above it.
func (w *writing) folder(dir string) error {
	if dir == "." {
		return nil
	}
	name := filepath.FromSlash(dir)
	if info, err := w.root.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	if err := w.folder(path.Dir(dir)); err != nil {
		return err
	}
	if err := w.root.Mkdir(name, 0o777); err != nil {
		return err
	}
	w.folders = append(w.folders, name)
	return nil
}

// temporary makes a file beside another one. It has a name that no tool reads as source.
func (w *writing) temporary(file string) (*os.File, string, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.FromSlash(path.Dir(file)), fmt.Sprintf(".%s.rata%d", path.Base(file), n))
		f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && n < 100 {
			continue // left by a run that was killed
		}
		return f, name, err
	}
}

// place moves a staged file to its place, unless something has come there in the meantime.
func (w *writing) place(f stagedFile) error {
	name := filepath.FromSlash(f.path)
	now, err := w.root.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.old == nil:
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil || f.old == nil || string(now) != string(f.old):
		return errors.New("it changed while rata was at work")
	}
	if err := w.root.Rename(f.temporary, name); err != nil {
		return err
	}
	w.placed = append(w.placed, f)
	return nil
}

// undo puts back what was there before and says what it could not.
func (w *writing) undo() error {
	var left []string
	note := func(what string, err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, fmt.Sprintf("%s: %v", what, cause(err)))
		}
	}
	for _, f := range slices.Backward(w.placed) {
		name := filepath.FromSlash(f.path)
		if f.old == nil {
			note(f.path+" is there now", w.root.Remove(name))
			continue
		}
		// What was there goes back the way the new content came: whole or not at all.
		err := w.root.WriteFile(f.temporary, f.old, f.mode)
		if err == nil {
			err = w.root.Rename(f.temporary, name)
		}
		note(f.path+" has its new content", err)
	}
	for _, f := range w.staged {
		note(filepath.ToSlash(f.temporary)+" is left over", w.root.Remove(f.temporary))
	}
	for _, folder := range slices.Backward(w.folders) {
		note(filepath.ToSlash(folder)+" is left over", w.root.Remove(folder))
	}
	if w.root != nil {
		w.root.Close() // Windows removes no folder that is open
	}
	for _, folder := range slices.Backward(w.above) {
		note(folder+" is left over", os.Remove(folder))
	}
	if left == nil {
		return nil
	}
	return errors.New("but this could not be put back:\n  " + strings.Join(left, "\n  "))
}
