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

// Direct returns the tools of servers that are configured with directTools, by name, as far as they are known or their
// servers answer in time. All are asked at once. They are those of the whole session: what a server adds later is found by
// mcp_search. Problems are for the user.
func Direct(ctx context.Context, o Options) (tools []loop.Tool, problems []string) {
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
	catalog.Expose(all)
	for _, t := range all {
		schema, err := catalog.ForProvider(t.InputSchema)
		if err != nil {
			problems = append(problems, fmt.Sprintf("tool %q of server %q is not there directly: %v", t.Name, t.Server, err))
			continue
		}
		description := fmt.Sprintf("Tool %q of the MCP server %q, in the server's own words:\n%s", t.Name, t.Server, cut(result.Clean(t.Description), maxDescription))
		tools = append(tools, &directTool{o, t, model.Tool{Name: t.Exposed, Description: strings.TrimSpace(description), InputSchema: schema, Deferred: true}})
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
