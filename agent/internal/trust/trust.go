// Package trust owns trust.json: for each project that the user trusts, what its files defined at that moment.
//
// It promises that a project is trusted only while what its files define is what the user has seen; that a change is told
// in lines for a person; that a damaged file means that nothing is trusted, is said, and is kept beside the one that
// replaces it.
//
// A project is a folder by its canonical path. Trust in a folder says nothing about those below or above it, unlike in
// editors that offer to trust a parent: there is one record of what was seen for each project, and a project cloned into a
// trusted folder has not been seen.
//
// What counts is given by contributors. The package must not import another package of the agent than home.
package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const fileName = "trust.json"

// maxLines is how many lines of one contributor are kept to tell what has changed.
const maxLines = 1000

// ErrDamaged marks a file that makes no sense. Nothing is trusted then.
var ErrDamaged = errors.New("damaged file")

// Contributor is one kind of thing that a project's files define: servers, settings, hooks.
type Contributor struct {
	// Name stands in the file and in messages. It must not change.
	Name string
	// Define returns a hash of all that the project in a folder defines, and a line for a person on each thing. The hash is ""
	// if that is nothing. It must not start anything.
	Define func(project string) (hash string, lines []string, err error)
}

// Store decides about projects.
type Store struct {
	dir          *home.Dir
	now          func() time.Time
	contributors []Contributor
}

// New returns the store in the agent's folder.
func New(dir *home.Dir, now func() time.Time, contributors ...Contributor) *Store {
	return &Store{dir, now, contributors}
}

// Status is what is known about a project.
type Status struct {
	Project string // its canonical path
	// Trusted says that its files may define what they do now. A project that defines nothing is trusted.
	Trusted bool
	// Known says that the project was trusted at some time.
	Known bool
	// Defines has a line for each thing that trust would allow.
	Defines []string
	// Changed says what is not as it was trusted, if the project is known and not trusted.
	Changed []string

	parts map[string]part
}

// part is what one contributor said.
type part struct {
	Hash  string   `json:"hash"`
	Lines []string `json:"lines"`
}

type record struct {
	Trusted time.Time       `json:"trusted"`
	Parts   map[string]part `json:"parts"`
}

type file struct {
	Projects map[string]record `json:"projects"`
}

// Canonical returns the path by which a project is known: absolute, without links.
func Canonical(project string) (string, error) {
	path, err := filepath.Abs(project)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("find the project's folder: %w", err)
	}
	return path, nil
}

// Check looks at a project. With [ErrDamaged] the status holds, and the project is not trusted unless it defines nothing;
// with another error the status is zero.
func (s *Store) Check(project string) (Status, error) {
	status, err := s.look(project)
	if err != nil {
		return Status{}, fmt.Errorf("check trust: %w", err)
	}
	known, err := s.read()
	if err != nil && !errors.Is(err, ErrDamaged) {
		return Status{}, fmt.Errorf("check trust: %w", err)
	}
	old, ok := known.Projects[status.Project]
	status.Known = ok
	if ok {
		for _, c := range s.contributors {
			status.Changed = append(status.Changed, changes(c.Name, old.Parts[c.Name], status.parts[c.Name])...)
		}
	}
	status.Trusted = len(status.parts) == 0 || ok && len(status.Changed) == 0
	if status.Trusted {
		status.Changed = nil
	}
	return status, err
}

// look asks the contributors.
func (s *Store) look(project string) (Status, error) {
	path, err := Canonical(project)
	if err != nil {
		return Status{}, err
	}
	status := Status{Project: path, parts: map[string]part{}}
	for _, c := range s.contributors {
		hash, lines, err := c.Define(path)
		if err != nil {
			return Status{}, err
		}
		if hash != "" {
			status.parts[c.Name] = part{hash, lines[:min(len(lines), maxLines)]}
			status.Defines = append(status.Defines, lines...)
		}
	}
	return status, nil
}

// changes says how a part differs from what was trusted.
func changes(name string, old, now part) (lines []string) {
	if old.Hash == now.Hash {
		return nil
	}
	for _, line := range now.Lines {
		if !slices.Contains(old.Lines, line) {
			lines = append(lines, "new: "+line)
		}
	}
	for _, line := range old.Lines {
		if !slices.Contains(now.Lines, line) {
			lines = append(lines, "gone: "+line)
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "changed: something in the project's "+name+" that is not shown")
	}
	return lines
}

// Trust trusts a project as Check has shown it. If its files have changed since, they are not trusted.
func (s *Store) Trust(ctx context.Context, status Status) error {
	return s.update(ctx, status.Project, func(f *file) {
		f.Projects[status.Project] = record{Trusted: s.now().UTC().Truncate(time.Second), Parts: status.parts}
	})
}

// Revoke takes the trust in a project back. It need not exist any more.
func (s *Store) Revoke(ctx context.Context, project string) error {
	path, err := Canonical(project)
	if errors.Is(err, fs.ErrNotExist) {
		path, err = filepath.Abs(project)
	}
	if err != nil {
		return fmt.Errorf("take trust back: %w", err)
	}
	return s.update(ctx, path, func(f *file) { delete(f.Projects, path) })
}

func (s *Store) update(ctx context.Context, project string, change func(*file)) error {
	err := s.dir.Update(ctx, fileName, func(old []byte) ([]byte, error) {
		f, err := decode(old)
		if err != nil {
			if _, err := s.dir.SetAside(fileName); err != nil {
				return nil, err
			}
		}
		change(&f)
		data, err := json.Marshal(f, json.Deterministic(true), jsontext.WithIndent("  "))
		return append(data, '\n'), err
	})
	if err != nil {
		return fmt.Errorf("save trust in %s: %w", project, err)
	}
	return nil
}

func (s *Store) read() (file, error) {
	data, err := s.dir.Read(fileName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return file{}, err
	}
	f, err := decode(data)
	if err != nil {
		return f, fmt.Errorf("%s: %w: %w; no project is trusted, and the next change keeps the file under another name",
			s.dir.Path(fileName), ErrDamaged, err)
	}
	return f, nil
}

// decode reads the file's content. What it returns with an error is empty.
func decode(data []byte) (file, error) {
	f := file{Projects: map[string]record{}}
	if len(bytes.TrimSpace(data)) == 0 {
		return f, nil
	}
	var read file
	if err := json.Unmarshal(data, &read); err != nil {
		return f, err
	}
	if read.Projects != nil {
		f = read
	}
	return f, nil
}
