// Package release owns how an app becomes the program that its users get: the frontend's own build, the
// flags of the go command, the version in the program.
//
// It promises that one way is used for every release binary, and that what a tool that it runs says
// goes to the writer that it is given. It must not import package elyra: it builds apps and does not
// contain one.
package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/internal/process"
)

// ErrSaid is the error of a tool that said itself what was wrong.
var ErrSaid = errors.New("see above")

// Target is a system and an architecture, in Go's names.
type Target struct{ OS, Arch string }

func (t Target) String() string { return t.OS + "/" + t.Arch }

// Host is the system that rata runs on.
func Host() Target { return Target{runtime.GOOS, runtime.GOARCH} }

// Wanted is the target that the environment names as for the go command, else the host.
func Wanted(lookup func(string) (string, bool)) Target {
	t := Host()
	if system, _ := lookup("GOOS"); system != "" {
		t.OS = system
	}
	if arch, _ := lookup("GOARCH"); arch != "" {
		t.Arch = arch
	}
	return t
}

// Source is an app's source.
type Source struct {
	Dir     string // of the main package
	Version string // that the program is to say of itself, without a v; "" is what the go command stamps
	// Output is where tools write.
	Output io.Writer
	// Lookup looks up environment variables. What is started inherits the process's own.
	Lookup func(string) (string, bool)
}

// Program is a program that was built.
type Program struct {
	Path   string
	Window bool // it can open windows
}

// Build compiles the program for a target into an empty folder.
func (s Source) Build(ctx context.Context, target Target, folder string) (Program, error) {
	window, err := s.Window(ctx, target)
	if err != nil {
		return Program{}, err
	}
	path, err := Compile(ctx, s.Dir, folder, s.Output, s.environment(target), s.flags(target, window)...)
	return Program{path, window}, err
}

// versionVariable is what the linker sets in the framework.
const versionVariable = "github.com/elyra-go/elyra.releaseVersion"

// flags are those of the go command.
func (s Source) flags(target Target, window bool) []string {
	link := "-s -w"
	if target.OS == "windows" && window {
		// A program of the console would show one beside its window. What an MCP client gives it as standard
		// input and output reaches it all the same; only a person at a prompt sees nothing.
		link += " -H windowsgui"
	}
	if s.Version != "" {
		link += " -X " + versionVariable + "=v" + s.Version
	}
	return []string{"-trimpath", "-ldflags", link}
}

// environment is what a build for a target needs besides the environment that is there. Where windows
// need no cgo it is off, unless somebody switched it on, so that the program needs no library of the
// machine that it was built on.
func (s Source) environment(target Target) []string {
	env := []string{"GOOS=" + target.OS, "GOARCH=" + target.Arch}
	if _, set := s.Lookup("CGO_ENABLED"); !set && (target.OS != "darwin" || Host().OS != "darwin") {
		env = append(env, "CGO_ENABLED=0")
	}
	return env
}

// backends are the packages that open windows.
var backends = []string{"github.com/elyra-go/elyra/window/webkitgtk", "github.com/elyra-go/elyra/contrib/wails"}

// Window reports whether the program for a target can open windows.
func (s Source) Window(ctx context.Context, target Target) (bool, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{.ImportPath}}", ".")
	cmd.Dir = s.Dir
	cmd.Env = append(cmd.Environ(), s.environment(target)...)
	cmd.Stderr = s.Output
	out, err := cmd.Output()
	if err != nil {
		return false, failure(ctx, "list the app's packages", err)
	}
	return slices.ContainsFunc(strings.Fields(string(out)), func(path string) bool { return slices.Contains(backends, path) }), nil
}

// Compile runs go build for the main package in dir, with an empty folder for the program, and gives the
// program's path. What the go command says goes to output; env is added to its environment.
func Compile(ctx context.Context, dir, folder string, output io.Writer, env []string, flags ...string) (string, error) {
	// A folder as the output makes the go command refuse a package that is no program.
	args := append([]string{"build", "-o", folder + string(filepath.Separator)}, flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = output, output
	if err := runGroup(ctx, cmd); err != nil {
		return "", failure(ctx, "build the app", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	if len(entries) != 1 {
		return "", fmt.Errorf("build the app: the go command wrote %d programs instead of one", len(entries))
	}
	return filepath.Join(folder, entries[0].Name()), nil
}

// runGroup runs a command, and ends it with the compilers and linkers that it has started when ctx ends.
func runGroup(ctx context.Context, cmd *exec.Cmd) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	group, err := process.Start(cmd)
	if err != nil {
		return err
	}
	defer group.Release()
	stop := context.AfterFunc(ctx, group.Kill)
	defer stop()
	return cmd.Wait()
}

// failure is the error of a tool: ErrSaid when it ran and failed.
func failure(ctx context.Context, operation string, err error) error {
	if _, failed := errors.AsType[*exec.ExitError](err); failed && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", operation, ErrSaid)
	}
	return fmt.Errorf("%s: %w", operation, err)
}
