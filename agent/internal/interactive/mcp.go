package interactive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/nearest"
)

// verbs are what /mcp can do.
var verbs = []string{"login", "logout", "refresh", "disable", "enable", "reload"}

// completeMCP completes a verb, and behind it a server.
func (d *desk) completeMCP(prefix string) []string {
	verb, server, behind := strings.Cut(prefix, " ")
	if !behind {
		return completeOf(verbs)(prefix)
	}
	var all []string
	for _, c := range d.workspace().Servers.Servers {
		if strings.HasPrefix(c.Name, server) {
			all = append(all, verb+" "+c.Name)
		}
	}
	return all
}

// mcp shows the MCP servers, or does something about one.
func (d *desk) mcp(ctx context.Context, args string) (tui.Result, error) {
	verb, name, _ := strings.Cut(strings.TrimSpace(args), " ")
	name = strings.TrimSpace(name)
	noBrowser := false
	if verb == "login" { // As at the command line, the flag may stand before the name or behind it.
		bare := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(name, "--no-browser "), " --no-browser"))
		noBrowser, name = bare != name, bare
	}
	switch verb {
	case "":
		return tui.Result{Text: d.status()}, nil
	case "reload":
		return d.reload(ctx)
	case "refresh":
		return d.refresh(ctx, name)
	case "login", "logout", "disable", "enable":
		server, err := d.server(name)
		if err != nil {
			return tui.Result{}, err
		}
		return d.about(ctx, verb, server, noBrowser)
	}
	return tui.Result{}, fmt.Errorf("/mcp has no %q%s", verb, nearest.Hint(verb, verbs))
}

// workspace is what was configured when that was read last.
func (d *desk) workspace() *workspace.Workspace {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.o.Core.Workspace
}

// server is a configured one.
func (d *desk) server(name string) (config.Server, error) {
	var names []string
	for _, c := range d.workspace().Servers.Servers {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	if name == "" {
		return config.Server{}, errors.New("which server?")
	}
	return config.Server{}, fmt.Errorf("there is no server %q%s", name, nearest.Hint(name, names))
}

// about does what a verb says with a server.
func (d *desk) about(ctx context.Context, verb string, server config.Server, noBrowser bool) (tui.Result, error) {
	w := d.workspace()
	switch verb {
	case "disable", "enable":
		for _, each := range []*workspace.Workspace{w, d.current().Workspace} { // The session's own is older after a reload.
			if err := each.Switch(ctx, server, verb == "enable"); err != nil {
				return tui.Result{}, err
			}
		}
		return tui.Result{Text: fmt.Sprintf("%s is %sd, for later sessions too.", result.OneLine(server.Name, 200), verb)}, nil
	}
	login, err := w.Login(server, nil)
	if err != nil {
		return tui.Result{}, err
	}
	if login == nil {
		return tui.Result{}, fmt.Errorf("server %q has no login of ours: it runs on this machine, or its headers hold its authorization", server.Name)
	}
	defer login.Close() //nolint:errcheck // It only frees what the process had.
	done := "Logged in to "
	if verb == "logout" {
		done, err = "Logged out of ", login.Logout(ctx)
	} else {
		err = login.Login(ctx, d.loginOptions(noBrowser))
	}
	if h := d.current().Host; h != nil && err == nil { // What is under way uses the login of before.
		err = h.Renew(server.Name)
	}
	if err != nil {
		return tui.Result{}, err
	}
	return tui.Result{Text: done + result.OneLine(server.Name, 200) + "."}, nil
}

// refresh connects to a server, or to all that are enabled, anew.
func (d *desk) refresh(ctx context.Context, name string) (tui.Result, error) {
	c := d.current()
	if c.Host == nil {
		return tui.Result{Text: "No MCP server is used in this session."}, nil
	}
	var lines []string
	for _, s := range d.workspace().Enabled() {
		if name != "" && s.Name != name {
			continue
		}
		listing, err := c.Host.Refresh(ctx, s.Name)
		if err != nil {
			lines = append(lines, "- "+result.Clean(err.Error()))
		} else {
			lines = append(lines, fmt.Sprintf("- %s: %s", result.OneLine(s.Name, 200), counted(len(listing.Tools), "tool")))
		}
	}
	if len(lines) == 0 {
		_, err := d.server(name)
		return tui.Result{}, err
	}
	return tui.Result{Text: strings.Join(lines, "\n")}, nil
}

// reload reads all configuration files again. Servers that did not change keep their processes and calls. The model's tools
// stay as they are in this session.
func (d *desk) reload(ctx context.Context) (tui.Result, error) {
	w, err := d.o.Open(ctx)
	if err != nil {
		return tui.Result{}, err
	}
	c := d.current()
	d.mu.Lock()
	d.o.Core.Workspace = w
	d.mu.Unlock()
	text := "The configuration was read again."
	switch {
	case c.Host != nil:
		plan := c.Host.Reload(w.Servers.Servers)
		text = fmt.Sprintf("The configuration was read again: %s kept, %d new, %d changed, %d gone.",
			counted(len(plan.Keep), "server"), len(plan.Start), len(plan.Restart), len(plan.Stop))
	case len(w.Enabled()) > 0 && !d.switchedOff():
		text += " This session began without a server and stays so: `/new` begins one that uses them."
	}
	return tui.Result{Text: strings.TrimSpace(text + "\n\n" + d.notUsed())}, nil
}
