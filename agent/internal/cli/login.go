package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/terminal"
)

type loginCommand struct {
	projectFlags

	Server    string `arg:"" help:"Name of the server."`
	NoBrowser bool   `help:"Print the address to open anywhere, and take the address that it ended at."`
}

func (c *loginCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	login, err := s.loginOf(c.Server)
	if err != nil {
		return err
	}
	defer login.Close() //nolint:errcheck // It only frees what the process had.
	if err := login.Login(r.ctx, r.loginOptions(c.NoBrowser)); err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "logged in to %s\n", terminal.Visible(c.Server))
	return nil
}

type logoutCommand struct {
	projectFlags

	Server string `arg:"" help:"Name of the server."`
}

func (c *logoutCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	login, err := s.loginOf(c.Server)
	if err != nil {
		return err
	}
	defer login.Close() //nolint:errcheck // It only frees what the process had.
	if err := login.Logout(r.ctx); err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "logged out of %s\n", terminal.Visible(c.Server))
	return nil
}

// loginOf is the login of a server that can have one.
func (s *session) loginOf(name string) (*oauth.Session, error) {
	server, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if server.Transport == config.Stdio {
		return nil, usageError("server %q runs on this machine: there is nothing to log in to", name)
	}
	login, err := s.Login(server, nil)
	if err == nil && login == nil {
		err = usageError("server %q: its configured headers contain Authorization, so it manages its own login", name)
	}
	return login, err
}

// loginOptions bring a login to the user: the browser, and what is shown and typed in the terminal.
func (r *run) loginOptions(noBrowser bool) oauth.LoginOptions {
	asker := r.asker()
	return oauth.LoginOptions{
		Open: r.Browse, NoBrowser: noBrowser,
		Show: func(host, issuer, address string) {
			r.say("log in at %s (for %s):\n  %s", host, issuer, address)
		},
		Paste: func(ctx context.Context, problem string) (string, error) {
			if problem != "" {
				r.say("%s", problem)
			}
			return asker.Line(ctx, "Paste the address that the browser ended at: ")
		},
		Client: func(ctx context.Context, issuer, redirect string) (id, secret string, err error) {
			r.say("%s registers no clients by itself. Register one there with the redirect address %s, and type what it gave you.", issuer, redirect)
			if id, err = asker.Line(ctx, "Client id: "); err == nil {
				secret, err = asker.Line(ctx, "Client secret (an empty line if there is none): ")
			}
			return id, secret, err
		},
	}
}

// offer asks, when a request needs a login, whether to start it. Nil: there is nobody to ask.
func (r *run) offer() func(ctx context.Context, server string, scopes []string) (oauth.LoginOptions, bool) {
	if r.OpenTerminal == nil {
		return nil
	}
	device, err := r.OpenTerminal()
	if err != nil {
		return nil
	}
	device.Close()
	asker := r.asker()
	return func(ctx context.Context, server string, scopes []string) (oauth.LoginOptions, bool) {
		what := ""
		if len(scopes) > 0 {
			what = " for " + strings.Join(scopes, ", ")
		}
		yes, err := asker.Confirm(ctx, terminal.Visible(fmt.Sprintf("server %q needs a login%s. Log in now? [y/N] ", server, what)))
		return r.loginOptions(false), err == nil && yes
	}
}
