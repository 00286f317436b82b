package workspace

import (
	"context"
	"net/http"
	"runtime"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/keeper"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/mcp"
)

// HostOptions are what a program adds to a host of the workspace's servers.
type HostOptions struct {
	Info   mcp.Implementation
	Keeper *keeper.Keeper
	// Elicit puts a server's question to the user. Nil: every question is declined.
	Elicit func(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error)
	// Notice tells the user while they wait. Nil: nobody is told.
	Notice func(server, text string)
	// Offer asks the user whether to log in to a server whose request needs it, and how. Nil: nobody can be asked.
	Offer func(ctx context.Context, server string, scopes []string) (oauth.LoginOptions, bool)
}

// Host returns a host of the workspace's servers, which starts none by itself. The caller closes it.
func (w *Workspace) Host(o HostOptions) *host.Host {
	return host.New(host.Options{
		Servers: w.Servers.Servers, Dir: w.Project, Home: w.Home, Cache: w.Cache, Environ: w.o.Environ, Log: w.o.Log,
		Keeper: o.Keeper, Info: o.Info, Elicit: o.Elicit, Notice: o.Notice, Disabled: w.Disabled,
		Authorizer: func(c config.Server) host.Authorizer {
			login, err := w.Login(c, o.Offer)
			if err != nil {
				w.o.Say(err.Error())
			}
			if err != nil || login == nil {
				return nil
			}
			return login
		},
	})
}

// Login makes the login of a remote server. Nil: a local server, or one that manages its own authorization.
func (w *Workspace) Login(c config.Server, offer func(context.Context, string, []string) (oauth.LoginOptions, bool)) (*oauth.Session, error) {
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
	o := oauth.Options{
		Name: c.Name, Identity: "user", URL: c.URL, Header: header, Log: w.o.Log,
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, Scopes: c.Scopes, CallbackPort: c.CallbackPort,
	}
	if c.Scope == config.Project { // An entry of a project gets nothing of the user's.
		o.Identity = "project:" + w.Project
	}
	if offer != nil {
		o.Offer = func(ctx context.Context, scopes []string) (oauth.LoginOptions, bool) {
			return offer(ctx, c.Name, scopes)
		}
	}
	o.Transport, _ = http.DefaultTransport.(*http.Transport) // For the proxy of the environment.
	if runtime.GOOS == "linux" {
		o.ProcRoot = "/proc"
	}
	return w.Logins.Session(o)
}
