package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/agent/internal/state"
	"github.com/elyra-go/elyra/agent/internal/trust"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
)

// projectFlags are the flags of every command that looks at the configuration.
type projectFlags struct {
	Project      string `help:"The project's folder. Default: the nearest one above the working directory that is a project." placeholder:"DIR"`
	TrustProject bool   `help:"Trust what the project's files define, for this run only."`
	Verbose      bool   `short:"v" help:"Show what is logged."`
}

// session is what the commands about servers share: the configuration, and what is known of the servers.
type session struct {
	*run

	home    *home.Dir
	project string
	options config.Options
	trusted bool
	set     config.Set
	trust   *trust.Store
	state   *state.Store
	off     state.Disabled
	cache   *catalog.Cache
	logins  *oauth.Store
	log     *slog.Logger
}

// open reads the configuration. It starts nothing and writes nothing.
func (f *projectFlags) open(r *run) (*session, error) {
	s := &session{run: r, log: slog.New(slog.DiscardHandler)}
	if f.Verbose {
		s.log = slog.New(slog.NewTextHandler(visibleWriter{r.Stderr}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var err error
	if s.home, err = home.Open(home.Locate(r.getenv, r.UserHome)); err != nil {
		return nil, err
	}
	folder, err := f.folder(r)
	if err != nil {
		return nil, err
	}
	if s.project, err = trust.Canonical(folder); err != nil {
		return nil, err
	}
	s.options = config.Options{
		UserHome: r.UserHome, AgentHome: s.home.Path(), Project: s.project, Getenv: r.lookup,
		GOOS: runtime.GOOS, Executable: r.Executable,
	}
	s.trust = trust.New(s.home, time.Now, trust.Contributor{Name: "MCP servers", Define: func(project string) (string, []string, error) {
		o := s.options
		o.Project = project
		return config.ProjectHash(o)
	}})
	if s.trusted, err = s.isTrusted(f.TrustProject); err != nil {
		return nil, err
	}
	s.options.Trusted = s.trusted
	s.set = config.Load(r.ctx, s.options)
	s.state = state.New(s.home)
	if s.off, err = s.state.Disabled(); err != nil && !errors.Is(err, state.ErrDamaged) {
		return nil, err
	} else if err != nil {
		s.say("%v; no server counts as switched off", err)
	}
	s.cache = catalog.NewCache(s.home, time.Now, s.log)
	s.logins = oauth.New(s.home)
	return s, nil
}

// isTrusted asks the store of trusted projects. A project that defines nothing needs no trust.
func (s *session) isTrusted(thisRun bool) (bool, error) {
	if thisRun {
		return true, nil
	}
	status, err := s.trust.Check(s.project)
	if errors.Is(err, trust.ErrDamaged) {
		s.say("%v; no project counts as trusted", err)
		err = nil
	}
	if err != nil {
		return false, fmt.Errorf("find out whether the project is trusted: %w", err)
	}
	return status.Trusted, nil
}

// folder is the project's folder: what the flag says, or the nearest folder that is one.
func (f *projectFlags) folder(r *run) (string, error) {
	if f.Project == "" {
		return projectOf(r.Dir, r.UserHome), nil
	}
	folder := f.Project
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(r.Dir, folder)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", usageError("--project: %s is no folder", folder)
	}
	return filepath.Clean(folder), nil
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
func (e *Env) lookup(name string) (string, bool) {
	for _, variable := range e.Environ {
		if key, value, ok := strings.Cut(variable, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

func (e *Env) getenv(name string) string {
	value, _ := e.lookup(name)
	return value
}

// host starts what the commands ask the servers through. The caller closes it.
func (s *session) host() *host.Host {
	asker := s.asker()
	return host.New(host.Options{
		Servers: s.set.Servers, Home: s.home, Cache: s.cache, Environ: s.Environ, Keeper: s.keeper(), Log: s.log,
		Info:       mcp.Implementation{Name: "elyra", Title: "Elyra", Version: version()},
		Authorizer: s.authorizer,
		Disabled:   s.disabled,
		Elicit:     asker.Ask,
		Notice:     func(server, text string) { s.say("server %q: %s", server, text) },
	})
}

func (r *run) asker() *terminal.Asker {
	return &terminal.Asker{Program: "elyra", Open: r.OpenTerminal, Notices: r.Stderr, Browse: r.Browse}
}

// disabled reports whether the user or the configuration has switched a server off.
func (s *session) disabled(c config.Server) bool { return c.Disabled || s.off[s.stateName(c)] }

// enabled are the servers that are not switched off.
func (s *session) enabled() []config.Server {
	return slices.DeleteFunc(slices.Clone(s.set.Servers), s.disabled)
}

// stateName is how the file of switched-off servers names a server.
func (s *session) stateName(c config.Server) state.Server {
	n := state.Server{Name: c.Name}
	if c.Scope == config.Project {
		n.Project = s.project
	}
	return n
}

// authorizer is the login of a remote server, nil when it has none.
func (s *session) authorizer(c config.Server) host.Authorizer {
	login, err := s.login(c)
	if err != nil {
		s.say("%v", err)
	}
	if err != nil || login == nil {
		return nil
	}
	return subject{login}
}

// subject tells a login by its subject.
type subject struct{ *oauth.Session }

// Subject is "" also when the credentials cannot be read, which the first request will say.
func (l subject) Subject() string {
	status, err := l.Status()
	if err != nil {
		return ""
	}
	return status.Subject
}

// login makes the login session of a remote server. Nil: a local server, or one that manages its own authorization.
func (s *session) login(c config.Server) (*oauth.Session, error) {
	if c.Transport == config.Stdio {
		return nil, nil
	}
	header := http.Header{}
	for name, value := range c.Headers {
		header.Set(name, value)
	}
	if header.Get("Authorization") != "" {
		return nil, nil
	}
	identity := "user"
	if c.Scope == config.Project {
		identity = "project:" + s.project
	}
	o := oauth.Options{
		Name: c.Name, Identity: identity, URL: c.URL, Header: header, Log: s.log,
		Offer:    s.offer(c.Name),
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, Scopes: c.Scopes, CallbackPort: c.CallbackPort,
	}
	o.Transport, _ = http.DefaultTransport.(*http.Transport) // For the proxy of the environment.
	if runtime.GOOS == "linux" {
		o.ProcRoot = "/proc"
	}
	return s.logins.Session(o)
}

// with runs be with a host and closes that.
func (s *session) with(be func(ctx context.Context, h *host.Host) error) (err error) {
	h := s.host()
	defer func() {
		if closeErr := h.Close(); closeErr != nil {
			s.say("a server did not end well: %v", closeErr)
		}
	}()
	s.warn()
	return be(s.ctx, h)
}

// warn says what of the configuration cannot be used, before an answer that lacks it.
func (s *session) warn() {
	for _, p := range s.set.Problems {
		s.say("%s", p)
	}
	for _, f := range s.set.Files {
		if f.Status == config.Skipped {
			s.say("%s is not read: %s", f.Path, f.Reason)
		}
	}
}

var errNoServers = errors.New("no MCP server is configured and enabled: add one with \"elyra mcp add\", or see docs/guide/mcp-servers.md for the files that are read")
