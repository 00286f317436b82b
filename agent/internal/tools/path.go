package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxLinks is how many links are followed to where a file would be made.
const maxLinks = 40

// Path is a file or folder that a call will touch.
type Path struct {
	Path    string // absolute, all links resolved: what will really be touched
	Write   bool
	Outside bool   // of the project
	Deny    string // why it must not be touched whatever permission says, "" when it may
}

// resolve returns where a path of the model's leads: relative ones are in the project, and ~ is the user's home. What does
// not exist is resolved as far as it does.
func (s *session) resolve(name string, write bool) (Path, error) {
	switch {
	case name == "":
		return Path{}, errors.New("the path is empty")
	case strings.ContainsRune(name, 0):
		return Path{}, errors.New("the path contains a NUL character")
	case name == "~" || strings.HasPrefix(name, "~/"):
		if s.UserHome == "" {
			return Path{}, errors.New("the path begins with ~, and there is no home folder: use an absolute one")
		}
		name = filepath.Join(s.UserHome, name[1:])
	case !filepath.IsAbs(name):
		name = filepath.Join(s.Dir, name)
	}
	real, err := follow(filepath.Clean(name))
	if err != nil {
		return Path{}, err
	}
	p := Path{Path: real, Write: write, Outside: !inside(s.Dir, real)}
	if write {
		p.Deny = s.protected(real)
		return p, nil
	}
	p.Deny = s.secret(real)
	p.Outside = p.Outside && !(s.Overflow != "" && inside(s.Overflow, real)) // What was cut is the model's own.
	return p, nil
}

// follow resolves the links of an absolute path, also those that lead to something that does not exist yet.
func follow(path string) (string, error) {
	for range maxLinks {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return real, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDir) {
			return "", plainError(err)
		}
		if target, err := os.Readlink(path); err == nil { // A link to nothing: a write would make its target.
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(path), target)
			}
			path = filepath.Clean(target)
			continue
		}
		parent, base := filepath.Dir(path), filepath.Base(path)
		if parent == path {
			return path, nil
		}
		real, err = follow(parent)
		return filepath.Join(real, base), err
	}
	return "", errors.New("the path leads through too many links")
}

// inside reports whether path is dir or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// secret says why a resolved path is never read, "" when it may be.
func (s *session) secret(path string) string {
	if slices.ContainsFunc(s.secrets, func(secret string) bool { return strings.EqualFold(secret, path) }) {
		return "it holds keys"
	}
	return ""
}

// secretFiles are the files in the agent's folder that hold keys.
func secretFiles() []string { return []string{"auth.json", "extension-credentials.json"} }

// protected says why a resolved path is never written to, "" when it may be. Letter case does not count, because there are
// file systems where it does not.
func (s *session) protected(path string) string {
	if s.Home != "" && inside(strings.ToLower(s.Home), strings.ToLower(path)) {
		return "it belongs to the agent's own folder"
	}
	for elem := range strings.SplitSeq(path, string(filepath.Separator)) {
		// Windows and macOS ignore some endings and characters of names.
		switch strings.ToLower(strings.TrimRight(strings.Map(visibleOnly, elem), ". ")) {
		case ".git":
			return "it belongs to Git's own data: use git commands"
		case ".elyra":
			return "it belongs to the agent's settings: the user changes them"
		}
	}
	return ""
}

func visibleOnly(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// allowed resolves a path again when a call runs, and refuses one that permission was not given for.
func (s *session) allowed(call Call, name string, write bool) (Path, error) {
	p, err := s.resolve(name, write)
	switch {
	case err != nil:
		return Path{}, err
	case p.Deny != "":
		return Path{}, fmt.Errorf("%s must not be touched: %s", s.show(p.Path), p.Deny)
	case call.Paths != nil && !slices.Contains(call.Paths, p):
		return Path{}, fmt.Errorf("%s leads elsewhere than when permission was given: try again", show(name))
	}
	return p, nil
}

// show writes a resolved path for people and models: relative within the project, slashes, quoted when it has characters
// that would not be seen.
func (s *session) show(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return show(filepath.ToSlash(path))
}

func show(name string) string {
	if result.Clean(name) != name || strings.ContainsAny(name, "\n\t") {
		return fmt.Sprintf("%q", name)
	}
	return name
}

// plainError takes operation and path off an error of the file system.
func plainError(err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	case errors.As(err, &p):
		return p.Err
	}
	return err
}
