package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/elyra-go/elyra/internal/clientconfig"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold"
)

type newCommand struct {
	Name   string `arg:"" help:"What the app is called: lower-case letters, digits and dashes."`
	ID     string `name:"id" help:"The app's id, the reverse of a domain of yours and its name. Default: dev.example.NAME." placeholder:"ID"`
	Module string `help:"The path of its Go module. Default: NAME." placeholder:"PATH"`
	Dir    string `help:"The folder for it, which must not be there or be empty. Default: NAME." type:"path" placeholder:"DIR"`
	Elyra  string `help:"A checkout of Elyra that the app is to use. Default: the version of Elyra that this rata belongs to." type:"existingdir" placeholder:"DIR"`
	DryRun bool   `help:"Print what would be written, as a diff, and write nothing."`
}

// Help is what rata new --help says besides the flags.
func (c *newCommand) Help() string {
	return `Writes an app that runs at once: a window, a database, one resource with its commands and tests, and an MCP server that grants
agents a part of them.

  rata new shop && cd shop && go run .
  rata new shop --id com.example.shop --module github.com/you/shop --dir ~/src/shop`
}

func (c *newCommand) Run(r *run) error {
	app := scaffold.App{Name: c.Name, ID: cmp.Or(c.ID, "dev.example."+c.Name), Module: cmp.Or(c.Module, c.Name)}
	if err := app.Check(); err != nil {
		return usageError("new: %w", err)
	}
	var err error
	if app.Elyra, err = c.elyra(); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	dir := cmp.Or(c.Dir, c.Name)
	if err := checkEmpty(dir); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	set := change.New(dir)
	if err := app.Add(set); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	if c.DryRun {
		return set.Diff(r.Stdout)
	}
	done, err := set.Apply(false)
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	shown := shownPath(dir)
	for _, file := range done {
		fmt.Fprintf(r.Stdout, "%s %s\n", file.Action, terminal.Visible(filepath.ToSlash(filepath.Join(shown, filepath.FromSlash(file.Path)))))
	}
	startRepository(r, dir)
	if err := fetchModules(r, dir); err != nil {
		return fmt.Errorf("new: the app is in %s, but what it needs could not be fetched: %w\nrun `go mod tidy` there when you are connected", shown, err)
	}
	c.next(r, dir)
	return nil
}

// elyra is where the app takes the framework from.
func (c *newCommand) elyra() (scaffold.Elyra, error) {
	if c.Elyra != "" {
		return scaffold.Checkout(c.Elyra)
	}
	info, _ := debug.ReadBuildInfo()
	_, source, _, _ := runtime.Caller(0)
	return scaffold.FindElyra(info, source)
}

// checkEmpty refuses a folder with anything in it but a new repository.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into the folder: %w", err)
	}
	for _, entry := range entries {
		if entry.Name() != ".git" {
			return fmt.Errorf("%s is there and is not empty (%s is in it): take another name, or another folder with --dir; nothing was written", dir, entry.Name())
		}
	}
	return nil
}

// startRepository makes a git repository of a folder, unless it is in one or git is not there.
func startRepository(r *run, dir string) {
	inside := exec.CommandContext(r.ctx, "git", "rev-parse", "--is-inside-work-tree")
	inside.Dir = dir
	if err := inside.Run(); err == nil || errors.Is(err, exec.ErrNotFound) {
		return
	}
	init := exec.CommandContext(r.ctx, "git", "init", "--quiet")
	init.Dir = dir
	init.Stderr = r.Stderr
	// Without a repository the app is none the worse, and git says why.
	_ = init.Run()
}

// fetchModules completes the go.mod and writes the go.sum.
func fetchModules(r *run, dir string) error {
	fmt.Fprintln(r.Stderr, "rata: fetching what the app needs (go mod tidy)")
	var said bytes.Buffer
	tidy := exec.CommandContext(r.ctx, "go", "mod", "tidy")
	tidy.Dir = dir
	tidy.Env = append(tidy.Environ(), "GOWORK=off")
	tidy.Stderr = &said
	err := tidy.Run()
	if err == nil || errors.Is(err, exec.ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w\n%s", err, terminal.Visible(strings.TrimSpace(said.String())))
}

// next says what can be done now.
func (c *newCommand) next(r *run, dir string) {
	fmt.Fprintf(r.Stdout, `
%s is ready:

  %s
  go run .            # its window
  go test ./...
  rata mcp inspect    # what an agent can do with it
  rata mcp install    # how to connect Claude, Cursor or VS Code
  rata make:resource product name:string price:decimal stock:int
`, c.Name, clientconfig.Quote(runtime.GOOS, []string{"cd", shownPath(dir)}))
	workspace := exec.CommandContext(r.ctx, "go", "env", "GOWORK")
	workspace.Dir = dir
	if out, err := workspace.Output(); err == nil {
		if file := strings.TrimSpace(string(out)); file != "" && file != "off" {
			fmt.Fprintf(r.Stderr, "rata: the workspace %s covers the folder: run `go work use .` in it, else the go command does not build it\n", terminal.Visible(file))
		}
	}
}

// shownPath is a folder as one writes it in the working directory.
func shownPath(dir string) string {
	working, err := os.Getwd()
	if err != nil {
		return dir
	}
	if relative, err := filepath.Rel(working, dir); err == nil && filepath.IsAbs(dir) && filepath.IsLocal(relative) {
		return relative
	}
	return dir
}
