package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/bundle"
	"github.com/elyra-go/elyra/rata/internal/release"
)

type bundleCommand struct {
	Dir     string   `help:"Folder of the app's main package. Default: the working directory." type:"existingdir" placeholder:"DIR"`
	Out     string   `help:"Folder for the packages. Default: dist in the app's." type:"path" placeholder:"DIR"`
	Deb     bool     `help:"A package for Debian and Ubuntu."`
	Tar     bool     `help:"A .tar.gz to unpack anywhere."`
	MCPB    bool     `name:"mcpb" help:"An MCP bundle: clients such as Claude Desktop install it by a double click."`
	App     bool     `help:"A .app for macOS, in a .zip."`
	Windows bool     `help:"A folder for Windows, in a .zip."`
	OS      []string `name:"os" help:"Systems for --tar and --mcpb: linux, darwin, windows. Default: this one." placeholder:"OS,…"`
	Arch    []string `help:"Architectures in Go's names: amd64, arm64, …. Default: this machine's; arm64 for a macOS that this is not." placeholder:"ARCH,…"`
	JSON    bool     `name:"json" help:"Print what was made as JSON."`
}

// Help is what rata bundle --help says besides the flags.
func (c *bundleCommand) Help() string {
	return `Makes what users install, of the program that rata build makes and of what elyra.toml says. Without a flag: all that this system is
able to make for itself. The files are in dist, with their checksums in SHA256SUMS. SOURCE_DATE_EPOCH sets the time in them.

  rata bundle
  rata bundle --deb --arch amd64,arm64
  rata bundle --mcpb --os linux,darwin,windows
  rata bundle --windows --out /tmp/shop`
}

// made is what rata bundle prints as JSON.
type made struct {
	App struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"app"`
	Artifacts []bundle.Artifact `json:"artifacts"`
	Sums      string            `json:"sums"` // path of the file with the checksums
}

func (c *bundleCommand) Run(r *run) (err error) {
	jobs, err := c.jobs(release.Host())
	if err != nil {
		return err
	}
	dir := cmp.Or(c.Dir, ".")
	s, err := openSource(r, dir)
	if err != nil {
		return err
	}
	folder, err := c.folder(dir)
	if err != nil {
		return err
	}
	temporary, err := os.MkdirTemp("", "rata-")
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	p := &packaging{source: s, temporary: temporary, programs: map[release.Target]bundle.Program{}}
	if err := p.describe(); err != nil {
		return err
	}
	if jobs, err = c.fitting(p, jobs); err != nil {
		return err
	}
	if err := p.check(jobs); err != nil {
		return err
	}
	m, err := p.make(folder, jobs)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(r, m)
	}
	for _, a := range m.Artifacts {
		fmt.Fprintf(r.Stdout, "%s  %s%s\n", terminal.Visible(a.Path), megabytes(a.Size), untried(a))
	}
	_, err = fmt.Fprintf(r.Stdout, "%s\n", terminal.Visible(m.Sums))
	return err
}

// untried says of what was made for other machines that nobody has started it there.
func untried(a bundle.Artifact) string {
	var others []string
	archs := strings.Split(a.Arch, ",")
	for i, system := range strings.Split(a.OS, ",") {
		if target := (release.Target{OS: system, Arch: archs[i]}); target != release.Host() {
			others = append(others, target.String())
		}
	}
	if len(others) == 0 {
		return ""
	}
	return "  (cross-built: not tried on " + strings.Join(others, ", ") + ")"
}

// folder makes the folder for the packages.
func (c *bundleCommand) folder(dir string) (string, error) {
	folder := cmp.Or(c.Out, filepath.Join(dir, "dist"))
	if _, err := os.Stat(filepath.Join(folder, "index.html")); err == nil && c.Out == "" {
		return "", fmt.Errorf("bundle: %s holds the pages of the frontend, and what is put there may become part of the app: give another folder with --out", folder)
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return "", fmt.Errorf("bundle: %w", err)
	}
	if err := makeBuildFolder(folder); err != nil {
		return "", fmt.Errorf("bundle: %w", err)
	}
	if !isFolder(folder) {
		return "", fmt.Errorf("bundle: %s is no folder", folder)
	}
	return folder, nil
}
