package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/elyra-go/elyra/rata/internal/release"
)

// appFlags say which app a command is about.
type appFlags struct {
	Dir string `help:"Folder of the app's main package. Default: the working directory." type:"existingdir" xor:"app" placeholder:"DIR"`
	Bin string `help:"A built app to use instead." type:"existingfile" xor:"app" placeholder:"PATH"`
}

// app is an app that can be started.
type app struct {
	path   string // of the binary
	dir    string // to start it in
	remove func() error
}

// open builds the app unless it is built. The caller calls remove when no process of it is left.
func (f appFlags) open(r *run) (*app, error) {
	if f.Bin != "" {
		path, err := filepath.Abs(f.Bin)
		if err != nil {
			return nil, fmt.Errorf("find the app: %w", err)
		}
		return &app{path: path, remove: func() error { return nil }}, nil
	}
	folder, err := os.MkdirTemp("", "rata-")
	if err != nil {
		return nil, fmt.Errorf("build the app: %w", err)
	}
	remove := func() error { return os.RemoveAll(folder) }
	dir := cmp.Or(f.Dir, ".")
	path, err := build(r, dir, folder)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return &app{path: path, dir: dir, remove: remove}, nil
}

// build compiles the main package in dir, as it is while it is worked on, into an empty folder and gives
// the binary's path.
func build(r *run, dir, folder string) (string, error) {
	path, err := release.Compile(r.ctx, dir, folder, r.Stderr, nil)
	if errors.Is(err, release.ErrSaid) {
		return "", &exitError{code: exitFailed}
	}
	return path, err
}
