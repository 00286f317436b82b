package serve

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/wire"
)

// The names of the tools.
const (
	toolDecisions = "elyra_decisions"
	toolReview    = "elyra_review"
	toolTask      = "elyra_task"
)

// Tools implements mcpserver.Catalog.
func (s *Server) Tools() []mcp.Tool {
	yes, no, edits := true, false, !s.o.ReadOnly
	reads := !edits
	return []mcp.Tool{
		{
			Name: toolDecisions, Title: "Architecture decisions",
			Description: "Lists the architecture decisions that the project has recorded, the newest first, and says why things are as they are. " +
				"Read the whole of one under its uri.",
			InputSchema: jsontext.Value(decisionsInput), OutputSchema: jsontext.Value(decisionsOutput),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes, IdempotentHint: &yes, OpenWorldHint: &no},
		},
		{
			Name: toolReview, Title: "Review uncommitted changes",
			Description: "Has the project's uncommitted changes reviewed (staged, unstaged and untracked ones), by default with a model of " +
				"another vendor than Elyra's current one. It changes nothing. It may take minutes.",
			InputSchema: jsontext.Value(reviewInput), OutputSchema: jsontext.Value(reviewOutput),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes, OpenWorldHint: &yes},
		},
		{
			Name: toolTask, Title: "Delegate a task",
			Description: "Runs the Elyra coding agent on a task in the project, to the end, without questions. It does not see this conversation: the task " +
				"must say all that it needs to know. " + s.modes() + " Tasks run one at a time, each in a fresh session unless one is named, and may " +
				"take minutes. Returns the answer, the files that changed, the cost and the session's id.",
			InputSchema: jsontext.Value(s.taskInput()), OutputSchema: jsontext.Value(taskOutput),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &reads, DestructiveHint: &edits, OpenWorldHint: &yes},
		},
	}
}

// CallTool implements mcpserver.Catalog.
func (s *Server) CallTool(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	ctx, done := s.begin(ctx)
	defer done()
	switch call.Name {
	case toolDecisions:
		return s.decisions(call)
	case toolReview:
		return s.review(ctx, call)
	case toolTask:
		return s.task(ctx, call)
	}
	names := []string{toolDecisions, toolReview, toolTask}
	return nil, wire.Errorf(wire.CodeInvalidParams, "unknown tool %q%s", result.OneLine(call.Name, 128), nearest.Hint(call.Name, names))
}

// decode reads the arguments of a call.
func decode(arguments jsontext.Value, into any) error {
	if arguments == nil {
		return nil
	}
	if err := json.Unmarshal(arguments, into, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("the arguments do not fit: %w", err)
	}
	return nil
}

// failed is the result of a call that could not do what it was to do.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(result.Clean(err.Error()))}, IsError: true}
}

// answered is a result in words and as data.
func answered(text string, data any) (*mcp.CallToolResult, error) {
	structured, err := json.Marshal(data, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(strings.TrimRight(text, "\n"))}, StructuredContent: structured}, nil
}
