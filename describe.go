package elyra

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/typegraph"
)

// description is what `app --describe` prints: what an agent may see of the app, and what not.
type description struct {
	App       describedApp        `json:"app"`
	Tools     []describedTool     `json:"tools"`
	Resources []describedResource `json:"resources"`
	Templates []describedTemplate `json:"templates"`
	Prompts   []describedPrompt   `json:"prompts"`
	NotTools  []notTool           `json:"notTools"`
	// TypeScript is what rata generate --ts writes; only when ELYRA_DESCRIBE asks for it.
	TypeScript string `json:"typescript,omitempty"`
}

type describedApp struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
	MCP     bool   `json:"mcp"` // whether agents may connect at all
}

type describedTool struct {
	Name         string               `json:"name"`
	Ability      string               `json:"ability"`
	Grant        string               `json:"grant"` // what MCP.AllowAbilities was given to cover the ability
	Title        string               `json:"title"`
	Description  string               `json:"description"`
	Confirm      bool                 `json:"confirm"`
	RateLimit    string               `json:"rateLimit"`
	Annotations  *mcp.ToolAnnotations `json:"annotations"`
	InputSchema  jsontext.Value       `json:"inputSchema"`
	OutputSchema jsontext.Value       `json:"outputSchema"`
}

// describedResource and those below are what the protocol says of them, and the ability.
type describedResource struct {
	mcp.Resource
	Ability string `json:"ability"`
}

type describedTemplate struct {
	mcp.ResourceTemplate
	Ability string `json:"ability"`
}

type describedPrompt struct {
	mcp.Prompt
	Ability string `json:"ability"`
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
	d := description{App: describedApp{ID: env.AppID, Name: a.title(env.AppID), Version: env.Version, MCP: a.mcp != nil}}
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
				Name: name, Ability: can, Grant: m.grantOf(can), Title: t.Title, Description: t.Description, Confirm: confirmed,
				RateLimit: fmt.Sprintf("%d in %v", n, per), Annotations: t.Annotations, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			})
			d.addForms(c, confirmed)
		case a.mcp == nil:
			d.NotTools = append(d.NotTools, notTool{name, "the app has no App.MCP: it offers nothing to agents"})
		case can == "":
			d.NotTools = append(d.NotTools, notTool{name, "it declares no ability (can=…), so it can never be granted"})
		default:
			d.NotTools = append(d.NotTools, notTool{name, fmt.Sprintf("its ability %q is not granted by MCP.AllowAbilities", can)})
		}
	}
	for _, p := range m.grantedPrompts() {
		d.Prompts = append(d.Prompts, describedPrompt{p.projection(), p.Can})
	}
	if env.Getenv("ELYRA_DESCRIBE") == "typescript" {
		d.TypeScript = a.typeScript(commands)
	}
	return json.Marshal(d, json.Deterministic(true), jsontext.WithIndent("  "))
}

// typeScript is the module with the commands that the app's windows may call.
func (a *App) typeScript(commands *commandSet) string {
	var functions []typegraph.Function
	for _, name := range commands.names {
		c := commands.byName[name]
		if can := c.options.Can; can == "" || a.abilities.Covers(can) {
			functions = append(functions, typegraph.Function{
				Name: name, Doc: c.options.Doc, Live: c.options.Live, Arguments: c.input, Result: c.output,
			})
		}
	}
	return typegraph.TypeScript(functions)
}

// grantOf is the grant that covers an ability: the ability itself rather than a pattern.
func (m *MCP) grantOf(can string) string {
	if slices.Contains(m.grants, can) {
		return can
	}
	for _, pattern := range m.grants {
		if ability.Match(pattern, can) {
			return pattern
		}
	}
	return ""
}

// addForms adds the resource and the template that a granted command is.
func (d *description) addForms(c *command, confirmed bool) {
	form := c.resourceForm(confirmed)
	if form == nil {
		return
	}
	if form.plain {
		d.Resources = append(d.Resources, describedResource{c.asResource(form), c.options.Can})
	}
	if form.template != "" {
		d.Templates = append(d.Templates, describedTemplate{c.asTemplate(form), c.options.Can})
	}
}
