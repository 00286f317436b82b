package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/internal/terminal"
)

type generateCommand struct {
	appFlags
	Check    bool     `help:"Write nothing; exit 1 when a generated file is not up to date."`
	TS       bool     `name:"ts" help:"Also build the app and write elyra.gen.ts, its commands for pages in TypeScript."`
	Lock     bool     `help:"Also build the app and write elyra.lock, the tools that an agent sees."`
	Out      string   `help:"Folder for elyra.gen.ts. Default: out of [codegen] or dir of [frontend] in elyra.toml, else the app's." type:"path" placeholder:"DIR"`
	Packages []string `arg:"" optional:"" help:"Folders of packages, or DIR/... for all below DIR. Default: ./..." placeholder:"DIR"`
}

func (c *generateCommand) Run(r *run) error {
	building := c.TS || c.Lock
	if !building && (c.Dir != "" || c.Bin != "") {
		return usageError("--dir and --bin name an app, which only --ts and --lock need")
	}
	if c.Out != "" && !c.TS {
		return usageError("--out is where --ts writes, which is not given")
	}
	patterns := c.Packages
	if len(patterns) == 0 && c.Dir != "" {
		patterns = []string{c.Dir + "/..."}
	}
	files, err := codegen.Generate(codegen.Options{Patterns: patterns})
	if problems, ok := errors.AsType[codegen.Problems](err); ok {
		// Without rata's name in front, so that editors and terminals find the positions.
		fmt.Fprintln(r.Stderr, terminal.Visible(problems.Error()))
		return &exitError{code: exitFailed}
	}
	if err != nil {
		return err
	}
	if len(files) == 0 && !building {
		fmt.Fprintln(r.Stderr, "rata: found no //elyra:command directive, so there is nothing to generate")
		return nil
	}
	if c.Check {
		err = c.check(files)
	} else {
		err = c.write(r, files)
	}
	// An app is only built from what is up to date.
	if err != nil || !building {
		return err
	}
	return c.fromApp(r)
}

func (c *generateCommand) write(r *run, files []codegen.File) error {
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
	return c.notUpToDate(stale, nil)
}

// notUpToDate is the error that names files, why, and the command that writes them; nil without a file.
func (c *generateCommand) notUpToDate(files, reasons []string) error {
	if len(files) == 0 {
		return nil
	}
	fix := []string{"rata generate"}
	for _, flag := range []struct {
		given bool
		words string
	}{{c.TS, "--ts"}, {c.Lock, "--lock"}, {c.Dir != "", "--dir " + c.Dir}, {c.Bin != "", "--bin " + c.Bin}, {c.Out != "", "--out " + c.Out}} {
		if flag.given {
			fix = append(fix, flag.words)
		}
	}
	fix = append(fix, c.Packages...)
	lines := append([]string{"not up to date: " + strings.Join(files, ", ")}, reasons...)
	return fmt.Errorf("%s\nrun `%s` and commit what it writes", strings.Join(lines, "\n"), strings.Join(fix, " "))
}
