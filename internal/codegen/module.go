package codegen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// module is a Go module on disk.
type module struct {
	path string // as its go.mod declares it
	root string // folder of its go.mod, absolute
}

// findModule gives the module that an absolute folder belongs to.
func findModule(dir string) (*module, error) {
	for root := dir; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			name := modulePath(string(text))
			if name == "" {
				return nil, fmt.Errorf("generate: %s has no module line", filepath.Join(root, "go.mod"))
			}
			return &module{path: name, root: root}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("generate: %w", err)
		}
		if root == filepath.Dir(root) {
			return nil, fmt.Errorf("%s is in no Go module: run `go mod init` first", dir)
		}
	}
}

// modulePath reads the module line of a go.mod, "" when there is none.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] != "module" {
			continue
		}
		if unquoted, err := strconv.Unquote(fields[1]); err == nil {
			return unquoted
		}
		return fields[1]
	}
	return ""
}

// importPath is how other packages import the absolute folder dir of the module.
func (m *module) importPath(dir string) (string, error) {
	rel, err := filepath.Rel(m.root, dir)
	if err != nil {
		return "", fmt.Errorf("generate: %w", err)
	}
	return path.Join(m.path, filepath.ToSlash(rel)), nil
}

// folder is where an imported package of this module lies. ok is false for every other package,
// also for one of a module nested in this one.
func (m *module) folder(importPath string) (dir string, ok bool) {
	rel, inside := strings.CutPrefix(importPath, m.path)
	if !inside || rel != "" && rel[0] != '/' {
		return "", false
	}
	dir = filepath.Join(m.root, filepath.FromSlash(rel))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", false
	}
	for at := dir; at != m.root; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return "", false
		}
	}
	return dir, true
}

// expand turns patterns into the folders they name, each once, in order. Folders that the go command
// does not look into either are passed over: testdata, vendor, those starting with "." or "_", nested modules.
func expand(base string, patterns []string) ([]string, error) {
	var dirs []string
	seen := map[string]bool{}
	add := func(dir string) {
		if dir = filepath.Clean(dir); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	for _, pattern := range patterns {
		root, recursive := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
		if pattern == "..." {
			root, recursive = ".", true
		}
		if root = filepath.FromSlash(root); !filepath.IsAbs(root) {
			root = filepath.Join(base, root)
		}
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("generate: %s is no folder: name a folder with a package, or ./... for all below", pattern)
		}
		if !recursive {
			add(root)
			continue
		}
		err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			if dir != root && passedOver(dir, entry.Name()) {
				return filepath.SkipDir
			}
			add(dir)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("generate: %w", err)
		}
	}
	return dirs, nil
}

func passedOver(dir, name string) bool {
	if name == "testdata" || name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// ImportPath is how the packages of its module import a folder, whether or not there is a package in it yet.
func ImportPath(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	m, err := findModule(absolute)
	if err != nil {
		return "", err
	}
	return m.importPath(absolute)
}
