package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/internal/toolargs"
)

// describeTimeout is how long an app may take to describe itself, which opens nothing.
const describeTimeout = 30 * time.Second

type inspectCommand struct {
	appFlags
	JSON bool `name:"json" help:"Print the app's own description, as JSON."`
}

// description is what an app prints when it is started with --describe.
type description struct {
	App       describedApp    `json:"app"`
	Tools     []describedTool `json:"tools"`
	Resources []namedThing    `json:"resources"`
	Templates []namedThing    `json:"templates"`
	Prompts   []namedThing    `json:"prompts"`
	NotTools  []notTool       `json:"notTools"`
	// TypeScript is there only when it was asked for.
	TypeScript string `json:"typescript"`
}

type describedApp struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
	MCP     bool   `json:"mcp"`
}

type notTool struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

type describedTool struct {
	mcp.Tool
	Ability   string `json:"ability"`
	Grant     string `json:"grant"`
	Confirm   bool   `json:"confirm"`
	RateLimit string `json:"rateLimit"`
}

// namedThing is a resource, a template or a prompt.
type namedThing struct {
	Name        string `json:"name"`
	URI         string `json:"uri"`
	URITemplate string `json:"uriTemplate"`
	Description string `json:"description"`
	Ability     string `json:"ability"`
}

func (c *inspectCommand) Run(r *run) (err error) {
	app, err := c.open(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, app.remove()) }()
	if c.JSON {
		text, err := app.describe(r)
		if err == nil {
			_, err = r.Stdout.Write(text)
		}
		return err
	}
	d, err := app.read(r)
	if err != nil {
		return err
	}
	_, err = io.WriteString(r.Stdout, terminal.Visible(d.table()))
	return err
}

// describe starts the app with --describe and gives what it prints. The variables are added to its
// environment.
func (a *app) describe(r *run, variables ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.ctx, describeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.path, "--describe")
	cmd.Dir = a.dir
	cmd.Env = append(cmd.Environ(), variables...)
	cmd.WaitDelay = time.Second
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	switch {
	case ctx.Err() != nil && r.ctx.Err() == nil:
		return nil, fmt.Errorf("the app did not describe itself within %v: is it an Elyra app?", describeTimeout)
	case err != nil:
		return nil, fmt.Errorf("the app with --describe: %w\n%s", err, strings.TrimSpace(problems.String()))
	case !jsontext.Value(out.Bytes()).IsValid():
		return nil, fmt.Errorf("the app with --describe did not print JSON: is it an Elyra app?")
	}
	return out.Bytes(), nil
}

// read gives what the app says of itself.
func (a *app) read(r *run, variables ...string) (*description, error) {
	text, err := a.describe(r, variables...)
	if err != nil {
		return nil, err
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read what the app says of itself: %w", err)
	}
	return &d, nil
}

// table is the description for people.
func (d *description) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s %s)\n", d.App.Name, d.App.ID, d.App.Version)
	if len(d.Tools) == 0 {
		b.WriteString("\nNo tools: an agent can do nothing with this app.\n")
	}
	for _, t := range d.Tools {
		t.write(&b)
	}
	for _, list := range []struct {
		title  string
		things []namedThing
	}{{"Resources", d.Resources}, {"Templates", d.Templates}, {"Prompts", d.Prompts}} {
		if len(list.things) > 0 {
			fmt.Fprintf(&b, "\n%s\n", list.title)
		}
		columns := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, thing := range list.things {
			name := cmp.Or(thing.URI, thing.URITemplate, thing.Name)
			fmt.Fprintf(columns, "  %s\t(%s)\t%s\n", terminal.OneLine(name), terminal.OneLine(thing.Ability), terminal.FirstLine(thing.Description))
		}
		columns.Flush() // a strings.Builder takes everything
	}
	if len(d.NotTools) > 0 {
		b.WriteString("\nCommands that are no tools\n")
		columns := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, n := range d.NotTools {
			fmt.Fprintf(columns, "  %s\t%s\n", terminal.OneLine(n.Name), terminal.OneLine(n.Reason))
		}
		columns.Flush() // a strings.Builder takes everything
	}
	return b.String()
}

// write appends one tool: its name and ability, what it does, hints, arguments.
func (t *describedTool) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s  (%s)\n", terminal.OneLine(t.Name), terminal.OneLine(t.Ability))
	if line := terminal.FirstLine(t.Description); line != "" {
		fmt.Fprintf(b, "  %s\n", line)
	} else {
		b.WriteString("  No description: write a doc comment, it is what the model reads.\n")
	}
	fmt.Fprintf(b, "  %s\n", strings.Join(t.hints(), ", "))
	arguments := toolargs.List(t.InputSchema)
	if len(arguments) == 0 {
		b.WriteString("    no arguments\n")
	}
	toolargs.Table(b, "    ", arguments)
}

// hints says in words what the annotations and the app's own rules say.
func (t *describedTool) hints() []string {
	is := func(hint *bool, unsaid bool) bool {
		if hint == nil {
			return unsaid
		}
		return *hint
	}
	a := t.Annotations
	if a == nil {
		a = &mcp.ToolAnnotations{}
	}
	var words []string
	switch {
	case is(a.ReadOnlyHint, false):
		words = append(words, "only reads")
	case is(a.DestructiveHint, true):
		words = append(words, "may destroy")
	default:
		words = append(words, "only adds")
	}
	if is(a.IdempotentHint, false) {
		words = append(words, "may be repeated")
	}
	if is(a.OpenWorldHint, true) {
		words = append(words, "reaches beyond the app")
	}
	if t.Confirm {
		words = append(words, "asks the user first")
	}
	if t.RateLimit != "" {
		words = append(words, "at most "+terminal.OneLine(t.RateLimit))
	}
	return words
}
