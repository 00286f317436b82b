package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/internal/codegen"
)

type generateCommand struct {
	Check    bool     `help:"Write nothing; exit 1 when a generated file is not up to date."`
	Packages []string `arg:"" optional:"" help:"Folders of packages, or DIR/... for all below DIR. Default: ./..." placeholder:"DIR"`
}

func (c *generateCommand) Run(r *run) error {
	files, err := codegen.Generate(codegen.Options{Patterns: c.Packages})
	if problems, ok := errors.AsType[codegen.Problems](err); ok {
		// Without rata's name in front, so that editors and terminals find the positions.
		fmt.Fprintln(r.Stderr, visible(problems.Error()))
		return &exitError{code: exitFailed}
	}
	if err != nil {
		return err
	}
	if len(files) == 0 {
		fmt.Fprintln(r.Stderr, "rata: found no //elyra:command directive, so there is nothing to generate")
		return nil
	}
	if c.Check {
		return c.check(files)
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			return err
		}
		switch {
		case f.Stale && f.Content == nil:
			fmt.Fprintf(r.Stdout, "removed %s, its package has no commands\n", f.Display)
		case f.Stale:
			fmt.Fprintf(r.Stdout, "wrote %s, commands: %d\n", f.Display, f.Commands)
		}
	}
	return nil
}

func (c *generateCommand) check(files []codegen.File) error {
	var stale []string
	for _, f := range files {
		if f.Stale {
			stale = append(stale, f.Display)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	fix := "rata generate"
	if len(c.Packages) > 0 {
		fix += " " + strings.Join(c.Packages, " ")
	}
	return fmt.Errorf("not up to date: %s\nrun `%s` and commit what it writes", strings.Join(stale, ", "), fix)
}
