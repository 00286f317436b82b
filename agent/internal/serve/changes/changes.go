// Package changes collects what is not committed in a Git repository, for somebody to read: the staged, the unstaged and the
// untracked changes as texts of a bounded size, with a word about each file that is left out and why.
//
// It promises to change nothing (not even the index), to start nothing that the repository's settings name, and that a
// repository of any size, state or content costs a bounded amount. It works in a repository without commits, with a detached
// HEAD and with submodules. It must not import what asks models.
package changes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Scope says which changes.
type Scope string

// The scopes.
const (
	All       Scope = "all"
	Staged    Scope = "staged"
	Unstaged  Scope = "unstaged"
	Untracked Scope = "untracked"
)

// Bounds of one collection.
const (
	maxListing  = 8 << 20   // bytes of a list of files
	maxFiles    = 400       // files whose changes are shown
	maxFileText = 96 << 10  // bytes of the changes of one file
	maxText     = 960 << 10 // bytes of all
	maxLeftOut  = 100       // files that are named as left out
	batch       = 100       // files that git is asked about at a time
)

// ErrNoRepository says that the folder is in no Git repository.
var ErrNoRepository = errors.New("the project is no Git repository: there is nothing to compare with")

// File is a changed file.
type File struct {
	Path string
	From Scope  // Staged, Unstaged or Untracked
	Text string // a unified difference
}

// Omitted is a file that is left out.
type Omitted struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Set is what is not committed.
type Set struct {
	Files   []File
	Omitted []Omitted // at most 100 of them
	Left    int       // how many are left out
	Notes   []string  // on the repository
}

func (s *Set) omit(path, why string) {
	if s.Left++; s.Left <= maxLeftOut {
		s.Omitted = append(s.Omitted, Omitted{path, why})
	}
}

func (s *Set) size() (n int) {
	for _, f := range s.Files {
		n += len(f.Text)
	}
	return n
}

// Collect collects the changes of the repository at dir, an absolute path. Environ is that of git.
func Collect(ctx context.Context, dir string, environ []string, scope Scope) (*Set, error) {
	g := newGit(dir, environ)
	if out, err := g.run(ctx, 100, "", "rev-parse", "--is-inside-work-tree"); err != nil || strings.TrimSpace(string(out)) != "true" {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil && !strings.Contains(err.Error(), "not a git repository") {
			return nil, err
		}
		return nil, ErrNoRepository
	}
	if err := g.disarm(ctx); err != nil {
		return nil, err
	}
	top, err := g.top(ctx)
	if err != nil {
		return nil, err
	}
	whole := &git{top, g.environ}
	s := &Set{}
	if _, err := g.run(ctx, 100, "", "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		s.Notes = append(s.Notes, "The repository has no commits yet.")
	} else if _, err := g.run(ctx, 1000, "", "symbolic-ref", "--quiet", "HEAD"); err != nil {
		s.Notes = append(s.Notes, "HEAD is detached.")
	}
	for _, part := range []Scope{Staged, Unstaged, Untracked} {
		if scope != All && scope != part {
			continue
		}
		switch part {
		case Untracked:
			err = s.untracked(ctx, g)
		case Unstaged:
			if err = s.tracked(ctx, whole, part); err == nil {
				err = s.submodules(ctx, whole)
			}
		default:
			err = s.tracked(ctx, whole, part)
		}
		if err != nil {
			return nil, fmt.Errorf("collect the %s changes: %w", part, err)
		}
	}
	return s, nil
}

// Chunks divides files into parts of about size bytes, each whole files. A file that is larger is a part of its own.
func Chunks(files []File, size int) [][]File {
	var all [][]File
	left := 0
	for _, f := range files {
		if len(all) == 0 || len(f.Text) > left {
			all = append(all, nil)
			left = size
		}
		last := len(all) - 1
		all[last] = append(all[last], f)
		left -= len(f.Text)
	}
	return all
}

// room reports whether another file may be shown, and leaves it out otherwise.
func (s *Set) room(path string) bool {
	if len(s.Files) < maxFiles && s.size() < maxText {
		return true
	}
	s.omit(path, "there are too many changes to show all of them")
	return false
}

// generated says why the changes of a file are not worth reading, "" when they are.
func generated(path string) string {
	lower := strings.ToLower(path)
	base := lower[strings.LastIndexByte(lower, '/')+1:]
	locks := []string{
		"go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "packages.lock.json",
		"composer.lock", "cargo.lock", "gemfile.lock", "poetry.lock", "pdm.lock", "uv.lock", "pipfile.lock", "flake.lock",
		"mix.lock", "pubspec.lock", "podfile.lock", "package.resolved", "gradle.lockfile", "module.bazel.lock", "deno.lock", ".terraform.lock.hcl",
	}
	switch {
	case slices.Contains(locks, base), strings.HasSuffix(base, ".lock"):
		return "a lock file"
	case strings.HasSuffix(base, ".min.js"), strings.HasSuffix(base, ".min.css"), strings.HasSuffix(base, ".map"):
		return "made by a build"
	}
	return ""
}
