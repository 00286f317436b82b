package interactive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/tools/walk"
	"github.com/elyra-go/elyra/internal/process"
)

const (
	// maxFiles is how many names of files are offered.
	maxFiles = 50_000
	// maxOutput is how much of a command's output is shown and told the model, in bytes.
	maxOutput = 256 << 10
)

// files lists the project's files that are not ignored, with slashes.
func (d *desk) files(ctx context.Context) ([]string, error) {
	var names []string
	_, err := walk.Files(ctx, d.o.Core.Workspace.Project, walk.Options{}, func(e walk.Entry) error {
		if !e.IsDir() {
			names = append(names, e.Rel)
		}
		if len(names) == maxFiles {
			return fs.SkipAll
		}
		return nil
	})
	return names, err
}

// shell runs a command that the user wrote, with all that the user may do, and returns what it printed.
func (d *desk) shell(ctx context.Context, command string, progress func(string)) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = d.o.Core.Workspace.Project, d.o.Environ
	out := &printed{progress: progress}
	cmd.Stdout, cmd.Stderr = out, out
	group, err := process.StartSession(cmd)
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("commands need sh, which is not there")
	}
	if err != nil {
		return "", fmt.Errorf("run the command: %w", err)
	}
	defer group.Release()
	defer context.AfterFunc(ctx, group.Kill)()
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.text() + "\n(" + exit.String() + ")", nil
	}
	return out.text(), err
}

// printed keeps the beginning of what a command prints, and passes it on.
type printed struct {
	progress func(string)

	mu   sync.Mutex
	kept []byte
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	room := min(len(b), maxOutput-len(p.kept))
	p.kept = append(p.kept, b[:room]...)
	p.mu.Unlock()
	if room > 0 {
		p.progress(string(b[:room]))
	}
	return len(b), nil
}

func (p *printed) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.kept)
}
