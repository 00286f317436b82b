package cli

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// buildFolder is where an app is built to stay: beside its source, because caches are emptied, and a
// client's configuration names the file for as long as it exists.
const buildFolder = "bin"

// buildInPlace has the main package in dir built into dir/bin, or into the file or existing folder out, and
// gives the binary's absolute path. The binary that was there stays until the new one is ready: an
// agent may be connected to it. compile builds into an empty folder.
func buildInPlace(dir, out string, compile func(folder string) (string, error)) (path string, err error) {
	folder, name := filepath.Join(dir, buildFolder), ""
	if out == "" {
		err = makeBuildFolder(folder)
	} else if folder = out; !isFolder(out) {
		folder, name = filepath.Split(out)
		folder = filepath.Clean(folder)
	}
	if err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	temporary, err := os.MkdirTemp(folder, ".build-")
	if err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	built, err := compile(temporary)
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, cmp.Or(name, filepath.Base(built)))
	if err := checkOurs(path); err != nil {
		return "", err
	}
	if err := replaceFile(built, path); err != nil {
		return "", fmt.Errorf("build the app: %w", err)
	}
	return path, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// makeBuildFolder makes the folder unless it is there. What is in a new one is kept out of git.
func makeBuildFolder(folder string) error {
	err := os.Mkdir(folder, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("*\n"), 0o666)
}

// checkOurs refuses to replace a file that is no Go program, such as somebody's script.
func checkOurs(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := buildinfo.ReadFile(path); err != nil {
		return fmt.Errorf("build the app: %s is there and is no Go program: move it away, or build the app yourself and use --bin", path)
	}
	return nil
}

// replaceFile moves a file to where another one may be.
func replaceFile(from, to string) error {
	err := os.Rename(from, to)
	if err == nil {
		return nil
	}
	// Windows does not let go of a program that runs, but lets it have another name. What is left of
	// an earlier time is removed if it no longer runs.
	old := to + ".old"
	_ = os.Remove(old)
	if os.Rename(to, old) != nil {
		return err
	}
	return os.Rename(from, to)
}
