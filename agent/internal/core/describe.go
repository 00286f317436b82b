package core

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/swarm"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// describer says of a call what it would do, for the gate.
type describer struct {
	core    *Core
	builtin map[string]tools.Tool
	named   map[string]loop.Tool // those of MCP, and the one for child agents
	paths   *permitted
	// confined says that commands run in a sandbox unless they ask for more.
	confined bool
}

func newDescriber(c *Core) *describer {
	return &describer{core: c, builtin: map[string]tools.Tool{}, named: map[string]loop.Tool{}, paths: &permitted{paths: map[string][]tools.Path{}}}
}

// forChild knows the tools of MCP servers, and its own later.
func (d *describer) forChild(served []loop.Tool) *describer {
	child := newDescriber(d.core)
	child.confined = d.confined
	for _, t := range served {
		child.named[t.Spec().Name] = t
	}
	return child
}

// kinds are the gate's words for those of tools.
var kinds = map[tools.Kind]permission.Kind{
	tools.Read: permission.Read, tools.Write: permission.Write, tools.Run: permission.Run, tools.Network: permission.Network,
}

// request says what a call would do. The error is for the model: the call cannot run.
func (d *describer) request(call *model.Call) (permission.Request, error) {
	if t := d.builtin[call.Name]; t != nil {
		return d.own(t, call)
	}
	t := d.named[call.Name]
	if t == nil && d == d.core.table {
		t = d.core.late.get(call.Name)
	}
	if agent, ok := t.(*swarm.Tool); ok { // What it does beyond reading in the project is asked about then.
		if agent.Changes(call.Arguments) && d.core.Gate.Planning() {
			return permission.Request{}, fmt.Errorf("plan mode is on: nothing may be changed or run yet, so there are only agents of the role %s", swarm.Plan)
		}
		return permission.Request{Tool: call.Name, Kind: permission.Read, Title: agent.Describe(call.Arguments)}, nil
	}
	if call.Name == mcptools.SearchName {
		return permission.Request{Tool: call.Name, Kind: permission.Read, Title: "search the tools of MCP servers"}, nil
	}
	named, ok := t.(mcptools.Named)
	if !ok {
		return permission.Request{}, fmt.Errorf("there is no tool %q", call.Name)
	}
	return d.server(named, call.Arguments)
}

// own is a call of a built-in tool.
func (d *describer) own(t tools.Tool, call *model.Call) (permission.Request, error) {
	paths, err := t.Paths(call.Arguments)
	if err != nil {
		return permission.Request{}, err
	}
	r := permission.Request{Tool: call.Name, Kind: kinds[t.Kind()], Title: t.Describe(call.Arguments)}
	for _, p := range paths {
		if p.Deny != "" {
			return r, fmt.Errorf("%s: %s", p.Path, p.Deny)
		}
		r.Paths = append(r.Paths, p.Path)
	}
	if commander, ok := t.(tools.Commander); ok {
		sandboxed := false
		if r.Command, sandboxed, err = commander.Command(call.Arguments); err != nil {
			return r, err
		}
		r.Unconfined = d.confined && !sandboxed
		if sandboxed {
			r.Lines = append(r.Lines, "in the sandbox: it can write to the project only, and has no network")
		}
	}
	if reacher, ok := t.(tools.Reacher); ok {
		to, err := reacher.Reach(call.Arguments)
		if err != nil {
			return r, err
		}
		r.Host, r.Lines = to.Host, append(r.Lines, "host: "+to.Host)
		if !strings.HasSuffix(r.Title, to.URL) { // it was too long for one line
			r.Lines = append(r.Lines, to.URL)
		}
		if near := tools.Near(to.Host); near != "" {
			r.Lines = append(r.Lines, "the host is "+near)
		}
	}
	if previewer, ok := t.(tools.Previewer); ok {
		// A call that will fail needs nobody's consent: the model is told at once.
		if r.Diff, err = previewer.Preview(call.Arguments); err != nil {
			return r, err
		}
	}
	d.paths.put(call.ID, paths)
	return r, nil
}

// server is a call of an MCP server's tool.
func (d *describer) server(t mcptools.Named, arguments jsontext.Value) (permission.Request, error) {
	s, ok := t.Subject(arguments)
	if !ok {
		return permission.Request{}, fmt.Errorf("the arguments do not fit: server and tool are texts, arguments is an object")
	}
	r := permission.Request{
		Tool: "mcp", Kind: permission.MCP, Server: s.Server, Name: s.Tool, Hash: s.Hash, ReadOnly: s.ReadOnly,
		Title: result.OneLine(result.Clean(s.Server+" "+s.Tool), 200),
		Lines: []string{result.OneLine(result.Clean(string(s.Arguments)), 2000)},
	}
	for _, c := range d.core.Workspace.Servers.Servers {
		if c.Name == s.Server && c.Scope == config.Project {
			r.Project, r.Shadows = d.core.Workspace.Project, c.ShadowsUser
		}
	}
	return r, nil
}
