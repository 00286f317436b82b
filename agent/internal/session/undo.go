package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// ErrNothingToUndo says that no file was changed, or that all changes were taken back.
var ErrNothingToUndo = errors.New("there are no changes to take back")

// Changed stores what a file holds before a tool changes it, so that [Session.Undo] can take that back also after a crash.
func (s *Session) Changed(path string, before []byte, existed bool) error {
	c := Change{Path: path}
	if existed {
		var err error
		if c.Before, err = s.keep(before); err != nil {
			return err
		}
	}
	_, err := s.Add(Entry{Kind: KindChanges, Changes: []Change{c}})
	return err
}

// Undoable returns what [Session.Undo] would take back: the files that were changed since the user's last prompt after
// which files were changed, each with what it held first, in the order of their changes.
func (s *Session) Undoable() []Change {
	changes, _ := s.undoable()
	return changes
}

// undoable also returns the id of the first entry of these changes.
func (s *Session) undoable() (changes []Change, first string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until := "" // what was undone goes back to here
	for _, e := range slices.Backward(s.entries()) {
		switch {
		case until != "":
			if e.ID == until {
				until = ""
			}
		case e.Kind == KindUndone:
			until = e.Target
		case e.Kind == KindChanges:
			changes = append(slices.Clone(e.Changes), changes...)
			first = e.ID
		case e.Kind == KindMessage && first != "" && isPrompt(*e.Message):
			return firstOfEach(changes), first
		}
	}
	return firstOfEach(changes), first
}

func isPrompt(m model.Message) bool {
	return m.Role == model.User && slices.ContainsFunc(m.Content, func(b model.Block) bool { return b.Result == nil })
}

// firstOfEach keeps the first change of each file.
func firstOfEach(changes []Change) []Change {
	seen := map[string]bool{}
	return slices.DeleteFunc(changes, func(c Change) bool {
		again := seen[c.Path]
		seen[c.Path] = true
		return again
	})
}

// Undo takes back what [Session.Undoable] says, whoever has changed these files since, and returns it. What the files held
// until then is kept. If one of them cannot be written, the others are, and nothing counts as taken back.
func (s *Session) Undo() ([]Change, error) {
	changes, first := s.undoable()
	if len(changes) == 0 {
		return nil, ErrNothingToUndo
	}
	contents := make([][]byte, len(changes))
	undone := make([]Change, len(changes))
	for i, c := range changes {
		var err error
		if c.Before != "" {
			contents[i], err = s.Blob(c.Before)
		}
		if err == nil {
			undone[i], err = s.now(c.Path)
		}
		if err != nil {
			return nil, fmt.Errorf("take back the changes of %s: %w", c.Path, err)
		}
	}
	var errs []error
	for i, c := range changes {
		if err := restore(c, contents[i]); err != nil {
			errs = append(errs, fmt.Errorf("take back the changes of %s: %w", c.Path, err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	_, err := s.Add(Entry{Kind: KindUndone, Target: first, Changes: undone})
	return changes, err
}

// now keeps what a file holds.
func (s *Session) now(path string) (Change, error) {
	data, err := home.ReadFile(path, maxBlob)
	if errors.Is(err, fs.ErrNotExist) {
		return Change{Path: path}, nil
	}
	if err != nil {
		return Change{}, err
	}
	hash, err := s.keep(data)
	return Change{path, hash}, err
}

// restore makes a file what it was before a change.
func restore(c Change, data []byte) error {
	if c.Before != "" {
		return home.WriteFile(c.Path, data, 0o644)
	}
	err := os.Remove(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
