package walk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// MaxEntries is how many files and folders are visited at most.
const MaxEntries = 1_000_000

// Entry is a file or folder on the way.
type Entry struct {
	Path string // absolute
	Rel  string // to the start, with slashes
	fs.DirEntry
	Ignored bool // by an ignore file; only seen with Options.All
}

// Options says what is visited.
type Options struct {
	Root string // above it no ignore files are looked for, where there is no repository; "" means start
	All  bool   // also what is ignored; an ignored folder is seen, but not what is in it
}

// Files visits what is below start, a folder. Folders come before what is in them, names in order. Folders that cannot be read
// are passed over. Visit may return [fs.SkipDir] to leave out what is in a folder, and [fs.SkipAll] to end without an error.
// Truncated reports that there was more than MaxEntries. The error is that of visit, or of ctx.
func Files(ctx context.Context, start string, o Options, visit func(Entry) error) (truncated bool, err error) {
	w := walker{ctx: ctx, o: o, visit: visit}
	r, prefix := above(start, o.Root)
	err = w.folder(start, "", prefix, r)
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return w.truncated, err
}

// Ignores returns what tells whether a file or folder, right in start or in one of its folders, is ignored. Root is that of
// Options.
func Ignores(start, root string) func(path string, folder bool) bool {
	r, prefix := above(start, root)
	outer := r.read(start, prefix, ".gitignore", ".ignore")
	inner := map[string]*rules{}
	return func(file string, folder bool) bool {
		rel, err := filepath.Rel(start, file)
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		full, use := path.Join(prefix, filepath.ToSlash(rel)), outer
		if dir := filepath.Dir(file); dir != start {
			if inner[dir] == nil {
				inner[dir] = outer.read(dir, path.Dir(full), ".gitignore", ".ignore")
			}
			use = inner[dir]
		}
		return use.ignored(full, folder)
	}
}

// above collects the ignore rules of the folders over start up to the root of the repository, or to top. Rules see paths that
// are relative to that folder; prefix is that of start.
func above(start, top string) (r *rules, prefix string) {
	root := start
	for !isRoot(root) {
		parent := filepath.Dir(root)
		if parent == root {
			root = top // No repository.
			break
		}
		root = parent
	}
	rel, err := filepath.Rel(root, start)
	if err != nil || root == "" || !filepath.IsLocal(rel) {
		return nil, ""
	}
	r = r.read(root, "", ".git/info/exclude")
	if rel == "." {
		return r, ""
	}
	base, folder := "", root
	for elem := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		r = r.read(folder, base, ".gitignore", ".ignore")
		base, folder = path.Join(base, elem), filepath.Join(folder, elem)
	}
	return r, base
}

// isRoot reports whether a folder is the root of a repository.
func isRoot(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

type walker struct {
	ctx       context.Context
	o         Options
	visit     func(Entry) error
	count     int
	truncated bool
}

func (w *walker) folder(folder, rel, full string, r *rules) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && len(entries) == 0 {
		return nil
	}
	r = r.read(folder, full, ".gitignore", ".ignore")
	for _, e := range entries {
		if slices.Contains([]string{".git", ".hg", ".svn", ".jj"}, e.Name()) {
			continue
		}
		if w.count++; w.count > MaxEntries {
			w.truncated = true
			return fs.SkipAll
		}
		if w.count%1024 == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		name := path.Join(full, e.Name())
		ignored := r.ignored(name, e.IsDir())
		if ignored && !w.o.All {
			continue
		}
		entry := Entry{filepath.Join(folder, e.Name()), path.Join(rel, e.Name()), e, ignored}
		err := w.visit(entry)
		if errors.Is(err, fs.SkipDir) {
			continue
		}
		if err != nil {
			return err
		}
		if !e.IsDir() || ignored {
			continue
		}
		if err := w.folder(entry.Path, entry.Rel, name, r); err != nil {
			return err
		}
	}
	return nil
}
