package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/keeper"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
	"github.com/elyra-go/elyra/internal/nearest"
)

// Options configure New. Servers and Home are needed.
type Options struct {
	// Servers are the usable servers, each name once.
	Servers []config.Server
	// Dir is where local servers run whose configuration names no other folder: the folder of the project.
	Dir string
	// Home is where the servers' logs are kept.
	Home *home.Dir
	// Cache keeps what servers listed. Nil: nothing is remembered.
	Cache *catalog.Cache
	// Environ is the environment of the program, of which local servers get the harmless part and what their
	// configuration adds.
	Environ []string
	// Info is what this program calls itself to servers.
	Info mcp.Implementation
	// Authorizer gives what authorizes the requests to a remote server. Nil, or a nil result: no login.
	Authorizer func(config.Server) Authorizer
	// Disabled reports whether the user has switched a server off. Nil: as its configuration says.
	Disabled func(config.Server) bool
	// Elicit puts a server's question to the user. Nil: there is nobody, and every question is declined at once.
	Elicit func(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error)
	// Notice gets what the user should know while waiting, such as that a server is still starting. Nil: nobody is told.
	Notice func(server, text string)
	// Keeper ends local servers when this program is killed. Nil: nothing does.
	Keeper *keeper.Keeper
	// Log gets what no caller is told. Nil: nothing is logged.
	Log *slog.Logger
	// StartTime bounds the start of a server until it answers. Zero: 60 s.
	StartTime time.Duration
}

// Authorizer authorizes the requests to one remote server.
type Authorizer interface {
	streamable.Authorizer
	// Subject names the login in use, "" for none. It changes when another user logs in: what was listed for one is not
	// shown to another.
	Subject() string
}

func (o Options) withDefaults() Options {
	if o.Authorizer == nil {
		o.Authorizer = func(config.Server) Authorizer { return nil }
	}
	if o.Disabled == nil {
		o.Disabled = func(s config.Server) bool { return s.Disabled }
	}
	if o.Elicit == nil {
		o.Elicit = func(context.Context, string, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
		}
	}
	if o.Notice == nil {
		o.Notice = func(string, string) {}
	}
	if o.Keeper == nil {
		o.Keeper = &keeper.Keeper{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.StartTime <= 0 {
		o.StartTime = 60 * time.Second
	}
	return o
}

// Host is all servers of a program. Its methods may be called concurrently.
type Host struct {
	opts   Options
	ctx    context.Context // ends with Close
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup

	mu      sync.RWMutex
	servers map[string]*server

	index index
}

// errClosed ends what is under way when the host is closed.
var errClosed = errors.New("the program is ending")

// ErrDisabled is wrapped when a server is switched off.
var ErrDisabled = errors.New("the server is disabled")

// New returns a host. It starts nothing.
func New(o Options) *Host {
	h := &Host{opts: o.withDefaults(), servers: map[string]*server{}}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	for _, s := range o.Servers {
		h.servers[s.Name] = newServer(h, s)
	}
	return h
}

// Close ends every server and waits until all are gone.
func (h *Host) Close() error {
	h.cancel(errClosed)
	var wg sync.WaitGroup
	servers := h.all()
	errs := make([]error, len(servers))
	for i, s := range servers {
		wg.Go(func() { errs[i] = s.close() })
	}
	wg.Wait()
	h.wg.Wait()
	return errors.Join(errs...)
}

// Reload replaces the configuration. Servers that are still the same keep their processes and their calls.
func (h *Host) Reload(servers []config.Server) config.Plan {
	h.mu.Lock()
	var old []config.Server
	for _, s := range h.sorted() {
		old = append(old, s.Server)
	}
	plan := config.Reconcile(old, servers)
	gone := h.servers
	h.servers = make(map[string]*server, len(servers))
	for _, c := range plan.Keep {
		s := gone[c.Name]
		delete(gone, c.Name)
		s.timeout.Store(int64(c.Timeout))
		h.servers[c.Name] = s
	}
	for _, c := range servers {
		if h.servers[c.Name] == nil {
			h.servers[c.Name] = newServer(h, c)
		}
	}
	h.mu.Unlock()
	for _, s := range gone {
		h.wg.Go(func() {
			if err := s.close(); err != nil {
				h.opts.Log.Warn("a server that is no longer configured did not end well", "server", s.Name, "error", err)
			}
		})
	}
	return plan
}

// Renew ends the connection to a server and forgets who was logged in, so that the next request begins anew with what is
// stored then.
func (h *Host) Renew(name string) error {
	h.mu.Lock()
	old := h.servers[name]
	if old == nil {
		h.mu.Unlock()
		return nil
	}
	h.servers[name] = newServer(h, old.Server)
	h.mu.Unlock()
	return old.close()
}

// all returns the servers by name.
func (h *Host) all() []*server {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.sorted()
}

// sorted returns the servers by name. The caller holds mu.
func (h *Host) sorted() []*server {
	all := make([]*server, 0, len(h.servers))
	for _, s := range h.servers {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *server) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// find returns a server that may be used.
func (h *Host) find(name string) (*server, error) {
	h.mu.RLock()
	s := h.servers[name]
	names := make([]string, 0, len(h.servers))
	for other := range h.servers {
		names = append(names, other)
	}
	h.mu.RUnlock()
	switch {
	case s == nil && len(names) == 0:
		return nil, fmt.Errorf("there is no server %q: no MCP server is configured", name)
	case s == nil:
		slices.Sort(names)
		return nil, fmt.Errorf("there is no server %q%s", name, nearest.Hint(name, names))
	case h.opts.Disabled(s.Server):
		return nil, fmt.Errorf("server %q: %w (elyra mcp enable %s)", name, ErrDisabled, name)
	}
	return s, nil
}

// clientOptions are those of a connection to one server.
func (h *Host) clientOptions(s *server, version string) mcpclient.Options {
	return mcpclient.Options{
		Info: h.opts.Info, Era: version, CallTimeout: s.requestTimeout(), Log: h.opts.Log.With("server", s.Name),
		Elicit: func(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
			return h.opts.Elicit(ctx, s.Name, p)
		},
		ElicitURL:      true,
		Hold:           &s.person,
		OnNotification: s.notified,
	}
}
