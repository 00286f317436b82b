package mcptools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

// directTool is a server's tool that the model has as one of its own.
type directTool struct {
	o    Options
	tool catalog.Tool
	spec model.Tool
}

// directWait is how long Direct waits for servers that were never asked before.
const directWait = 10 * time.Second

var errDirectLate = errors.New("it is still starting; mcp_search finds them when it is there")

// Direct are the tools of servers that are configured with directTools.
type Direct struct {
	o Options
	// names are the tools that were given out, by what they are called.
	names map[string]bool
	ids   map[catalog.Identity]bool
}

// NewDirect asks the servers, all at once, and returns their tools by name, as far as they are known or the servers answer in
// time. They stay what they are for the whole session. Problems are for the user.
func NewDirect(ctx context.Context, o Options) (d *Direct, tools []loop.Tool, problems []string) {
	d = &Direct{o: o, names: map[string]bool{}, ids: map[catalog.Identity]bool{}}
	wait := cmp.Or(o.DirectWait, directWait)
	ctx, cancel := context.WithTimeoutCause(ctx, wait, errDirectLate)
	defer cancel()
	servers := o.Host.Direct()
	listings, errs := make([]catalog.Listing, len(servers)), make([]error, len(servers))
	var wg sync.WaitGroup
	for i, server := range servers {
		wg.Go(func() { listings[i], errs[i] = o.Host.Listing(ctx, server) })
	}
	wg.Wait()
	var all []catalog.Tool
	for i, server := range servers {
		if errs[i] != nil {
			problems = append(problems, fmt.Sprintf("the tools of server %q are not there directly: %v", server, errs[i]))
		}
		all = append(all, listings[i].Tools...)
	}
	tools, more := d.expose(all)
	return d, tools, append(problems, more...)
}

// Late returns the tools that the servers have announced since, as far as the host knows of them; each is returned once.
func (d *Direct) Late() []loop.Tool {
	direct := map[string]bool{}
	for _, server := range d.o.Host.Direct() {
		direct[server] = true
	}
	var all []catalog.Tool
	for _, st := range d.o.Host.Status() {
		if direct[st.Server.Name] && st.Listing != nil {
			all = append(all, st.Listing.Tools...)
		}
	}
	tools, _ := d.expose(all)
	return tools
}

// expose makes tools of those that were not given out yet. One whose name another tool has is found by mcp_search only.
func (d *Direct) expose(all []catalog.Tool) (tools []loop.Tool, problems []string) {
	catalog.Expose(all)
	for _, t := range all {
		id := catalog.Identity{Server: t.Server, Tool: t.Name}
		if d.ids[id] || d.names[t.Exposed] {
			continue
		}
		d.ids[id] = true
		schema, err := catalog.ForProvider(t.InputSchema)
		if err != nil {
			problems = append(problems, fmt.Sprintf("tool %q of server %q is not there directly: %v", t.Name, t.Server, err))
			continue
		}
		d.names[t.Exposed] = true
		description := fmt.Sprintf("Tool %q of the MCP server %q, in the server's own words:\n%s", t.Name, t.Server, cut(result.Clean(t.Description), maxDescription))
		tools = append(tools, &directTool{d.o, t, model.Tool{Name: t.Exposed, Description: strings.TrimSpace(description), InputSchema: schema, Deferred: true}})
	}
	return tools, problems
}

func (t *directTool) Spec() model.Tool { return t.spec }

func (*directTool) Concurrent(jsontext.Value) bool { return false }

// Subject tells which tool of which server is meant.
func (t *directTool) Subject(arguments jsontext.Value) (Subject, bool) {
	return subject(t.o.Host, t.tool.Server, t.tool.Name, arguments), true
}

func (t *directTool) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	return call(ctx, t.o, t.tool.Server, t.tool.Name, c.Arguments, progress), nil
}
