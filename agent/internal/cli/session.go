package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
)

// projectFlags are the flags of every command that looks at the configuration.
type projectFlags struct {
	Project      string `help:"The project's folder. Default: the nearest one above the working directory that is a project." placeholder:"DIR"`
	TrustProject bool   `help:"Trust what the project's files define, for this run only."`
	Verbose      bool   `short:"v" help:"Show what is logged."`
}

// session is a run in a workspace.
type session struct {
	*run
	*workspace.Workspace
}

// open reads the configuration. It starts nothing and writes nothing.
func (f *projectFlags) open(r *run) (*session, error) {
	o := workspace.Options{
		Environ: r.Environ, Dir: r.Dir, UserHome: r.UserHome, Executable: r.Executable, TrustProject: f.TrustProject,
		Say: func(text string) { r.say("%s", text) },
	}
	if f.Verbose {
		o.Log = slog.New(slog.NewTextHandler(visibleWriter{r.Stderr}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if f.Project != "" {
		o.Project = f.Project
		if !filepath.IsAbs(o.Project) {
			o.Project = filepath.Join(r.Dir, o.Project)
		}
		if info, err := os.Stat(o.Project); err != nil || !info.IsDir() {
			return nil, usageError("--project: %s is no folder", o.Project)
		}
	}
	w, err := workspace.Open(r.ctx, o)
	if err != nil {
		return nil, err
	}
	return &session{r, w}, nil
}

// host makes what the commands ask the servers through. The caller closes it.
func (s *session) host() *host.Host {
	return s.Host(workspace.HostOptions{
		Info:   mcp.Implementation{Name: "elyra", Title: "Elyra", Version: version()},
		Keeper: s.keeper(), Elicit: s.asker().Ask, Offer: s.offer(),
		Notice: func(server, text string) { s.say("server %q: %s", server, text) },
	})
}

func (r *run) asker() *terminal.Asker {
	return &terminal.Asker{Program: "elyra", Open: r.OpenTerminal, Notices: r.Stderr, Browse: r.Browse}
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
	for _, line := range s.Problems() {
		s.say("%s", line)
	}
}

var errNoServers = errors.New("no MCP server is configured and enabled: add one with \"elyra mcp add\", or see docs/guide/mcp-servers.md for the files that are read")
