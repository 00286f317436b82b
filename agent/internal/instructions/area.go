package instructions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// errOutside marks a path that leads out of where it may lead.
var errOutside = errors.New("it leads out of the folder that it belongs to")

// area is a folder and what files of it may lead to.
type area struct {
	home  string   // what ~ stands for, "" for nothing
	roots []string // with links followed
}

// newArea returns the area of folders. Those that are absent hold nothing.
func newArea(home string, roots ...string) area {
	a := area{home: home}
	for _, root := range roots {
		if root == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(root); err == nil {
			a.roots = append(a.roots, real)
		}
	}
	return a
}

// real follows the links of a path and refuses one that leads out.
func (a area) real(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	inside := slices.ContainsFunc(a.roots, func(root string) bool {
		rel, err := filepath.Rel(root, real)
		return err == nil && filepath.IsLocal(rel)
	})
	if !inside {
		return "", fmt.Errorf("%s: %w", path, errOutside)
	}
	return real, nil
}

// read reads a file as text, limit bytes at most.
func (a area) read(path string, limit int64) (real, text string, err error) {
	if real, err = a.real(path); err != nil {
		return "", "", err
	}
	data, err := home.ReadFile(real, limit)
	if err != nil {
		return real, "", err
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(string(data), "\ufffd"), "\ufeff")
	return real, strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\x00", "\ufffd"), nil
}

// names lists a folder below the area, in order, most names at most. An absent one is empty.
func (a area) names(folder string, most int) ([]string, error) {
	real, err := a.real(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(most + 1)
	if len(names) == 0 { // at its end, which is no error, or it is no folder
		return nil, nil
	}
	slices.Sort(names)
	return names[:min(len(names), most)], err
}
