package interactive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui"
	"github.com/elyra-go/elyra/internal/mcp"
)

// completeTime is how long a server may take to say what may be meant by an argument.
const completeTime = 3 * time.Second

// errNotFilled is why a prompt is not asked for: the user turned away from its arguments.
var errNotFilled = errors.New("the prompt was not used")

// prompts are the commands for the prompts of MCP servers: /server:prompt. Nothing is started for them: a server of which
// nothing is known yet has one command, which asks it.
func (d *desk) prompts() []tui.Command {
	c := d.current()
	if c == nil || c.Host == nil {
		return nil
	}
	known, unknown := mcptools.Prompts(c.Host)
	var all []tui.Command
	for _, p := range known {
		all = append(all, tui.Command{
			Name: p.Command, Args: argumentsOf(p), Help: result.OneLine(p.Description, 200),
			Run: func(ctx context.Context, line string) (tui.Result, error) { return d.prompt(ctx, p, line) },
		})
	}
	for _, server := range unknown {
		name := mcptools.ServerCommand(server)
		all = append(all, tui.Command{
			Name: name, Help: "ask " + result.OneLine(server, 80) + " which prompts it has",
			Run: func(ctx context.Context, _ string) (tui.Result, error) { return d.askPrompts(ctx, c.Host, server) },
		})
	}
	return all
}

// argumentsOf says for the menu what a prompt takes. In brackets is what can be left out; all is asked for.
func argumentsOf(p mcptools.Prompt) string {
	var names []string
	for _, a := range p.Arguments {
		name := result.OneLine(a.Name, 40)
		if !a.Required {
			name += "?"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, " ") + "]"
}

// askPrompts asks a server which prompts it has.
func (d *desk) askPrompts(ctx context.Context, h *host.Host, server string) (tui.Result, error) {
	if _, err := h.Listing(ctx, server); err != nil {
		return tui.Result{}, err
	}
	known, _ := mcptools.Prompts(h)
	var lines []string
	for _, p := range known {
		if p.Server == server {
			lines = append(lines, fmt.Sprintf("- `/%s` %s", p.Command, result.OneLine(p.Description, 200)))
		}
	}
	if len(lines) == 0 {
		return tui.Result{Text: result.OneLine(server, 80) + " has no prompts."}, nil
	}
	return tui.Result{Text: strings.Join(lines, "\n")}, nil
}

// prompt asks for what a prompt needs and makes what the user says of it.
func (d *desk) prompt(ctx context.Context, p mcptools.Prompt, line string) (tui.Result, error) {
	values := p.Read(line)
	// Who has written arguments wants no questions about those that can be left out.
	if len(values) == 0 || len(p.Missing(values)) > 0 {
		if err := d.fill(ctx, p, values, len(values) > 0); err != nil {
			return tui.Result{}, err
		}
		line = written(p, values)
	}
	blocks, err := p.Get(ctx, d.current().MCP(), line, values)
	return tui.Result{Content: blocks}, err
}

// written is how the user could have written the arguments.
func written(p mcptools.Prompt, values map[string]string) string {
	var words []string
	for _, a := range p.Arguments {
		if value := values[a.Name]; value != "" {
			if strings.ContainsAny(value, " \t\n") {
				value = `"` + strings.ReplaceAll(value, `"`, "'") + `"`
			}
			words = append(words, a.Name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

// fill asks for the arguments without a value, in their order. Where the server knows what may be meant, the user picks; what
// is left is asked in forms.
func (d *desk) fill(ctx context.Context, p mcptools.Prompt, values map[string]string, required bool) error {
	var open []mcp.PromptArgument
	for _, a := range p.Arguments {
		if _, there := values[a.Name]; there || required && !a.Required {
			continue
		}
		known := d.known(ctx, p, a, values)
		if len(known) == 0 {
			open = append(open, a)
			continue
		}
		if err := d.form(ctx, p, open, values); err != nil {
			return err
		}
		open = nil
		picked, other, err := d.pick(ctx, p, a, known)
		switch {
		case err != nil:
			return err
		case other:
			open = append(open, a)
		case picked != "":
			values[a.Name] = picked
		}
	}
	return d.form(ctx, p, open, values)
}

// known asks the server what may be meant by an argument. One that does not say is not waited for.
func (d *desk) known(ctx context.Context, p mcptools.Prompt, a mcp.PromptArgument, values map[string]string) []string {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	known, err := d.current().Host.Complete(ctx, p.Server, p.Name, a.Name, "", values)
	if err != nil {
		return nil // Without it, the value is typed.
	}
	return slices.DeleteFunc(known, func(value string) bool { return value == "" })
}

// pick lets the user pick a value. Other says that they write another one, "" that they leave it out.
func (d *desk) pick(ctx context.Context, p mcptools.Prompt, a mcp.PromptArgument, known []string) (value string, other bool, err error) {
	var items []tui.Item
	for _, value := range known {
		items = append(items, tui.Item{ID: value, Name: value})
	}
	items = append(items, tui.Item{Name: "(another value)", Always: true})
	if !a.Required {
		items = append(items, tui.Item{Name: "(none)", Always: true})
	}
	title := p.Command + " " + a.Name
	if a.Description != "" {
		title += ", " + strings.TrimRight(result.OneLine(a.Description, 100), ".:")
	}
	i, err := d.ui.Pick(ctx, title, items)
	if err != nil {
		return "", false, err
	}
	return items[i].ID, i == len(known), nil
}

// form asks for arguments, each a text.
func (d *desk) form(ctx context.Context, p mcptools.Prompt, open []mcp.PromptArgument, values map[string]string) error {
	if len(open) == 0 {
		return nil
	}
	question, err := formOf(p, open)
	if err != nil {
		return err
	}
	answer, err := d.ui.Elicit(ctx, p.Server, question)
	if err != nil {
		return err
	}
	if answer.Action != mcp.ElicitAccept {
		return errNotFilled
	}
	var given map[string]string
	if err := json.Unmarshal(answer.Content, &given); err != nil {
		return err
	}
	for name, value := range given {
		if value != "" {
			values[name] = value
		}
	}
	return nil
}

// formOf is the form for arguments.
func formOf(p mcptools.Prompt, open []mcp.PromptArgument) (mcp.ElicitParams, error) {
	type property struct {
		Type        string `json:"type"`
		Title       string `json:"title,omitzero"`
		Description string `json:"description,omitzero"`
	}
	required := []string{}
	var fields []string
	for _, a := range open {
		name, err := json.Marshal(a.Name)
		if err != nil {
			return mcp.ElicitParams{}, err
		}
		field, err := json.Marshal(property{"string", a.Title, a.Description})
		if err != nil {
			return mcp.ElicitParams{}, err
		}
		fields = append(fields, string(name)+":"+string(field)) // In the prompt's order, which a map would lose.
		if a.Required {
			required = append(required, a.Name)
		}
	}
	schema, err := json.Marshal(struct {
		Type       string         `json:"type"`
		Properties jsontext.Value `json:"properties"`
		Required   []string       `json:"required"`
	}{"object", jsontext.Value("{" + strings.Join(fields, ",") + "}"), required})
	if err != nil {
		return mcp.ElicitParams{}, err
	}
	message := "The prompt " + p.Name
	if p.Description != "" {
		message += ": " + p.Description
	}
	return mcp.ElicitParams{Message: message, RequestedSchema: schema}, nil
}
