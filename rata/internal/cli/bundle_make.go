package cli

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elyra-go/elyra/rata/internal/bundle"
	"github.com/elyra-go/elyra/rata/internal/release"
)

// packaging is one run of rata bundle.
type packaging struct {
	*source
	temporary string // folder for programs
	programs  map[release.Target]bundle.Program
	app       bundle.App
	mcp       bool // the app lets agents in
	time      time.Time
}

// describe builds the app for this machine and asks it what it is.
func (p *packaging) describe() error {
	here, err := p.program(release.Host())
	if err != nil {
		return err
	}
	d, err := (&app{path: here.Path, dir: p.Dir}).read(p.run)
	if err != nil {
		return err
	}
	about := p.project
	if id := about.App.ID; id != "" && id != d.App.ID {
		return fmt.Errorf("%s: app.id is %s, and the program says %s to elyra.Main: make them the same", about.At("app.id"), id, d.App.ID)
	}
	p.mcp = d.App.MCP
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(here.Path), ".exe"))
	p.app = bundle.App{
		ID: d.App.ID, Name: cmp.Or(about.App.Name, d.App.Name), Package: cmp.Or(about.Bundle.Package, base),
		Description: about.Bundle.Description, Maintainer: about.Bundle.Maintainer, Homepage: about.Bundle.Homepage,
		License: about.Bundle.License, Categories: about.Bundle.Categories, Depends: about.Bundle.Depends,
		Prompts: len(d.Prompts) > 0,
	}
	for _, t := range d.Tools {
		p.app.Tools = append(p.app.Tools, bundle.Tool{Name: t.Name, Description: t.Description})
	}
	if p.app.Version, err = p.version(d.App.Version); err != nil {
		return err
	}
	if name := about.App.Icon; name != "" {
		if p.app.Icon, err = os.ReadFile(about.Path(name)); err != nil {
			return fmt.Errorf("%s: app.icon: %w", about.At("app.icon"), err)
		}
	}
	p.time, err = p.builtAt(here.Path)
	return err
}

// pseudo is the end of a version that the go command makes of a commit without a tag.
var pseudo = regexp.MustCompile(`[.-][0-9]{14}-[0-9a-f]{12}(\+.*)?$`)

// version is that of elyra.toml, else that of the git tag which the program says of itself.
func (p *packaging) version(said string) (string, error) {
	if p.Version != "" {
		if said != "v"+p.Version {
			return "", fmt.Errorf("bundle: elyra.toml says version %s, and the program says %s: is its version of Elyra older than this rata?", p.Version, said)
		}
		return p.Version, nil
	}
	tag := strings.TrimPrefix(said, "v")
	fix := `write version = "1.0.0" below [app] in ` + p.project.At("app.version")
	switch {
	case strings.HasSuffix(tag, "+dirty"):
		return "", fmt.Errorf("bundle: the source has changes that are not committed, so no git tag names its version: commit them, or %s", fix)
	case !semantic.MatchString(tag) || pseudo.MatchString(tag):
		return "", fmt.Errorf("bundle: the app has no version: %s, or tag the commit, such as v1.0.0", fix)
	}
	return tag, nil
}

// builtAt is the time in the packages: what SOURCE_DATE_EPOCH says, else that of the commit, else now.
func (p *packaging) builtAt(program string) (time.Time, error) {
	if epoch, set := p.Lookup("SOURCE_DATE_EPOCH"); set && epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || seconds < 0 {
			return time.Time{}, fmt.Errorf("bundle: SOURCE_DATE_EPOCH is %q: want seconds since 1970", epoch)
		}
		return time.Unix(seconds, 0), nil
	}
	if info, err := buildinfo.ReadFile(program); err == nil {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return at, nil
			}
		}
	}
	info, err := os.Stat(program)
	if err != nil {
		return time.Time{}, fmt.Errorf("bundle: %w", err)
	}
	return info.ModTime(), nil
}

// fitting takes out what was not asked for and cannot be, and refuses what was.
func (c *bundleCommand) fitting(p *packaging, jobs []job) ([]job, error) {
	if !p.mcp {
		if c.MCPB {
			return nil, usageError("--mcpb: %s offers nothing to agents: it was built without App.MCP", p.app.ID)
		}
		jobs = slices.DeleteFunc(jobs, func(j job) bool { return j.kind == bundle.MCPB })
	}
	if c.App && release.Host().OS != "darwin" {
		window, err := p.Window(p.run.ctx, release.Target{OS: "darwin", Arch: "arm64"})
		if err != nil {
			return nil, err
		}
		if window {
			return nil, usageError("--app: a window on macOS needs cgo and Apple's libraries, so this .app can only be made on a Mac; " +
				"--tar --os darwin and --mcpb --os darwin make packages that serve agents and open no window")
		}
	}
	return jobs, nil
}

// check says everything that packages cannot say, each with its place in elyra.toml.
func (p *packaging) check(jobs []job) error {
	if p.app.Maintainer == "" {
		if p.app.Maintainer = p.gitUser(); p.app.Maintainer != "" {
			p.say("the maintainer is %s, from git; bundle.maintainer in elyra.toml would say it", p.app.Maintainer)
		}
	}
	var kinds []bundle.Kind
	for _, j := range jobs {
		kinds = append(kinds, j.kind)
	}
	var errs []error
	for _, problem := range p.app.Check(kinds...) {
		errs = append(errs, fmt.Errorf("%s: %s: %s", p.project.At(problem.Key), problem.Key, problem.Text))
	}
	return errors.Join(errs...)
}

// gitUser is who git says commits here, or "".
func (p *packaging) gitUser() string {
	var words []string
	for _, key := range []string{"user.name", "user.email"} {
		cmd := exec.CommandContext(p.run.ctx, "git", "config", key)
		cmd.Dir = p.Dir
		out, err := cmd.Output()
		if err != nil {
			return "" // no git, or nobody
		}
		words = append(words, strings.TrimSpace(string(out)))
	}
	return fmt.Sprintf("%s <%s>", words[0], words[1])
}

// program builds the program for a target once.
func (p *packaging) program(target release.Target) (bundle.Program, error) {
	if done, ok := p.programs[target]; ok {
		return done, nil
	}
	folder, err := os.MkdirTemp(p.temporary, target.OS+"-")
	if err != nil {
		return bundle.Program{}, fmt.Errorf("bundle: %w", err)
	}
	built, err := p.build(target, folder)
	if err != nil {
		return bundle.Program{}, err
	}
	done := bundle.Program{OS: target.OS, Arch: target.Arch, Path: built.Path, Window: built.Window}
	p.programs[target] = done
	return done, nil
}

// make builds what is missing and writes the packages.
func (p *packaging) make(folder string, jobs []job) (*made, error) {
	m := &made{Artifacts: []bundle.Artifact{}}
	m.App.ID, m.App.Name, m.App.Version = p.app.ID, p.app.Name, p.app.Version
	for _, j := range jobs {
		var programs []bundle.Program
		for _, target := range j.targets {
			program, err := p.program(target)
			if err != nil {
				return nil, err
			}
			if target.OS == "darwin" && program.Window && release.Host().OS != "darwin" {
				program.Window = false
				p.say("the program for macOS was built without cgo: it serves agents and opens no window")
			}
			programs = append(programs, program)
		}
		p.say("packing %s", j)
		a, err := bundle.Make(folder, j.kind, &p.app, p.time, programs...)
		if err != nil {
			return nil, err
		}
		m.Artifacts = append(m.Artifacts, a)
	}
	var err error
	m.Sums, err = bundle.Sums(folder, &p.app)
	return m, err
}
