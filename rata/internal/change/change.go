// Package change owns what happens to files when rata writes source: a set of planned files, compared
// with what is there, shown as a difference or written.
//
// It promises that nothing is written while any file conflicts with one that is there, that all
// conflicts are told at once, that no file is ever half-written, and that a run which fails midway
// puts back what it has changed. It writes below one folder only, also where links lead out of it. It
// must not know what the files contain, run programs or print.
package change

import (
	"fmt"
	"path"
	"slices"
)

// Set is the planned content of files in one folder. The zero value is not usable: see [New].
type Set struct {
	dir   string
	files []planned
}

// planned is one file as it should be.
type planned struct {
	path    string // relative to the folder, with forward slashes
	content []byte
	before  []byte // what rata has written there earlier
	rewrite bool   // the file may be there with before as its content
	invalid string // why the path cannot be used
}

// New returns an empty set for a folder, which need not exist yet.
func New(dir string) *Set { return &Set{dir: dir} }

// Dir is the folder.
func (s *Set) Dir() string { return s.dir }

// Create plans a new file. One that is there with other content is a conflict. The path is relative
// to the folder, with forward slashes. Of a file that is planned already only the content changes.
func (s *Set) Create(path string, content []byte) {
	s.plan(planned{path: path, content: content})
}

// Rewrite plans new content for a file that rata has written before. A file whose content is neither
// before nor the new one is a conflict: somebody has edited it. So is one that is not there any more.
func (s *Set) Rewrite(path string, before, content []byte) {
	s.plan(planned{path: path, content: content, before: before, rewrite: true})
}

func (s *Set) plan(p planned) {
	if clean := path.Clean(p.path); clean != p.path || path.IsAbs(clean) || clean == "." || clean == ".." || len(clean) > 3 && clean[:3] == "../" {
		p.invalid = "is no path below the folder"
	}
	if i := slices.IndexFunc(s.files, func(f planned) bool { return f.path == p.path }); i >= 0 {
		s.files[i].content = p.content
		return
	}
	s.files = append(s.files, p)
}

// Paths are the planned files, in the order in which they were planned.
func (s *Set) Paths() []string {
	paths := make([]string, len(s.files))
	for i, f := range s.files {
		paths[i] = f.path
	}
	return paths
}

// Content is the planned content of a file; ok is false when the file is not planned.
func (s *Set) Content(path string) (content []byte, ok bool) {
	for _, f := range s.files {
		if f.path == path {
			return f.content, true
		}
	}
	return nil, false
}

// Done is what happened to one file.
type Done struct {
	// Path is the file, relative to the folder, with forward slashes.
	Path string
	// Action is what happened to it.
	Action Action
}

// Action is what happens to a file.
type Action string

const (
	// Created is said of a file that was not there.
	Created Action = "created"
	// Updated is said of a file that rata had written before, and that nobody has edited since.
	Updated Action = "updated"
	// Overwrote is said of a file whose content somebody else has written: only with force.
	Overwrote Action = "overwrote"
	// Unchanged is said of a file that had the planned content already.
	Unchanged Action = "unchanged"
)

// String is the line that tells people of it: "created resources/products/service.go".
func (d Done) String() string { return fmt.Sprintf("%s %s", d.Action, d.Path) }
