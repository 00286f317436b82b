package cli

import (
	"fmt"

	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold"
)

type makeMiddlewareCommand struct {
	makeFlags
	Name string `arg:"" help:"What it is called: audit or only-people."`
}

// Help is what rata make:middleware --help says besides the flags.
func (c *makeMiddlewareCommand) Help() string {
	return `Writes code that runs around every command, and its test, into the package middleware, and says what main.go needs for it.

  rata make:middleware audit`
}

func (c *makeMiddlewareCommand) Run(r *run) error {
	if err := scaffold.CheckMiddleware(c.Name); err != nil {
		return usageError("make:middleware: %w", err)
	}
	set := change.New(c.Dir)
	added, err := scaffold.AddMiddleware(set, c.Dir, c.Name)
	if err == nil {
		err = c.write(r, set)
	}
	if err != nil || c.DryRun {
		return inCommand("make:middleware", err)
	}
	fmt.Fprintf(r.Stdout, "\n%s", added.Wiring)
	return nil
}
