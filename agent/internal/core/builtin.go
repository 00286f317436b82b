package core

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// builtin makes a tool of the agent's own one of the loop's.
type builtin struct {
	tool  tools.Tool
	paths *permitted
}

// permitted are the paths that calls were allowed for, by the id of the call. A path that leads elsewhere when the tool runs
// is refused by the tool.
type permitted struct {
	mu    sync.Mutex
	paths map[string][]tools.Path
}

func (p *permitted) put(id string, paths []tools.Path) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paths[id] = paths
}

func (p *permitted) take(id string) []tools.Path {
	p.mu.Lock()
	defer p.mu.Unlock()
	paths := p.paths[id]
	delete(p.paths, id)
	return paths
}

func (b *builtin) Spec() model.Tool { return b.tool.Spec() }

func (b *builtin) Concurrent(jsontext.Value) bool { return b.tool.Kind() == tools.Read }

func (b *builtin) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	got, err := b.tool.Run(ctx, tools.Call{
		Arguments: c.Arguments, Paths: b.paths.take(c.ID),
		Progress: func(chunk []byte) { progress(string(chunk)) },
	})
	out := loop.Output{IsError: got.IsError, Details: got}
	if got.Text != "" {
		out.Content = append(out.Content, model.Text(got.Text))
	}
	for _, image := range got.Images {
		out.Content = append(out.Content, model.Block{Image: &image})
	}
	if err != nil && ctx.Err() != nil { // What there was until then is worth more than that it was interrupted.
		out.IsError = true
		out.Content = append(out.Content, model.Text("(interrupted)"))
		return out, nil
	}
	return out, err
}

// openTools makes the tools of the session, which stay the same throughout it.
func (c *Core) openTools(ctx context.Context) error {
	c.table = newDescriber(c)
	if c.o.NoTools {
		return nil
	}
	c.env = tools.Env{
		Dir: c.Workspace.Project, UserHome: c.o.UserHome, Home: c.Workspace.Home.Path(), Environ: c.o.Environ,
		Overflow: c.Workspace.Home.Path("results"), ReadOnly: c.o.ReadOnly, Changed: c.note, Started: c.keeper.Watch,
		Allowed: c.hosts.has,
	}
	c.env.Transport, _ = http.DefaultTransport.(*http.Transport) // For the proxy of the environment.
	c.openHosts()
	if c.Workspace.Settings.Sandbox != "off" && !c.o.ReadOnly {
		sandbox, err := tools.FindSandbox(ctx, c.o.Environ)
		if err != nil && c.Workspace.Settings.Sandbox == "on" {
			return err
		}
		if err == nil {
			if sandbox.Cache, err = c.Workspace.Home.Folder("cache"); err != nil {
				return err
			}
			c.env.Sandbox, c.table.confined = sandbox, true
		}
	}
	c.tools = c.ownTools(c.table)
	served := c.mcpTools(ctx)
	for _, t := range append(c.childTools(served), served...) {
		c.tools = append(c.tools, t)
		c.table.named[t.Spec().Name] = t
	}
	return nil
}

// ownTools are the agent's own tools. They share what a model has read, and are known to a describer.
func (c *Core) ownTools(d *describer) []loop.Tool {
	var all []loop.Tool
	for _, t := range tools.New(c.env) {
		all = append(all, &builtin{t, d.paths})
		d.builtin[t.Spec().Name] = t
	}
	return all
}
