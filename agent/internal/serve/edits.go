package serve

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

// change is a file that a task has changed.
type change struct {
	Path string         `json:"path"`
	What tools.Happened `json:"change"`
}

// edits are the files that the tools of a task have changed on disk, also by commands.
type edits struct {
	project string

	mu    sync.Mutex
	first map[string]tools.Happened // by path: what happened to it first
}

func newEdits(project string) *edits {
	return &edits{project: project, first: map[string]tools.Happened{}}
}

// note takes what a call has changed.
func (e *edits) note(out *loop.Output) {
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

// list compares what was changed, and more that is known to be, with what is on disk now. Files that came and went again are
// not in it.
func (e *edits) list(more []string) []change {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, path := range more {
		if _, known := e.first[path]; !known {
			e.first[path] = tools.Modified
		}
	}
	var all []change
	for _, path := range slices.Sorted(maps.Keys(e.first)) {
		_, err := os.Lstat(path)
		was, is := e.first[path] != tools.Created, err == nil
		c := change{Path: e.name(path), What: tools.Modified}
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

// name is a path as people write it: relative to the project, with slashes.
func (e *edits) name(path string) string {
	if rel, err := filepath.Rel(e.project, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return result.OneLine(filepath.ToSlash(path), 4096)
}
