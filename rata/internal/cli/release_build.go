package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/project"
	"github.com/elyra-go/elyra/rata/internal/release"
)

type buildCommand struct {
	Dir  string `help:"Folder of the app's main package. Default: the working directory." type:"existingdir" placeholder:"DIR"`
	Out  string `help:"File to write, or an existing folder. Default: bin beside the source." type:"path" placeholder:"PATH"`
	JSON bool   `name:"json" help:"Print what was built as JSON."`
}

// Help is what rata build --help says besides the flags.
func (c *buildCommand) Help() string {
	return `Builds the program that users get: without paths and debug information, with the version of elyra.toml in it, and after the
frontend when its folder has a package.json with a build script. GOOS and GOARCH name another system, as for the go command.

  rata build
  rata build --out /usr/local/bin/shop
  GOARCH=arm64 rata build --out shop-arm64`
}

// built is what rata build has made.
type built struct {
	Path    string `json:"path"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Size    int64  `json:"size"`              // in bytes
	Version string `json:"version,omitempty"` // of elyra.toml
}

func (c *buildCommand) Run(r *run) error {
	dir, target := cmp.Or(c.Dir, "."), release.Wanted(r.lookup)
	s, err := openSource(r, dir)
	if err != nil {
		return err
	}
	path, err := buildInPlace(dir, c.Out, s.compile(target))
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("build the app: %w", err)
	}
	b := built{path, target.OS, target.Arch, info.Size(), s.Version}
	if c.JSON {
		return printJSON(r, b)
	}
	_, err = fmt.Fprintf(r.Stdout, "%s  %s\n", terminal.Visible(b.Path), megabytes(b.Size))
	return err
}

// source is an app's source with what its elyra.toml says.
type source struct {
	release.Source
	run      *run
	project  *project.Project // with its variables expanded
	frontend bool             // was built
}

// openSource reads elyra.toml in the folder of the main package.
func openSource(r *run, dir string) (*source, error) {
	raw, err := project.Read(dir)
	if err != nil {
		return nil, err
	}
	p, err := raw.Expanded(r.lookup)
	if err != nil {
		return nil, err
	}
	if v := p.App.Version; v != "" && !semantic.MatchString(v) {
		return nil, fmt.Errorf("%s: app.version is %q: want three numbers, such as 1.2.3 or 1.2.3-rc.1", p.At("app.version"), v)
	}
	return &source{
		Source:  release.Source{Dir: dir, Version: p.App.Version, Output: r.Stderr, Lookup: r.lookup},
		run:     r,
		project: p,
	}, nil
}

// semantic is a version of semver.org.
var semantic = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
	`(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// compile is what buildInPlace is given.
func (s *source) compile(target release.Target) func(folder string) (string, error) {
	return func(folder string) (string, error) {
		built, err := s.build(target, folder)
		return built.Path, err
	}
}

// build builds the frontend once and the program for a target, and says so on standard error.
func (s *source) build(target release.Target, folder string) (release.Program, error) {
	if dir := s.project.Frontend.Dir; dir != "" && !s.frontend {
		say := func(command string) { s.say("building the frontend in %s: %s", dir, command) }
		if err := s.Frontend(s.run.ctx, s.project.Path(dir), say); err != nil {
			return release.Program{}, err
		}
		s.frontend = true
	}
	s.say("building for %v …", target)
	start := time.Now()
	stop := s.remind(start)
	built, err := s.Build(s.run.ctx, target, folder)
	stop()
	if err != nil {
		return release.Program{}, err
	}
	s.say("built %s for %v in %.1f s", filepath.Base(built.Path), target, time.Since(start).Seconds())
	return built, nil
}

// remind tells now and then that the build goes on, until stop is called.
func (s *source) remind(start time.Time) (stop func()) {
	var running sync.WaitGroup
	ended := make(chan struct{})
	running.Go(func() {
		ticker := time.NewTicker(20 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				s.say("still building, for %.0f s: the first build for a system compiles everything once", time.Since(start).Seconds())
			}
		}
	})
	return func() {
		close(ended)
		running.Wait()
	}
}

// say tells of progress.
func (s *source) say(format string, args ...any) {
	fmt.Fprintln(s.run.Stderr, "rata:", terminal.Visible(fmt.Sprintf(format, args...)))
}

// printJSON writes a value to standard output.
func printJSON(r *run, value any) error {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.WithIndent("  "))
	if err == nil {
		_, err = r.Stdout.Write(append(text, '\n'))
	}
	return err
}

// megabytes is a size for people.
func megabytes(bytes int64) string {
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
