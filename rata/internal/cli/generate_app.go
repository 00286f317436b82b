package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/rata/internal/project"
)

// The files that are made of what an app says of itself.
const (
	typeScriptFile = "elyra.gen.ts"
	lockFile       = "elyra.lock"
)

// generated is a file that an app's description makes.
type generated struct {
	path     string
	content  []byte
	old      []byte // nil when there is none
	mark     string // what the file begins with if rata wrote it
	contents string // for people, once it is written
}

// fromApp writes or checks the files that need the built app.
func (c *generateCommand) fromApp(r *run) (err error) {
	dir := cmp.Or(c.Dir, ".")
	p, err := project.Read(dir)
	if err != nil {
		return err
	}
	app, err := c.open(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, app.remove()) }()
	d, err := app.read(r, "ELYRA_DESCRIBE=typescript")
	if err != nil {
		return err
	}
	var files []generated
	if c.TS {
		if d.TypeScript == "" {
			return errors.New("the app says nothing of TypeScript: is its version of Elyra older than this rata?")
		}
		first, _, _ := strings.Cut(d.TypeScript, "\n")
		files = append(files, generated{
			path: filepath.Join(c.typeScriptFolder(p, dir), typeScriptFile), content: []byte(d.TypeScript), mark: first,
			contents: "what a window may call",
		})
	}
	if c.Lock {
		files = append(files, generated{
			path: filepath.Join(dir, lockFile), content: []byte(d.lock()), mark: lockHeader,
			contents: fmt.Sprintf("tools: %d", len(d.Tools)),
		})
	}
	return c.settle(r, files)
}

// typeScriptFolder is where elyra.gen.ts goes.
func (c *generateCommand) typeScriptFolder(p *project.Project, dir string) string {
	if c.Out != "" {
		return c.Out
	}
	return filepath.Join(dir, filepath.FromSlash(cmp.Or(p.Codegen.Out, p.Frontend.Dir)))
}

// settle brings the files up to date, or says which are not.
func (c *generateCommand) settle(r *run, files []generated) error {
	var stale, reasons []string
	for _, f := range files {
		var err error
		if f.old, err = os.ReadFile(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("generate: %w", err)
		}
		if bytes.Equal(f.old, f.content) {
			continue
		}
		if len(f.old) > 0 && !strings.HasPrefix(string(f.old), f.mark) {
			return fmt.Errorf("generate: %s was not written by rata generate: rename it, its name is needed", f.path)
		}
		if c.Check {
			stale = append(stale, filepath.ToSlash(f.path))
			if filepath.Base(f.path) == lockFile {
				reasons = append(reasons, lockChanges(string(f.old), string(f.content))...)
			}
			continue
		}
		if err := os.WriteFile(f.path, f.content, 0o666); err != nil {
			return fmt.Errorf("generate: %w", err)
		}
		fmt.Fprintf(r.Stdout, "wrote %s, %s\n", filepath.ToSlash(f.path), f.contents)
	}
	return c.notUpToDate(stale, reasons)
}
