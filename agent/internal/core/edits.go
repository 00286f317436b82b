package core

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// FileChange is a file that was changed.
type FileChange struct {
	Path string         `json:"path"`
	What tools.Happened `json:"change"`
}

// Edits are the files that tools have changed on disk, also by commands.
type Edits struct {
	project string

	mu    sync.Mutex
	first map[string]tools.Happened // by path: what happened to it first
}

// NewEdits returns none. Names are relative to the project.
func NewEdits(project string) *Edits {
	return &Edits{project: project, first: map[string]tools.Happened{}}
}

// Note takes what a call has changed.
func (e *Edits) Note(out *loop.Output) {
	got, ok := out.Details.(tools.Output)
	if !ok {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range got.Changes {
		if _, known := e.first[c.Path]; !known {
			e.first[c.Path] = c.What
		}
	}
}

// List compares what was changed, and more that is known to be, with what is on disk now. Files that came and went again are
// not in it.
func (e *Edits) List(more []string) []FileChange {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, path := range more {
		if _, known := e.first[path]; !known {
			e.first[path] = tools.Modified
		}
	}
	var all []FileChange
	for _, path := range slices.Sorted(maps.Keys(e.first)) {
		_, err := os.Lstat(path)
		was, is := e.first[path] != tools.Created, err == nil
		c := FileChange{Path: e.name(path), What: tools.Modified}
		switch {
		case !was && !is:
			continue
		case !was:
			c.What = tools.Created
		case !is:
			c.What = tools.Deleted
		}
		all = append(all, c)
	}
	return all
}

// changes are the same as a tool tells it: what happened to each file first.
func (e *Edits) changes() []tools.Change {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []tools.Change
	for _, path := range slices.Sorted(maps.Keys(e.first)) {
		all = append(all, tools.Change{Path: path, What: e.first[path]})
	}
	return all
}

// name is a path as people write it: relative to the project, with slashes.
func (e *Edits) name(path string) string {
	if rel, err := filepath.Rel(e.project, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return result.OneLine(filepath.ToSlash(path), 4096)
}
