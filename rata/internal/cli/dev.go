package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

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
	p, err := project.Read(dir)
	if err != nil {
		return err
	}
	o := dev.Options{
		Dir: dir, Args: c.Args,
		Build: func(ctx context.Context, folder string) (string, error) { return c.build(ctx, r, dir, folder) },
		Say: func(format string, args ...any) {
			fmt.Fprintln(r.Stderr, "rata:", terminal.Visible(fmt.Sprintf(format, args...)))
		},
		Output: dev.Output{Stdout: r.Stdout, Stderr: r.Stderr},
	}
	frontend, err := c.frontend(r, dir, p, o)
	if err != nil {
		return inCommand("dev", err)
	}
	server := ""
	if frontend != nil {
		defer frontend.Stop()
		server, o.Frontend = frontend.Address, frontend.Exited()
	}
	o.Environ = func(pages string) ([]string, error) { return c.environ(r, dir, pages, server) }
	err = dev.Run(r.ctx, o)
	if _, ended := errors.AsType[*dev.ErrEnded](err); ended {
		return &exitError{code: exitFailed} // the app said why
	}
	return inCommand("dev", err)
}

// frontend starts the development server of the frontend's own toolchain. Nil is none.
func (c *devCommand) frontend(r *run, dir string, p *project.Project, o dev.Options) (*dev.Frontend, error) {
	if c.NoFrontend || p.Frontend.Dir == "" || slices.Contains(c.Args, "--headless") {
		return nil, nil
	}
	folder, err := p.Expand("frontend.dir", p.Frontend.Dir, r.lookup)
	if err != nil {
		return nil, err
	}
	command, err := release.DevServer(filepath.Join(dir, filepath.FromSlash(folder)))
	if err != nil || command == nil {
		return nil, err
	}
	o.Say("starting the frontend's development server")
	return dev.StartFrontend(r.ctx, command, o.Output)
}

// environ is what the app gets besides the environment of now.
func (c *devCommand) environ(r *run, dir, pages, server string) ([]string, error) {
	if server != "" {
		pages = "" // it has them
	}
	variables, err := databaseVariables(r, dir)
	return append(variables, "ELYRA_DEV=1", "ELYRA_DEV_ASSETS="+pages, "ELYRA_DEV_SERVER="+server), err
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
	tags, err := devTags(ctx)
	if err != nil {
		return "", err
	}
	// Without what debuggers read the linker needs half the time, and the state of the repository makes no other program.
	path, err := release.Compile(ctx, dir, folder, r.Stderr, nil, "-ldflags=-w", "-buildvcs=false", "-tags="+tags)
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

// devTags are the tags to build with: those of the go command's own settings, and the one by which an app can
// show its pages' files as they are on the disk.
func devTags(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOFLAGS").Output()
	if err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	tags := "elyradev"
	for flag := range strings.FieldsSeq(string(out)) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); ok {
			tags = value + "," + tags
		}
	}
	return tags, nil
}
