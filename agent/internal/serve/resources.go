package serve

import (
	"context"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/serve/decision"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

const markdown = "text/markdown"

// Resources implements mcpserver.ResourceCatalog.
func (s *Server) Resources() []mcp.Resource {
	var all []mcp.Resource
	for _, d := range decision.Read(s.o.Core.Workspace.Project).Decisions {
		all = append(all, mcp.Resource{URI: decisionURI(d.Path), Name: d.Path, Title: d.Title, Description: describeDecision(d), MIMEType: markdown})
	}
	for _, r := range s.tasks.list() {
		all = append(all, mcp.Resource{URI: r.uri(), Name: "task " + r.session, Title: r.title, Description: "What happened in a task of this server.", MIMEType: markdown})
	}
	slices.SortFunc(all, func(a, b mcp.Resource) int { return strings.Compare(a.URI, b.URI) })
	return all
}

// ResourceTemplates implements mcpserver.ResourceCatalog.
func (s *Server) ResourceTemplates() []mcp.ResourceTemplate {
	return []mcp.ResourceTemplate{
		{URITemplate: decisionsURI + "{+path}", Name: "decision", Title: "A recorded decision", Description: "By its path in the project.", MIMEType: markdown},
		{URITemplate: tasksURI + "{session}", Name: "task", Title: "The transcript of a task", Description: "Of one that this server has run.", MIMEType: markdown},
	}
}

// ReadResource implements mcpserver.ResourceCatalog.
func (s *Server) ReadResource(_ context.Context, read *mcpserver.Read) ([]mcp.ResourceContents, error) {
	if r := s.tasks.find(read.URI); r != nil {
		return []mcp.ResourceContents{{URI: read.URI, MIMEType: markdown, Text: r.String()}}, nil
	}
	for _, d := range decision.Read(s.o.Core.Workspace.Project).Decisions {
		if decisionURI(d.Path) == read.URI {
			return []mcp.ResourceContents{{URI: read.URI, MIMEType: markdown, Text: d.Text}}, nil
		}
	}
	return nil, &mcpserver.UnknownResource{URI: read.URI, Hint: "; resources/list says which there are"}
}

// SubscribeResource implements mcpserver.ResourceCatalog. A record of a decision is not watched: it is made to stay.
func (s *Server) SubscribeResource(sub *mcpserver.Subscription) (mcpserver.Watch, error) {
	if s.tasks.find(sub.URI) == nil && !strings.HasPrefix(sub.URI, decisionsURI) {
		return mcpserver.Watch{}, &mcpserver.UnknownResource{URI: sub.URI}
	}
	return mcpserver.Watch{Stop: s.tasks.watch(sub.URI, sub.Updated)}, nil
}
