package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/hooks"
	"github.com/elyra-go/elyra/agent/internal/instructions"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/agent/internal/settings"
	"github.com/elyra-go/elyra/agent/internal/state"
	"github.com/elyra-go/elyra/agent/internal/trust"
)

// Options say where to look. Environ, Dir and UserHome are needed.
type Options struct {
	Environ    []string // as os.Environ gives it
	Dir        string   // the working directory
	UserHome   string
	Executable string // this program, "" if unknown
	// Project is the project's folder. Empty: the nearest folder from Dir upwards that is one.
	Project string
	// TrustProject trusts the project for this run.
	TrustProject bool
	// Say tells the user what cannot be used. Nil: nobody is told.
	Say func(text string)
	// Log gets what no caller is told. Nil: nothing is logged.
	Log *slog.Logger
}

// Workspace is a project as a user works in it.
type Workspace struct {
	Home    *home.Dir
	Project string // the canonical path
	Trusted bool
	// Servers are the configured MCP servers, with what was read and what is wrong.
	Servers config.Set
	// Config is where the servers come from.
	Config   config.Options
	Settings settings.Set
	Keys     *settings.Keys
	Trust    *trust.Store
	State    *state.Store
	Cache    *catalog.Cache
	Logins   *oauth.Store

	o   Options
	off state.Disabled
}

// Open reads the configuration.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	w := &Workspace{o: o}
	var err error
	if w.Home, err = home.Open(home.Locate(w.getenv, o.UserHome)); err != nil {
		return nil, err
	}
	if o.Project == "" {
		o.Project = projectOf(o.Dir, o.UserHome)
	}
	if w.Project, err = trust.Canonical(o.Project); err != nil {
		return nil, err
	}
	w.Config = config.Options{
		UserHome: o.UserHome, AgentHome: w.Home.Path(), Project: w.Project, Getenv: w.lookup, GOOS: runtime.GOOS, Executable: o.Executable,
	}
	w.Trust = trust.New(w.Home, time.Now, w.contributors()...)
	if w.Trusted, err = w.IsTrusted(); err != nil {
		return nil, err
	}
	w.Config.Trusted = w.Trusted
	w.Servers = config.Load(ctx, w.Config)
	w.Settings = settings.Load(w.Home, w.Project, w.Trusted)
	w.Keys = settings.NewKeys(w.Home, w.getenv)
	w.State = state.New(w.Home)
	if w.off, err = w.State.Disabled(); err != nil && !errors.Is(err, state.ErrDamaged) {
		return nil, err
	} else if err != nil {
		o.Say(fmt.Sprintf("%v; no server counts as switched off", err))
	}
	w.Cache = catalog.NewCache(w.Home, time.Now, o.Log)
	w.Logins = oauth.New(w.Home)
	return w, nil
}

// contributors are the kinds of things for which a project needs trust.
func (w *Workspace) contributors() []trust.Contributor {
	return []trust.Contributor{
		{Name: "MCP servers", Define: func(project string) (string, []string, error) {
			o := w.Config
			o.Project = project
			return config.ProjectHash(o)
		}},
		{Name: "settings", Define: settings.Define},
		{Name: "skills and prompts", Define: instructions.Define},
		{Name: "scripts of hooks", Define: hooks.Define},
	}
}

// Dir is the working directory when it is in the project, else the project's folder.
func (w *Workspace) Dir() string {
	dir, err := filepath.EvalSymlinks(w.o.Dir)
	if rel, relErr := filepath.Rel(w.Project, dir); err != nil || relErr != nil || !filepath.IsLocal(rel) {
		return w.Project
	}
	return dir
}

// Instructions say where the user and the project keep instructions, skills and prompts.
func (w *Workspace) Instructions() instructions.Options {
	return instructions.Options{UserHome: w.o.UserHome, AgentHome: w.Home.Path(), Project: w.Project, Dir: w.Dir(), Trusted: w.Trusted}
}

// IsTrusted asks anew whether the project is trusted. One that defines nothing is.
func (w *Workspace) IsTrusted() (bool, error) {
	if w.o.TrustProject {
		return true, nil
	}
	status, err := w.Trust.Check(w.Project)
	if errors.Is(err, trust.ErrDamaged) {
		w.o.Say(fmt.Sprintf("%v; no project counts as trusted", err))
		err = nil
	}
	if err != nil {
		return false, fmt.Errorf("find out whether the project is trusted: %w", err)
	}
	return status.Trusted, nil
}

// projectOf finds the nearest folder, from dir upwards, that holds a repository or a project's configuration. The user's
// home is no project, and neither is anything above it. Without one it is dir.
func projectOf(dir, userHome string) string {
	for folder := dir; folder != userHome && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		for _, sign := range []string{".git", ".mcp.json", ".elyra", filepath.Join(".cursor", "mcp.json"), filepath.Join(".vscode", "mcp.json")} {
			if _, err := os.Lstat(filepath.Join(folder, sign)); err == nil {
				return folder
			}
		}
	}
	return dir
}

// lookup gives the value of an environment variable and whether it is set.
func (w *Workspace) lookup(name string) (string, bool) {
	// As for a process, the first of two that have the same name.
	for _, variable := range w.o.Environ {
		if key, value, ok := strings.Cut(variable, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

func (w *Workspace) getenv(name string) string {
	value, _ := w.lookup(name)
	return value
}

// Disabled reports whether the user or the configuration has switched a server off.
func (w *Workspace) Disabled(c config.Server) bool { return c.Disabled || w.off[w.stateName(c)] }

// Enabled are the servers that are not switched off.
func (w *Workspace) Enabled() []config.Server {
	return slices.DeleteFunc(slices.Clone(w.Servers.Servers), w.Disabled)
}

// Switch turns a server on or off, for later sessions too.
func (w *Workspace) Switch(ctx context.Context, c config.Server, on bool) error {
	if on && c.Disabled {
		return fmt.Errorf("server %q is switched off by its entry in %s:%d: take \"disabled\" out there", c.Name, c.File, c.Line)
	}
	if err := w.State.Set(ctx, w.stateName(c), !on); err != nil {
		return err
	}
	off, err := w.State.Disabled()
	if err == nil {
		w.off = off
	}
	return err
}

// stateName is how the file of switched-off servers names a server.
func (w *Workspace) stateName(c config.Server) state.Server {
	n := state.Server{Name: c.Name}
	if c.Scope == config.Project {
		n.Project = w.Project
	}
	return n
}

// Problems are what cannot be used of the configuration, one line each.
func (w *Workspace) Problems() []string {
	var lines []string
	for _, p := range w.Servers.Problems {
		lines = append(lines, p.String())
	}
	for _, f := range w.Servers.Files {
		if f.Status == config.Skipped {
			lines = append(lines, fmt.Sprintf("%s is not read: %s", f.Path, f.Reason))
		}
	}
	for _, p := range w.Settings.Problems {
		lines = append(lines, p.String())
	}
	return lines
}
