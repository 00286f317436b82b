package elyra

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// description is what `app --describe` prints: what an agent may see of the app, and what not.
type description struct {
	App       describedApp     `json:"app"`
	Tools     []describedTool  `json:"tools"`
	Resources []jsontext.Value `json:"resources"`
	Templates []jsontext.Value `json:"templates"`
	Prompts   []jsontext.Value `json:"prompts"`
	NotTools  []notTool        `json:"notTools"`
}

type describedApp struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

type describedTool struct {
	Name         string               `json:"name"`
	Ability      string               `json:"ability"`
	Title        string               `json:"title"`
	Description  string               `json:"description"`
	Confirm      bool                 `json:"confirm"`
	RateLimit    string               `json:"rateLimit"`
	Annotations  *mcp.ToolAnnotations `json:"annotations"`
	InputSchema  jsontext.Value       `json:"inputSchema"`
	OutputSchema jsontext.Value       `json:"outputSchema"`
}

type notTool struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// describe returns the description as indented JSON. It opens nothing.
func (a *App) describe(env *Env) ([]byte, error) {
	commands, err := a.compile()
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", env.AppID, err)
	}
	d := description{App: describedApp{ID: env.AppID, Name: a.title(env.AppID), Version: env.Version}}
	m := a.mcp
	if m == nil {
		m = NewMCP()
	}
	for _, name := range commands.names {
		c := commands.byName[name]
		can := c.options.Can
		switch {
		case m.grants.Covers(can):
			confirmed := m.confirmationOf(can) != nil
			t := c.projection(confirmed)
			n, per := m.limitOf(can)
			d.Tools = append(d.Tools, describedTool{
				Name: name, Ability: can, Title: t.Title, Description: t.Description, Confirm: confirmed,
				RateLimit: fmt.Sprintf("%d in %v", n, per), Annotations: t.Annotations, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			})
		case a.mcp == nil:
			d.NotTools = append(d.NotTools, notTool{name, "the app has no App.MCP: it offers nothing to agents"})
		case can == "":
			d.NotTools = append(d.NotTools, notTool{name, "it declares no ability (can=…), so it can never be granted"})
		default:
			d.NotTools = append(d.NotTools, notTool{name, fmt.Sprintf("its ability %q is not granted by MCP.AllowAbilities", can)})
		}
	}
	return json.Marshal(d, json.Deterministic(true), jsontext.WithIndent("  "))
}
