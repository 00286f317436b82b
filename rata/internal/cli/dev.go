package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/dev"
	"github.com/elyra-go/elyra/rata/internal/project"
	"github.com/elyra-go/elyra/rata/internal/release"
)

type devCommand struct {
	Dir        string   `help:"Folder of the app. Default: the working directory." type:"existingdir" placeholder:"DIR"`
	NoFrontend bool     `help:"Start no frontend of its own toolchain: the window shows the built files."`
	Args       []string `arg:"" optional:"" help:"What the app is started with, behind two dashes." placeholder:"ARGS"`
}

// Help is what rata dev --help says besides the flags.
func (c *devCommand) Help() string {
	return `Builds and starts the app, and does so again whenever its Go files, migrations, embedded files or elyra.toml change. While the
sources have mistakes the app from before goes on. Ctrl-C or closing the app ends it.

  rata dev
  rata dev -- --headless`
}

func (c *devCommand) Run(r *run) error {
	dir, err := filepath.Abs(cmp.Or(c.Dir, "."))
	if err != nil {
		return fmt.Errorf("dev: %w", err)
	}
	if _, err := project.Read(dir); err != nil {
		return err
	}
	err = dev.Run(r.ctx, dev.Options{
		Dir: dir, Args: c.Args,
		Build:   func(ctx context.Context, folder string) (string, error) { return c.build(ctx, r, dir, folder) },
		Environ: func() ([]string, error) { return c.environ(r, dir) },
		Say: func(format string, args ...any) {
			fmt.Fprintln(r.Stderr, "rata:", terminal.Visible(fmt.Sprintf(format, args...)))
		},
		Output: dev.Output{Stdout: r.Stdout, Stderr: r.Stderr},
	})
	if _, ended := errors.AsType[*dev.ErrEnded](err); ended {
		return &exitError{code: exitFailed} // the app said why
	}
	return inCommand("dev", err)
}

// environ is what the app gets besides the environment of now.
func (c *devCommand) environ(r *run, dir string) ([]string, error) {
	variables := []string{"ELYRA_DEV=1"}
	url, err := database(r, dir)
	if err == nil && url != "" {
		variables = append(variables, databaseVariable+"="+url)
	}
	return variables, err
}

// build generates, compiles, and brings the TypeScript up to date that elyra.toml has a place for.
func (c *devCommand) build(ctx context.Context, r *run, dir, folder string) (string, error) {
	files, err := codegen.Generate(codegen.Options{Dir: dir})
	if problems, ok := errors.AsType[codegen.Problems](err); ok {
		fmt.Fprintln(r.Stderr, terminal.Visible(problems.Error()))
		return "", dev.ErrSaid
	}
	if err != nil {
		return "", err
	}
	if err := (&generateCommand{}).write(r, files); err != nil {
		return "", err
	}
	// Without what debuggers read the linker needs half the time.
	path, err := release.Compile(ctx, dir, folder, r.Stderr, nil, "-ldflags=-w")
	if errors.Is(err, release.ErrSaid) {
		return "", dev.ErrSaid
	}
	if err != nil {
		return "", err
	}
	p, err := project.Read(dir)
	if err != nil {
		return "", err
	}
	if p.Codegen.Out == "" {
		return path, nil
	}
	building := *r
	building.ctx = ctx
	return path, (&generateCommand{TS: true, appFlags: appFlags{Dir: dir, Bin: path}}).fromApp(&building)
}
