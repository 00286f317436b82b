package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/settings"
)

const (
	maxScript  = 16 << 20
	maxScripts = 500
)

// Define says for package trust what the hooks of a project run beyond the text of their commands, which package settings
// tells: a hash of the project's files that the commands name and of those in .elyra/hooks, and a line for each. What these
// files run in turn is not seen.
func Define(project string) (hash string, lines []string, err error) {
	scripts, err := scriptsOf(project)
	if err != nil {
		return "", nil, fmt.Errorf("look at the project's hooks: %w", err)
	}
	sum := sha256.New()
	for _, path := range scripts {
		name, err := filepath.Rel(project, path)
		if err != nil {
			return "", nil, fmt.Errorf("look at the project's hooks: %w", err)
		}
		name = filepath.ToSlash(name)
		data, err := home.ReadFile(path, maxScript)
		if err != nil {
			return "", nil, fmt.Errorf("look at the project's hooks: %w", err)
		}
		fmt.Fprintf(sum, "%q %x\n", name, sha256.Sum256(data))
		lines = append(lines, fmt.Sprintf("hooks run %q", name))
	}
	if len(scripts) == 0 {
		return "", nil, nil
	}
	return hex.EncodeToString(sum.Sum(nil)), lines, nil
}

// scriptsOf lists files of a project that its hooks may run, in order. Without hooks there are none.
func scriptsOf(project string) ([]string, error) {
	groups := settings.HooksOf(project)
	if len(groups) == 0 {
		return nil, nil
	}
	found := map[string]bool{}
	add := func(path string) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			found[path] = true
		}
	}
	entries, err := os.ReadDir(filepath.Join(project, ".elyra", "hooks"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		add(filepath.Join(project, ".elyra", "hooks", e.Name()))
	}
	for _, list := range groups {
		for _, g := range list {
			for _, h := range g.Hooks {
				for _, name := range named(h.Command) {
					path := name
					if !filepath.IsAbs(path) {
						path = filepath.Join(project, path)
					}
					if rel, err := filepath.Rel(project, path); err == nil && filepath.IsLocal(rel) {
						add(path)
					}
				}
			}
		}
	}
	if len(found) > maxScripts {
		return nil, fmt.Errorf("they name more than %d files", maxScripts)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// named lists the words of a command that may be files of the project.
func named(command string) []string {
	words := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|()<>\"'`=,", r) })
	for i, w := range words {
		for _, variable := range []string{"ELYRA_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "PWD"} {
			for _, form := range []string{"$" + variable, "${" + variable + "}", "%" + variable + "%"} {
				if rest, ok := strings.CutPrefix(w, form); ok {
					words[i] = strings.TrimLeft(rest, `/\`)
				}
			}
		}
	}
	return words
}
