// Package cli owns the commands of rata: their flags, their output and their exit codes.
//
// It promises that output goes to Env.Stdout and everything else to Env.Stderr, that a text that an
// app wrote reaches a terminal only with its control characters made visible, and these exit codes:
// 0 done, 1 not done, 2 used wrongly (or, for mcp call, anything but an answer of the tool).
// What a command does is in packages of its own where it is more than glue. It must not import
// package elyra: rata builds and runs apps and does not contain one.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/elyra-go/elyra/internal/terminal"
)

// Env is the surroundings of one run.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Environ is the environment as os.Environ gives it. Programs that are started inherit the process's own.
	Environ []string
	// OpenTerminal opens the terminal device itself, for questions to a person. Nil is no terminal.
	OpenTerminal func() (terminal.Device, error)
}

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// commands is the grammar of the command line.
type commands struct {
	Version kong.VersionFlag `help:"Print the version and exit."`

	Generate        generateCommand        `cmd:"" help:"Write elyra_gen.go for the packages with //elyra:command directives."`
	New             newCommand             `cmd:"" help:"Write a new app that runs at once."`
	Build           buildCommand           `cmd:"" help:"Build the program that users get."`
	Bundle          bundleCommand          `cmd:"" help:"Make what users install: packages for Linux, macOS, Windows and MCP clients."`
	Dev             devCommand             `cmd:"" help:"Work on an app: build and start it again whenever its sources change."`
	MakeResource    makeResourceCommand    `cmd:"" name:"make:resource" help:"Write a table with its commands, tests, list and form."`
	MakeCommand     makeCommandCommand     `cmd:"" name:"make:command" help:"Write a command and its test."`
	MakeMiddleware  makeMiddlewareCommand  `cmd:"" name:"make:middleware" help:"Write code that runs around every command, and its test."`
	MakeMigration   makeMigrationCommand   `cmd:"" name:"make:migration" help:"Write an empty migration for each dialect."`
	Migrate         migrateCommand         `cmd:"" help:"Apply the migrations that the app's database lacks."`
	MigrateRollback migrateRollbackCommand `cmd:"" name:"migrate:rollback" help:"Take back the newest migration."`
	MigrateStatus   migrateStatusCommand   `cmd:"" name:"migrate:status" help:"Show which migrations the app's database has."`
	MCP             mcpCommands            `cmd:"" name:"mcp" help:"See and try out what an agent can do with an app."`
	Completion      completionCommand      `cmd:"" help:"Print a script that completes the command line in a shell."`
}

type mcpCommands struct {
	Inspect inspectCommand `cmd:"" help:"Show the tools that an agent sees, and which commands are none."`
	Call    callCommand    `cmd:"" help:"Be the agent: call a tool of the app and print its result."`
	Read    readCommand    `cmd:"" help:"Be the agent: read a resource of the app and print it."`
	Watch   watchCommand   `cmd:"" help:"Be the agent: print a resource of the app on one line, and again whenever it changes."`
	Install installCommand `cmd:"" help:"Build the app and print how to connect an MCP client to it. Edits nothing."`
}

// run is what a command gets besides its flags.
type run struct {
	Env
	ctx context.Context
}

// lookup gives the value of an environment variable and whether it is set.
func (e *Env) lookup(name string) (string, bool) {
	// As for a process, the first of two that have the same name.
	for _, variable := range e.Environ {
		if key, value, ok := strings.Cut(variable, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

// exitError is an error with an exit code other than exitFailed. A nil err was shown already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError says that the command was used wrongly.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// helpShown ends a run that only printed help or the version.
type helpShown struct{ code int }

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, args []string, env Env) (code int) {
	defer func() {
		if r := recover(); r != nil {
			shown, ok := r.(helpShown)
			if !ok {
				panic(r)
			}
			code = shown.code
		}
	}()
	var grammar commands
	parser, err := kong.New(&grammar,
		kong.Name("rata"),
		kong.Description("The command line of Elyra, the framework for desktop apps that are MCP servers."),
		kong.Vars{"version": version()},
		kong.Writers(env.Stdout, env.Stderr),
		// Kong exits the process after help; here that ends the run.
		kong.Exit(func(code int) { panic(helpShown{code}) }),
	)
	if err != nil {
		fmt.Fprintln(env.Stderr, "rata:", err)
		return exitUsage
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(env.Stderr, "rata: %v; rata --help lists commands and flags\n", err)
		return exitUsage
	}
	if err := parsed.Run(&run{Env: env, ctx: ctx}); err != nil {
		return report(env.Stderr, err)
	}
	return exitOK
}

// report shows an error and gives its exit code.
func report(w io.Writer, err error) int {
	code := exitFailed
	if exit, ok := errors.AsType[*exitError](err); ok {
		code = exit.code
		if exit.err == nil {
			return code
		}
	}
	fmt.Fprintln(w, "rata:", terminal.Visible(err.Error()))
	return code
}

// version is that of the module when rata was installed as one.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
