// Package project owns elyra.toml, the file in which an app tells rata where its things are and what
// its packages say of it.
//
// It promises that a mistake in the file is an error with file, line and column, an unknown key
// included. It reads that one file, and the environment only through a function that it is given. It
// must not import package elyra or run programs. The page docs/reference/elyra-toml.md is held against
// its types.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the file's name; it lies in the folder of the app's main package.
const FileName = "elyra.toml"

// Project is what the file says. Texts are as they stand there: [Project.Expand] and
// [Project.Expanded] replace variables. Paths are relative to the file.
type Project struct {
	App      App      `toml:"app"`
	Frontend Frontend `toml:"frontend"`
	Codegen  Codegen  `toml:"codegen"`
	Database Database `toml:"database"`
	Bundle   Bundle   `toml:"bundle"`

	path string
	text []byte
}

// App is the table [app]: what the app is called.
type App struct {
	Name    string `toml:"name"`    // for people: menus, installers
	ID      string `toml:"id"`      // the one that elyra.Main is given
	Version string `toml:"version"` // 1.2.3 or 1.2.3-rc.1
	Icon    string `toml:"icon"`    // a square PNG file
}

// Frontend is the table [frontend].
type Frontend struct {
	Dir string `toml:"dir"` // folder of the frontend's sources
}

// Codegen is the table [codegen].
type Codegen struct {
	Out string `toml:"out"` // folder for generated TypeScript
}

// Database is the table [database].
type Database struct {
	URL        string `toml:"url"`        // what DATABASE_URL is when it is not set
	Migrations string `toml:"migrations"` // folder
}

// Bundle is the table [bundle]: what packages say of the app.
type Bundle struct {
	Package     string   `toml:"package"`     // name of packages and of the installed program
	Description string   `toml:"description"` // the first line says it all, the rest more
	Maintainer  string   `toml:"maintainer"`  // Name <mail@example.com>
	Homepage    string   `toml:"homepage"`
	License     string   `toml:"license"`    // an SPDX identifier
	Categories  []string `toml:"categories"` // of the desktop's menu
	Depends     []string `toml:"depends"`    // further Debian packages
}

// Read reads the file in a folder. Without one it returns an empty Project.
func Read(dir string) (*Project, error) {
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Project{path: path}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the project: %w", err)
	}
	return parse(path, text)
}

// At is the file's path with line and column of a key such as "app.name", for errors about its value.
// For a key that is not there it is the path alone.
func (p *Project) At(key string) string {
	if position, ok := keys(p.text)[key]; ok {
		return position.in(p.path)
	}
	return p.path
}

// Path is a file or folder that the file names, absolute or relative to the working directory, as the
// folder was that was read.
func (p *Project) Path(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(p.path), name)
}

// Expand replaces each ${NAME} in the text of a key by the variable's value. A variable that is not
// set is an error: its absence would make another path or address.
func (p *Project) Expand(key, text string, lookup func(string) (string, bool)) (string, error) {
	var errs []error
	expanded := variable.ReplaceAllStringFunc(text, func(match string) string {
		name := match[2 : len(match)-1]
		value, ok := lookup(name)
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s needs the variable %s, which is not set", p.At(key), key, name))
		}
		return value
	})
	return expanded, errors.Join(errs...)
}

// Expanded is the project with every ${NAME} of [app], [frontend] and [bundle] replaced: what building
// and packaging needs.
func (p *Project) Expanded(lookup func(string) (string, bool)) (*Project, error) {
	expanded := *p
	expanded.Bundle.Categories = append([]string(nil), p.Bundle.Categories...)
	expanded.Bundle.Depends = append([]string(nil), p.Bundle.Depends...)
	var errs []error
	for _, k := range fields(&expanded) {
		switch table, _, _ := strings.Cut(k.name, "."); table {
		case "app", "frontend", "bundle":
		default:
			continue
		}
		for _, text := range k.texts() {
			var err error
			if *text, err = p.Expand(k.name, *text, lookup); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return &expanded, errors.Join(errs...)
}
