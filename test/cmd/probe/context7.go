package main

import (
	"slices"
	"strings"

	"github.com/elyra-go/elyra/internal/mcp"
)

// context7 is a server that speaks the modern era. What it does needs the network, so that it is only asked what it refuses
// before it looks anything up.
func context7() server {
	return server{name: "Context7", version: mcp.V2026_07_28, drive: func(s *session) {
		s.check("instructions", s.Instructions() != "", s.Instructions())
		tool := s.tools["resolve-library-id"]
		s.check("a tool", strings.Contains(string(tool.InputSchema), `"libraryName"`), tool)
		s.check("its hint", tool.Annotations != nil && tool.Annotations.ReadOnlyHint != nil && *tool.Annotations.ReadOnlyHint, tool.Annotations)
		s.fails("a call without arguments", "resolve-library-id", nil)
		s.fails("an argument of the wrong type", "resolve-library-id", map[string]any{"libraryName": 7, "query": "x"})
		s.fails("an unknown tool", "no-such-tool", nil)
		var prompts mcp.ListPromptsResult
		s.request(mcp.MethodListPrompts, nil, &prompts)
		s.check("prompts", !slices.ContainsFunc(prompts.Prompts, func(p mcp.Prompt) bool { return p.Name == "" }), prompts)
	}}
}
