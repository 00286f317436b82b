// Package bundle owns what is made of a built app for those who install it: Debian packages, archives,
// MCP bundles, macOS apps and Windows folders, and the pictures and texts in them.
//
// It promises that the same program, texts and time make the same bytes, that a file in the output
// folder is whole or not there, and that what a package cannot say is an error before anything is
// written. It reads the programs that it is given and writes to one folder; it builds and starts nothing.
// It must not import package elyra.
package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kind is a kind of package.
type Kind string

const (
	Deb     Kind = "deb"     // a package for Debian and its relatives
	Tar     Kind = "tar"     // a .tar.gz to unpack anywhere
	MCPB    Kind = "mcpb"    // for MCP clients that install servers
	MacApp  Kind = "app"     // a .app in a .zip
	Windows Kind = "windows" // a folder in a .zip
)

// Program is a built program.
type Program struct {
	OS, Arch string // in Go's names
	Path     string
	Window   bool // it can open windows
}

// Artifact is a file that was made.
type Artifact struct {
	Kind   Kind   `json:"kind"`
	Path   string `json:"path"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Size   int64  `json:"size"` // in bytes
	SHA256 string `json:"sha256"`
}

// extensions are what the names of files end with.
var extensions = map[Kind]string{Deb: ".deb", Tar: ".tar.gz", MCPB: ".mcpb", MacApp: ".zip", Windows: ".zip"}

// Make writes one file into a folder that exists, over the file of that name. Programs are one, or for an
// MCP bundle one for each system. The time is that of all files in it.
func Make(folder string, kind Kind, app *App, at time.Time, programs ...Program) (Artifact, error) {
	var systems, archs []string
	name := app.Package + "_" + app.Version
	for _, p := range programs {
		systems, archs = append(systems, p.OS), append(archs, p.Arch)
		name += "_" + p.OS + "_" + p.Arch
	}
	a := Artifact{Kind: kind, OS: strings.Join(systems, ","), Arch: strings.Join(archs, ",")}
	a.Path = filepath.Join(folder, name+extensions[kind])
	m := maker{app: app, time: at.UTC().Truncate(time.Second), name: name}
	write, err := m.writer(kind, programs)
	if err != nil {
		return Artifact{}, fmt.Errorf("make %s: %w", filepath.Base(a.Path), err)
	}
	sum := sha256.New()
	err = replace(a.Path, func(w io.Writer) error {
		return write(io.MultiWriter(w, sum, counter{&a.Size}))
	})
	if err != nil {
		return Artifact{}, fmt.Errorf("make %s: %w", a.Path, err)
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// maker makes one file.
type maker struct {
	app  *App
	time time.Time
	name string // of the file, without its extension
}

// writer gathers what goes into a file and gives what writes it.
func (m *maker) writer(kind Kind, programs []Program) (func(io.Writer) error, error) {
	switch kind {
	case Deb:
		return m.deb(programs[0])
	case Tar:
		return m.tar(programs[0])
	case MCPB:
		return m.mcpb(programs)
	case MacApp:
		return m.macApp(programs[0])
	case Windows:
		return m.windows(programs[0])
	}
	return nil, fmt.Errorf("there is no kind %q", kind)
}

// counter counts bytes.
type counter struct{ n *int64 }

func (c counter) Write(p []byte) (int, error) {
	*c.n += int64(len(p))
	return len(p), nil
}

// replace writes a file so that it is whole or, after an error, as it was.
func replace(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".bundle-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// SumsFile is the file with the checksums of a folder's packages, as sha256sum --check reads it.
const SumsFile = "SHA256SUMS"

// Sums writes the checksums of all packages of this version of the app that are in a folder.
func Sums(folder string, app *App) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", SumsFile, err)
	}
	var lines []string
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), app.Package+"_"+app.Version+"_") || !entry.Type().IsRegular() {
			continue
		}
		sum, err := sumOf(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", fmt.Errorf("write %s: %w", SumsFile, err)
		}
		lines = append(lines, sum+"  "+entry.Name()+"\n")
	}
	slices.Sort(lines)
	path := filepath.Join(folder, SumsFile)
	return path, replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(lines, ""))
		return err
	})
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
