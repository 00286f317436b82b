package core

import (
	"context"
	"net/http"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
)

// Options configure Open. Workspace, Environ and Version are needed.
type Options struct {
	Workspace *workspace.Workspace
	Environ   []string
	UserHome  string
	Version   string
	// Executable is this program, which starts itself to watch over processes. Empty: nothing watches.
	Executable string

	Model string      // provider/id or a part of it; "": the settings', else the best that there is a key for
	Level model.Level // "": the settings'
	HTTP  *http.Client

	Session  Choice
	NoTools  bool // the model has none
	ReadOnly bool // it has those that only read, and no MCP server
	NoMCP    bool // no MCP server is used
	Append   string
	Allow    []permission.Rule
	AllowAll bool
	MaxTurns int

	// Child says that the agent works for another one. Lent are tools of that one's, which decides about their calls itself.
	Child bool
	Lent  []loop.Tool

	// Ask puts the question whether a call may run. Nil: nobody can be asked, and what would need it does not run.
	Ask permission.Asker
	// Elicit puts an MCP server's question. Nil: it is declined.
	Elicit func(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error)
	// Offer asks whether to log in to an MCP server. Nil: nobody can be asked.
	Offer func(ctx context.Context, server string, scopes []string) (oauth.LoginOptions, bool)
	// Notice tells the user what they should know. Nil: nobody is told.
	Notice func(text string)
	// On gets what happens. Nil: nobody watches.
	On func(loop.Event)
}

// Choice says which session to work in.
type Choice struct {
	Continue bool   // the last one of the project
	ID       string // one by its id, or the beginning of it
	Fork     string // a new one that begins as that one
	Owner    string // a new one, of an agent that works for the one with this session
	None     bool   // nothing is kept
}
