package cli

import (
	"cmp"
	"fmt"

	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/migrations"
	"github.com/elyra-go/elyra/rata/internal/project"
)

type makeMigrationCommand struct {
	makeFlags
	Name string `arg:"" help:"What it does, in lower-case letters, digits and underscores: add_price_to_products."`
}

// Help is what rata make:migration --help says besides the flags.
func (c *makeMigrationCommand) Help() string {
	return `Writes an empty migration with the next number, one for each dialect that the app has a folder for. A name that begins with
create_ gets a table to begin with.

  rata make:migration add_price_to_products
  rata make:migration create_suppliers --dry-run`
}

func (c *makeMigrationCommand) Run(r *run) error {
	if err := migrations.CheckName(c.Name); err != nil {
		return usageError("make:migration: %w", err)
	}
	return inCommand("make:migration", c.make(r))
}

func (c *makeMigrationCommand) make(r *run) error {
	dir := cmp.Or(c.Dir, ".")
	p, err := project.Read(dir)
	if err != nil {
		return err
	}
	folder, err := p.Expand("database.migrations", p.Database.Migrations, r.lookup)
	if err != nil {
		return err
	}
	set := change.New(dir)
	if err := migrations.Add(set, dir, cmp.Or(folder, "migrations"), c.Name); err != nil {
		return err
	}
	if err := c.write(r, set); err != nil || c.DryRun {
		return err
	}
	fmt.Fprintln(r.Stdout, "\nWrite what it does and how to take it back, then: rata migrate")
	return nil
}
