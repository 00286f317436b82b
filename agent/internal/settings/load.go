package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/jsonc"
)

const (
	fileName = "settings.json"
	maxFile  = 1 << 20
	maxLine  = 400 // bytes of a setting that are shown to somebody who is to trust it
)

// Set is what the files say together.
type Set struct {
	Settings
	// ProjectHooks are those of the project's file; Hooks are the user's alone.
	ProjectHooks map[string][]HookGroup
	Problems     []jsonc.Problem
}

// ProjectFile returns the path of a project's settings.
func ProjectFile(project string) string { return filepath.Join(project, ".elyra", fileName) }

// Load reads the user's settings and, when the project is trusted, those of the project over them. Project is "" without
// one. It always returns settings: what cannot be used is in Problems.
func Load(dir *home.Dir, project string, trusted bool) Set {
	set := Set{Settings: Default()}
	data, err := dir.Read(fileName)
	set.take(dir.Path(fileName), data, err, false)
	if project == "" || !trusted {
		return set
	}
	users := set.Hooks
	set.Hooks = nil
	path := ProjectFile(project)
	data, err = home.ReadFile(path, maxFile)
	set.take(path, data, err, true)
	set.Hooks, set.ProjectHooks = users, set.Hooks
	return set
}

// take puts a file over the settings.
func (s *Set) take(path string, data []byte, err error, project bool) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && len(data) > maxFile {
		err = errors.New("the file is longer than 1 MiB")
	}
	if err != nil {
		s.Problems = append(s.Problems, jsonc.Problem{File: path, Message: err.Error()})
		return
	}
	doc, problem := jsonc.Parse(path, data, nil)
	if problem != nil {
		s.Problems = append(s.Problems, *problem)
		return
	}
	d := decoder{doc: doc, project: project}
	d.object(doc.Root, reflect.ValueOf(&s.Settings).Elem(), "")
	s.Problems = append(s.Problems, d.problems...)
}
