package core

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/settings"
	"github.com/elyra-go/elyra/agent/internal/tools/shell"
)

// openGate makes what decides about calls, by the user's rules.
func (c *Core) openGate() (*permission.Gate, error) {
	p := c.Workspace.Settings.Permissions
	o := permission.Options{
		Project: c.Workspace.Project, AgentHome: c.Workspace.Home.Path(), UserHome: c.o.UserHome,
		Readable: []string{c.Workspace.Home.Path("results")},
		AllowAll: c.o.AllowAll, Approved: p.MCP, TrustHints: p.TrustHints, FreeCommands: true,
		Asker: c.asker(), Describe: c.table.request, Judge: judge, Notice: c.o.Notice, Stop: loop.ErrStop,
		SaveRule: func(ctx context.Context, rule string) error {
			return settings.Update(ctx, c.Workspace.Home, "permissions.allow", func(rules []string) []string { return append(rules, rule) })
		},
		SaveTool: func(ctx context.Context, identity, hash string) error {
			return settings.PutAt(ctx, c.Workspace.Home, []string{"permissions", "mcp", identity}, hash)
		},
	}
	for _, skill := range c.skills { // The model reads them when it needs them.
		o.Readable = append(o.Readable, filepath.Dir(skill.Path))
	}
	for _, list := range []struct {
		texts []string
		rules *[]permission.Rule
	}{{p.Allow, &o.Allow}, {p.Ask, &o.Ask}, {p.Deny, &o.Deny}} {
		rules, err := permission.ParseRules(list.texts)
		if err != nil {
			return nil, fmt.Errorf("permissions in settings.json: %w", err)
		}
		*list.rules = rules
	}
	o.Allow = append(o.Allow, c.o.Allow...)
	return permission.New(o), nil
}

func judge(command string) permission.Command {
	v := shell.Judge(command)
	return permission.Command{Parsed: v.Parsed, ReadOnly: v.ReadOnly, Programs: v.Programs, Prefixes: v.Prefixes, Reads: v.Reads, Writes: v.Writes}
}

// heard reports whether what a server says about itself may reach the model: the user has approved a tool of it for ever,
// or trusts what it says.
func (c *Core) heard(server string) bool {
	p := c.Workspace.Settings.Permissions
	for _, trusted := range p.TrustHints {
		if trusted == server {
			return true
		}
	}
	for identity := range p.MCP {
		if len(identity) > len(server) && identity[:len(server)+1] == server+"/" {
			return true
		}
	}
	return false
}
