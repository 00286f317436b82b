package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/terminal"
)

type disableCommand struct {
	projectFlags

	Server string `arg:"" help:"Name of the server."`
}

func (c *disableCommand) Run(r *run) error { return c.set(r, c.Server, false) }

type enableCommand struct {
	projectFlags

	Server string `arg:"" help:"Name of the server."`
}

func (c *enableCommand) Run(r *run) error { return c.set(r, c.Server, true) }

// set switches a server on or off, which is remembered for later sessions.
func (f *projectFlags) set(r *run, name string, on bool) error {
	s, err := f.open(r)
	if err != nil {
		return err
	}
	server, err := s.find(name)
	if err != nil {
		return err
	}
	if err := s.Switch(r.ctx, server, on); err != nil {
		return err
	}
	word := "disabled"
	if on {
		word = "enabled"
	}
	fmt.Fprintf(r.Stdout, "%s is %s\n", terminal.Visible(name), word)
	return nil
}

// find returns a configured server by its name.
func (s *session) find(name string) (config.Server, error) {
	var names []string
	for _, c := range s.Servers.Servers {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	s.warn()
	if len(names) == 0 {
		return config.Server{}, errNoServers
	}
	return config.Server{}, fmt.Errorf("there is no server %q%s", name, nearest.Hint(name, names))
}

type refreshCommand struct {
	projectFlags

	Server string `arg:"" optional:"" help:"Name of the server. Default: all that are enabled."`
}

func (c *refreshCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	servers := s.Enabled()
	if c.Server != "" {
		one, err := s.find(c.Server)
		if err != nil {
			return err
		}
		servers = []config.Server{one}
	}
	if len(servers) == 0 {
		return errNoServers
	}
	return s.with(func(ctx context.Context, h *host.Host) error {
		errs, lines := make([]error, len(servers)), make([]string, len(servers))
		each(servers, func(i int, c config.Server) {
			listing, err := h.Refresh(ctx, c.Name)
			errs[i], lines[i] = err, fmt.Sprintf("%s: %d tools\n", terminal.Visible(c.Name), len(listing.Tools))
		})
		for i, line := range lines {
			if errs[i] == nil {
				fmt.Fprint(r.Stdout, line)
			}
		}
		return errors.Join(errs...)
	})
}
