package mcptools

import (
	"context"
	"fmt"
	"strings"

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

// Direct returns the tools of servers that are configured with directTools, by name, as far as they are known or their
// servers answer in time. They are those of the whole session: what a server adds later is found by mcp_search. Problems are
// for the user.
func Direct(ctx context.Context, o Options) (tools []loop.Tool, problems []string) {
	var all []catalog.Tool
	for _, server := range o.Host.Direct() {
		listing, err := o.Host.Listing(ctx, server)
		if err != nil {
			problems = append(problems, fmt.Sprintf("the tools of server %q are not there directly: %v", server, err))
			continue
		}
		all = append(all, listing.Tools...)
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
