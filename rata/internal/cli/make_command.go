package cli

import (
	"errors"
	"fmt"

	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold"
)

// makeFlags are those of the commands that add files to an app.
type makeFlags struct {
	Dir    string `help:"Folder of the app. Default: the working directory." type:"existingdir" default:"." placeholder:"DIR"`
	DryRun bool   `help:"Print what would be written, as a diff, and write nothing."`
	Force  bool   `help:"Overwrite files that are there, and say which."`
}

type makeCommandCommand struct {
	makeFlags
	Name     string `arg:"" help:"What it is called: export-csv or ExportCSV."`
	Resource string `help:"The resource that it belongs to." xor:"package" placeholder:"NAME"`
	Package  string `help:"Folder of the package that it goes into, new or not. Default: the app's own." xor:"package" placeholder:"FOLDER"`
	Can      string `help:"The ability that it declares. Default: one of its own, which nobody has been granted." placeholder:"ABILITY"`
	Live     bool   `help:"It only reads, and windows follow its result." xor:"word"`
	Readonly bool   `help:"It only reads." xor:"word"`
	Additive bool   `help:"It creates something, and never destroys." xor:"word"`
}

// Help is what rata make:command --help says besides the flags.
func (c *makeCommandCommand) Help() string {
	return `Writes a command and its test, each in a file of its own, and says what main.go needs for it. It grants nobody anything.

  rata make:command publish --resource note
  rata make:command monthly-total --package reports --live --can reports.view`
}

func (c *makeCommandCommand) Run(r *run) error {
	command := scaffold.Command{Name: c.Name, Resource: c.Resource, Package: c.Package, Can: c.Can}
	switch {
	case c.Live:
		command.Word = "live"
	case c.Readonly:
		command.Word = "readonly"
	case c.Additive:
		command.Word = "additive"
	}
	if err := command.Check(); err != nil {
		return usageError("make:command: %w", err)
	}
	set := change.New(c.Dir)
	added, err := command.Add(set, c.Dir)
	if err == nil {
		err = c.write(r, set)
	}
	if err != nil || c.DryRun {
		return inCommand("make:command", err)
	}
	files, err := codegen.Generate(codegen.Options{Dir: c.Dir, Patterns: []string{"./" + added.Folder}})
	if problems, ok := errors.AsType[codegen.Problems](err); ok {
		fmt.Fprintln(r.Stderr, terminal.Visible(problems.Error()))
		return errors.New("make:command: the command is there, but its package has mistakes: put them right and run `rata generate`")
	}
	if err == nil {
		err = (&generateCommand{}).write(r, files)
	}
	if err != nil {
		return inCommand("make:command", err)
	}
	fmt.Fprintf(r.Stdout, "\n%s", added.Wiring)
	return nil
}

// write writes the files and says what happened to each, or shows the difference.
func (f makeFlags) write(r *run, set *change.Set) error {
	if f.DryRun {
		err := set.Diff(r.Stdout)
		if err == nil && !f.Force {
			err = set.Conflicts()
		}
		return err
	}
	done, err := set.Apply(f.Force)
	for _, file := range done {
		fmt.Fprintln(r.Stdout, terminal.Visible(file.String()))
	}
	return err
}

// inCommand begins an error with the command that it is of.
func inCommand(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}
