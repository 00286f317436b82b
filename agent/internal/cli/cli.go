// Package cli owns the commands of elyra: their flags, their output and their exit codes.
//
// It promises that results go to Env.Stdout and everything else to Env.Stderr, that a text that a server wrote reaches a
// terminal only with its control characters made visible, that nothing a project defines is started before the user trusts
// it, and these exit codes: 0 done, 1 not done, 2 used wrongly. What a command does is in packages of its own where it is
// more than glue.
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
	// Environ is the environment as os.Environ gives it.
	Environ []string
	// Dir is the working directory, an absolute path.
	Dir string
	// UserHome is the user's home folder.
	UserHome string
	// Executable is the path of this program, which starts itself to watch over processes. Empty: nothing watches.
	Executable string
	// OpenTerminal opens the terminal device itself, for questions to a person. Nil is no terminal.
	OpenTerminal func() (terminal.Device, error)
	// Browse opens a web address in the user's browser. Nil: addresses are only shown.
	Browse func(url string) error
}

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// commands is the grammar of the command line.
type commands struct {
	Version kong.VersionFlag `help:"Print the version and exit."`

	Agent  agentCommand   `cmd:"" default:"withargs" help:"Work on a prompt."`
	MCP    mcpCommands    `cmd:"" name:"mcp" help:"Use the MCP servers that are configured on this machine."`
	Auth   authCommands   `cmd:"" help:"Keep the keys of model vendors."`
	Config configCommands `cmd:"" help:"See and change settings."`
	Trust  trustCommand   `cmd:"" help:"Show what the project in this folder wants to start, and trust it."`

	Install installCommand `cmd:"" hidden:"" help:"Say what to do in the place of installing a package."`

	Keep keepCommand `cmd:"" hidden:"" name:"keep-processes" help:"End the processes of an elyra that was killed."`

	Child childCommand `cmd:"" hidden:"" name:"child-agent" help:"Be an agent that works for the one that started it."`

	Conformance conformanceCommand `cmd:"" hidden:"" name:"conformance-client" help:"Be the client that the protocol's conformance suite tests."`
}

type mcpCommands struct {
	List    listCommand    `cmd:"" help:"Show the configured servers, and what was skipped and why."`
	Add     addCommand     `cmd:"" help:"Add a server to Elyra's own configuration."`
	Remove  removeCommand  `cmd:"" help:"Remove a server from Elyra's own configuration."`
	Search  searchCommand  `cmd:"" help:"Find tools by what they do."`
	Call    callCommand    `cmd:"" help:"Call a tool and print its result."`
	Read    readCommand    `cmd:"" help:"Read a resource and print it."`
	Login   loginCommand   `cmd:"" help:"Log in to a remote server."`
	Logout  logoutCommand  `cmd:"" help:"Forget the login to a remote server."`
	Refresh refreshCommand `cmd:"" help:"Connect to servers anew and ask what tools they have."`
	Disable disableCommand `cmd:"" help:"Switch a server off."`
	Enable  enableCommand  `cmd:"" help:"Switch a server on again."`
	Doctor  doctorCommand  `cmd:"" help:"Try every server and say what is wrong and what to do."`

	Install serverInstallCommand `cmd:"" help:"Print the entry by which an MCP host uses Elyra as its server in this project."`
}

// run is what a command gets besides its flags.
type run struct {
	Env
	ctx context.Context
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
		kong.Name("elyra"),
		kong.Description("A coding agent that uses the MCP servers you already have."),
		kong.Vars{"version": version()},
		kong.Writers(env.Stdout, env.Stderr),
		// Kong exits the process after help; here that ends the run.
		kong.Exit(func(code int) { panic(helpShown{code}) }),
	)
	if err != nil {
		fmt.Fprintln(env.Stderr, "elyra:", err)
		return exitUsage
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(env.Stderr, "elyra: %v; elyra --help lists commands and flags\n", err)
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
	fmt.Fprintln(w, "elyra:", terminal.Visible(err.Error()))
	return code
}

// version is that of the module when elyra was installed as one.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// say tells the user something beside the result.
func (r *run) say(format string, args ...any) {
	fmt.Fprintln(r.Stderr, "elyra:", terminal.Visible(fmt.Sprintf(format, args...)))
}

// getenv gives the value of an environment variable, "" for one that is not set.
func (e *Env) getenv(name string) string {
	for _, variable := range e.Environ {
		if key, value, ok := strings.Cut(variable, "="); ok && key == name {
			return value
		}
	}
	return ""
}
