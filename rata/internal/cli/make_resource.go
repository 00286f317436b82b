package cli

import (
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/project"
	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

type makeResourceCommand struct {
	makeFlags
	Name   string   `arg:"" help:"What one of them is called, such as product or order-line."`
	Fields []string `arg:"" optional:"" help:"Fields as name:type, and what else is to be said of one behind a further colon." placeholder:"FIELD:TYPE[:MODIFIER]"`
	Plural string   `help:"What several are called. Default: the English plural." placeholder:"NAME"`
}

// Help is what rata make:resource --help says besides the flags.
func (c *makeResourceCommand) Help() string {
	return `Writes a resource: a table, the commands to list, show, add, change and delete, tests, and a list and a form in the window. Agents are
granted nothing: the lines that would are printed.

  rata make:resource product name:string price:decimal stock:int
  rata make:resource order-line sku:string:unique 'status:enum(open,done)' note:text:optional due:date:optional
  rata make:resource person email:email:unique age:int:optional:min=0:max=150

Types: string, text, int, float, decimal (two decimal places) or decimal(4), bool, date, datetime, email, url, uuid, enum(a,b,c).

Modifiers: optional (or a ? behind the type), unique, max=N of texts, min=N and max=N of int and float.

Where a shell would read the parentheses, decimal=4 and enum=a,b,c mean the same.`
}

func (c *makeResourceCommand) Run(r *run) error {
	spec, err := resource.Parse(c.Name, c.Plural, c.Fields)
	if err != nil {
		return usageError("make:resource: %w", err)
	}
	return inCommand("make:resource", c.make(r, spec))
}

func (c *makeResourceCommand) make(r *run, spec resource.Spec) error {
	p, err := project.Read(c.Dir)
	if err != nil {
		return err
	}
	migrations, err := p.Expand("database.migrations", p.Database.Migrations, r.lookup)
	if err != nil {
		return err
	}
	app, err := resource.Open(c.Dir, migrations)
	if err != nil {
		return err
	}
	set := change.New(c.Dir)
	if err := app.Add(set, spec); err != nil {
		return err
	}
	notes := spec.Notes
	for _, gone := range app.Gone {
		if gone == spec.Name.Plural {
			continue // it comes back
		}
		notes = append(notes, fmt.Sprintf("resources/%s is not there any more: it leaves the lists of resources", strings.ReplaceAll(gone, "_", "")))
	}
	for _, note := range notes {
		fmt.Fprintln(r.Stderr, "rata:", terminal.Visible(note))
	}
	if err := c.write(r, set); err != nil || c.DryRun {
		return err
	}
	if _, ok := set.Content(spec.Declaration()); ok {
		fmt.Fprintf(r.Stdout, "\nThe window has %s now.", spec.Name.Many())
	} else {
		fmt.Fprintf(r.Stdout, "\nThe app has %s now; a page of your own has to show them.", spec.Name.Many())
	}
	fmt.Fprint(r.Stdout, " Agents are granted nothing of it; these lines in the MCP options in main.go would:\n\n")
	for _, line := range spec.Grants() {
		fmt.Fprintf(r.Stdout, "\t%s\n", line)
	}
	fmt.Fprint(r.Stdout, "\nNext: go test ./..., go run ., rata mcp inspect\n")
	return nil
}
