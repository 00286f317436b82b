package instructions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	maxMemory  = 64 << 10 // bytes of all files together
	maxFile    = 1 << 20  // bytes of a file that is read at all
	maxImports = 50       // in all
	maxDepth   = 5        // of imports in imports
	maxLevels  = 64       // folders between project and working directory
)

// Options say where to look. All folders are absolute; Project may be "".
type Options struct {
	UserHome  string
	AgentHome string
	Project   string // the project's folder
	Dir       string // the working directory, in the project
	Trusted   bool   // the project's skills and templates may be used
}

// File is a file with instructions.
type File struct {
	Path string
	Text string
}

// Memory reads AGENTS.md and CLAUDE.md of the user and of the project from its folder down to the working directory, and
// what they import with @path. The most general come first. Notes say what was left out.
func Memory(o Options) (files []File, notes []string) {
	m := memory{seen: map[string]bool{}, left: maxMemory}
	user := newArea(o.UserHome, o.AgentHome, o.UserHome)
	m.file(user, filepath.Join(o.AgentHome, "AGENTS.md"), 0)
	m.file(user, filepath.Join(o.UserHome, ".claude", "CLAUDE.md"), 0)
	if o.Project == "" {
		return m.files, m.notes
	}
	project := newArea("", o.Project)
	for _, folder := range levels(o.Project, o.Dir) {
		m.file(project, filepath.Join(folder, "AGENTS.md"), 0)
		m.file(project, filepath.Join(folder, "CLAUDE.md"), 0)
	}
	return m.files, m.notes
}

// levels are the folders from the project down to the working directory.
func levels(project, dir string) []string {
	rel, err := filepath.Rel(project, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return []string{project}
	}
	folders := []string{project}
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		if name != "." && len(folders) < maxLevels {
			folders = append(folders, filepath.Join(folders[len(folders)-1], name))
		}
	}
	return folders
}

type memory struct {
	files   []File
	notes   []string
	seen    map[string]bool // real paths
	left    int             // bytes that may still be read
	imports int
}

func (m *memory) note(format string, args ...any) {
	const most = 20
	if len(m.notes) < most {
		m.notes = append(m.notes, fmt.Sprintf(format, args...))
	}
}

// file takes in a file and what it imports. It reports whether there is one.
func (m *memory) file(a area, path string, depth int) bool {
	real, text, err := a.read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		if depth == 0 || errors.Is(err, errOutside) {
			m.note("%s is not read: %v", path, err)
		}
		return false
	case m.seen[real]:
		return true
	}
	m.seen[real] = true
	text = strings.TrimSpace(text)
	if text == "" {
		return true
	}
	if m.left <= 0 {
		m.note("%s is not read: instructions may have %d KB together", path, maxMemory>>10)
		return true
	}
	cut := text
	if len(cut) > m.left {
		cut = strings.ToValidUTF8(cut[:m.left], "")
		cut = cut[:max(strings.LastIndexByte(cut, '\n'), 0)]
		m.note("%s was cut after %d of %d bytes: instructions may have %d KB together", path, len(cut), len(text), maxMemory>>10)
		cut += "\n[cut here]"
		m.left = 0
	}
	m.left -= len(cut)
	m.files = append(m.files, File{path, cut})
	for _, name := range imports(cut) {
		switch {
		case depth == maxDepth:
			m.note("%s: @%s is not read: imports may be %d deep", path, name, maxDepth)
			continue
		case m.imports == maxImports:
			m.note("%s: @%s is not read: there may be %d imports", path, name, maxImports)
			return true
		}
		target := name
		if rest, ok := strings.CutPrefix(name, "~/"); ok && a.home != "" { // in the user's files only
			target = filepath.Join(a.home, rest)
		} else if !filepath.IsAbs(name) {
			target = filepath.Join(filepath.Dir(path), name)
		}
		if m.file(a, target, depth+1) { // an @ before what is no file is just text
			m.imports++
		}
	}
	return true
}

var (
	fence    = regexp.MustCompile("(?s)```.*?(```|$)|~~~.*?(~~~|$)|`[^`\n]*`|<!--.*?-->")
	imported = regexp.MustCompile(`(?m)(?:^|[\s(])@([^\s@()<>"'*|?]{1,300})`)
)

// imports returns the paths after @ in a text, outside of code.
func imports(text string) []string {
	var names []string
	for _, match := range imported.FindAllStringSubmatch(fence.ReplaceAllString(text, " "), 10*maxImports) {
		if name := strings.TrimRight(match[1], ".,;:!"); name != "" && name != ".." {
			names = append(names, name)
		}
	}
	return names
}
