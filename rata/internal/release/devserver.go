package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// DevServer gives the command that runs the script dev of the frontend in a folder, which starts Vite on the
// loopback interface. Nil is a frontend without that script, or none.
func DevServer(dir string) (command func(port string) (*exec.Cmd, error), err error) {
	file := filepath.Join(dir, packageFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("start the frontend: %w", err)
	}
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("start the frontend: read %s: %w", file, err)
	}
	if p.Scripts["dev"] == "" {
		return nil, nil
	}
	m, program, err := findRunner(dir)
	if err != nil {
		return nil, fmt.Errorf("start the frontend: %s is there, but %w", file, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		return nil, fmt.Errorf("start the frontend: its packages are not installed: run `%s install` in %s", m.program, dir)
	}
	return func(port string) (*exec.Cmd, error) {
		args := []string{"run", "dev"}
		if m.program == "npm" {
			args = append(args, "--") // the others pass on what follows
		}
		cmd := exec.Command(program, append(args, "--host", "127.0.0.1", "--port", port, "--strictPort", "--clearScreen", "false")...)
		cmd.Dir = dir
		return cmd, nil
	}, nil
}
