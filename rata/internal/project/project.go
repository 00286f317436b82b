// Package project owns elyra.toml, the file in which an app tells rata where its things are.
//
// It promises that a mistake in the file is an error with the line, an unknown key included. It reads
// that one file, and the environment only through a function that it is given. It must not import
// package elyra or run programs.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// FileName is the file's name; it lies in the folder of the app's main package.
const FileName = "elyra.toml"

// Project is what the file says. Texts are as they stand there: [Project.Expand] replaces variables.
type Project struct {
	App struct {
		Name string `toml:"name"`
		ID   string `toml:"id"`
	} `toml:"app"`
	Frontend struct {
		Dir string `toml:"dir"` // folder of the frontend's sources, relative to the file
	} `toml:"frontend"`
	Codegen struct {
		Out string `toml:"out"` // folder for generated TypeScript, relative to the file
	} `toml:"codegen"`
	Database struct {
		URL        string `toml:"url"`        // what DATABASE_URL is when it is not set
		Migrations string `toml:"migrations"` // folder, relative to the file
	} `toml:"database"`
	Bundle map[string]any `toml:"bundle"`

	path string
	text string
}

// Read reads the file in a folder. Without one it returns an empty Project.
func Read(dir string) (*Project, error) {
	p := &Project{path: filepath.Join(dir, FileName)}
	text, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the project: %w", err)
	}
	p.text = string(text)
	meta, err := toml.Decode(p.text, p)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("%s:%d: %s", p.path, parse.Position.Line, parse.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", p.path, strings.TrimPrefix(err.Error(), "toml: ")) // it names the line
	}
	var errs []error
	for _, key := range meta.Undecoded() {
		if key[0] == "bundle" {
			continue // a free table; only what is nested within its values counts as undecoded
		}
		errs = append(errs, fmt.Errorf("%s: there is no key %s", p.at(key), key))
	}
	return p, errors.Join(errs...)
}

// at is the file's path and the line of a key.
func (p *Project) at(key toml.Key) string {
	if line := lineOf(p.text, key); line > 0 {
		return fmt.Sprintf("%s:%d", p.path, line)
	}
	return p.path
}

// lineOf finds a key or a table header, counting from 1; 0 when it is written in a way not known here.
func lineOf(text string, key toml.Key) int {
	want, table, n := strings.Join(key, "."), "", 0
	bare := func(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if header, ok := strings.CutPrefix(line, "["); ok {
			table = bare(strings.Trim(header, "[] "))
			if table == want {
				return n
			}
			table += "."
			continue
		}
		if name, _, ok := strings.Cut(line, "="); ok && table+bare(name) == want {
			return n
		}
	}
	return 0
}

var variable = regexp.MustCompile(`\$\{([^}]*)\}`)

// Expand replaces each ${NAME} in the text of a key by the variable's value. A variable that is not
// set is an error: its absence would make another path or address.
func (p *Project) Expand(key, text string, lookup func(string) (string, bool)) (string, error) {
	var errs []error
	expanded := variable.ReplaceAllStringFunc(text, func(match string) string {
		name := match[2 : len(match)-1]
		value, ok := lookup(name)
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s needs the variable %s, which is not set", p.at(strings.Split(key, ".")), key, name))
		}
		return value
	})
	return expanded, errors.Join(errs...)
}
