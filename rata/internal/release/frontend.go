package release

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// packageFile is what a frontend has that is built by tools of JavaScript.
const packageFile = "package.json"

// runner is what installs a frontend's packages and runs its scripts.
type runner struct {
	lock    string // the file that it writes
	program string
	install []string
}

// runners are known by the file that they write; the last one is for all others.
var runners = []runner{
	{"pnpm-lock.yaml", "pnpm", []string{"install", "--frozen-lockfile"}},
	{"yarn.lock", "yarn", []string{"install"}},
	{"bun.lock", "bun", []string{"install", "--frozen-lockfile"}},
	{"package-lock.json", "npm", []string{"ci"}},
	{"", "npm", []string{"install"}},
}

// Frontend runs the build script of the frontend in a folder. Without a package.json, or a build script in
// it, there is nothing to run. Say is told what is about to run.
func (s Source) Frontend(ctx context.Context, dir string, say func(command string)) error {
	file := filepath.Join(dir, packageFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("build the frontend: %w", err)
	}
	var p struct {
		Scripts         map[string]string `json:"scripts"`
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("build the frontend: read %s: %w", file, err)
	}
	if p.Scripts["build"] == "" {
		return nil
	}
	m, program, err := findRunner(dir)
	if err != nil {
		return fmt.Errorf("build the frontend: %s is there, but %w", file, err)
	}
	steps := [][]string{{"run", "build"}}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil && len(p.Dependencies)+len(p.DevDependencies) > 0 {
		steps = [][]string{m.install, steps[0]}
	}
	for _, args := range steps {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = dir
		cmd.Stdout, cmd.Stderr = s.Output, s.Output
		say(m.program + " " + strings.Join(args, " "))
		if err := cmd.Run(); err != nil {
			return failure(ctx, "build the frontend in "+dir, err)
		}
	}
	return nil
}

// findRunner gives what runs the scripts of the frontend in a folder, and the path of its program.
func findRunner(dir string) (m runner, program string, err error) {
	m = runners[len(runners)-1]
	for _, known := range runners {
		if _, err := os.Stat(filepath.Join(dir, known.lock)); known.lock != "" && err == nil {
			m = known
			break
		}
	}
	if program, err = exec.LookPath(m.program); err != nil {
		return m, "", fmt.Errorf("the program %s is not found: install it (https://nodejs.org), "+
			"or take dir out of [frontend] in elyra.toml if the built files are committed", m.program)
	}
	return m, program, nil
}
