package cli

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/internal/terminal"
)

// An app migrates by itself, with the files, the drivers and the lock that it has at every start.
// So rata has no driver, and what it does is what happens on the machines of users.

type migrateCommand struct {
	appFlags
	To int64 `help:"The version of the last migration to apply. Default: all." placeholder:"VERSION"`
}

// Help is what rata migrate --help says besides the flags.
func (c *migrateCommand) Help() string {
	return `Builds the app and has it apply its migrations. The database is DATABASE_URL, else [database] url in elyra.toml, else the app's
own file. An app also migrates whenever it starts; this shows what happens.

  rata migrate
  DATABASE_URL=postgres://ada@localhost/shop rata migrate --to 3`
}

func (c *migrateCommand) Run(r *run) error {
	if c.To < 0 {
		return usageError("migrate: --to is the number that a file of a migration begins with")
	}
	words := "up"
	if c.To > 0 {
		words = fmt.Sprintf("up:%d", c.To)
	}
	return c.migrate(r, words)
}

type migrateRollbackCommand struct {
	appFlags
	Steps int `help:"How many migrations to take back." default:"1" placeholder:"N"`
}

// Help is what rata migrate:rollback --help says besides the flags.
func (c *migrateRollbackCommand) Help() string {
	return `Takes back the newest migration of the app's database, by its section "-- +goose Down". Data in what that drops is gone.

  rata migrate:rollback
  rata migrate:rollback --steps 2`
}

func (c *migrateRollbackCommand) Run(r *run) error {
	if c.Steps < 1 {
		return usageError("migrate:rollback: --steps is 1 or more")
	}
	return c.migrate(r, fmt.Sprintf("down:%d", c.Steps))
}

type migrateStatusCommand struct {
	appFlags
	JSON bool `name:"json" help:"Print JSON."`
}

// Help is what rata migrate:status --help says besides the flags.
func (c *migrateStatusCommand) Help() string {
	return `Shows which migrations the app's database has: applied, pending, or unknown to the app. Changes nothing.

  rata migrate:status
  rata migrate:status --json | jq -r '.migrations[] | select(.state == "pending") | .file'`
}

func (c *migrateStatusCommand) Run(r *run) error {
	if c.JSON {
		return c.migrate(r, "status:json")
	}
	return c.migrate(r, "status")
}

// stopDelay is how long an app may take to undo the migration that is interrupted.
const stopDelay = 10 * time.Second

// migrate builds the app and starts it with ELYRA_MIGRATE.
func (f appFlags) migrate(r *run, words string) (err error) {
	dir := cmp.Or(f.Dir, ".")
	if f.Bin != "" {
		dir = ""
	}
	variables, err := databaseVariables(r, dir)
	if err != nil {
		return err
	}
	app, err := f.open(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, app.remove()) }()
	if err := checkElyra(app.path); err != nil {
		return err
	}
	cmd := exec.CommandContext(r.ctx, app.path)
	cmd.Dir = app.dir
	cmd.Env = append(append(cmd.Environ(), variables...), "ELYRA_MIGRATE="+words)
	// What is interrupted is undone, so it is asked to stop.
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // on Windows
	}
	cmd.WaitDelay = stopDelay
	out, problems := &visibleLines{to: r.Stdout}, &visibleLines{to: r.Stderr}
	cmd.Stdout, cmd.Stderr = out, problems
	err = errors.Join(cmd.Run(), out.flush(), problems.flush())
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && exit.ExitCode() == exitUsage:
		return &exitError{code: exitUsage} // the app said why
	case failed && exit.ExitCode() > 0:
		return &exitError{code: exitFailed}
	case err != nil:
		return fmt.Errorf("migrate: the app ended: %w", err)
	}
	return nil
}

// framework is the module of Elyra.
const framework = "github.com/elyra-go/elyra"

// checkElyra refuses a program that would not look at ELYRA_MIGRATE, but start as usual.
func checkElyra(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("migrate: %w: it has to be a Go program", err)
	}
	if info.Main.Path != framework && !slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == framework }) {
		return fmt.Errorf("migrate: %s is no Elyra app: its main package does not import %s", info.Path, framework)
	}
	return nil
}

// visibleLines passes text on by lines, with its control characters made visible.
type visibleLines struct {
	to   io.Writer
	rest strings.Builder
}

// longestLine is after how many bytes a line is passed on before its end.
const longestLine = 64 << 10

func (v *visibleLines) Write(p []byte) (int, error) {
	v.rest.Write(p) // a strings.Builder takes everything
	text := v.rest.String()
	end := strings.LastIndexByte(text, '\n') + 1
	if end == 0 && len(text) > longestLine {
		end = len(text)
	}
	v.rest.Reset()
	v.rest.WriteString(text[end:])
	_, err := io.WriteString(v.to, terminal.Visible(text[:end]))
	return len(p), err
}

// flush passes on the last line, which has no end.
func (v *visibleLines) flush() error {
	text := v.rest.String()
	v.rest.Reset()
	_, err := io.WriteString(v.to, terminal.Visible(text))
	return err
}
