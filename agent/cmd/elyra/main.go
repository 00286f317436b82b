// Command elyra is a coding agent that uses MCP servers, and the command line of its MCP host.
//
// The program only joins the process (arguments, streams, environment, signals) to internal/cli. It must not
// contain behaviour of its own, so that every command can be run in a test.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/elyra-go/elyra/agent/internal/cli"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/terminal"
)

// gcPercent lets the heap grow to five times what is in use before it is collected: most runs are short and end before.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A second signal ends the process at once, should the orderly end take too long.
	context.AfterFunc(ctx, stop)
	dir, err := os.Getwd()
	if err != nil {
		fail("the working directory cannot be found", err)
	}
	userHome, err := os.UserHomeDir()
	if err != nil {
		fail("your home folder cannot be found", err)
	}
	executable, err := os.Executable()
	if err != nil {
		fail("the path of this program cannot be found", err)
	}
	os.Exit(cli.Run(ctx, os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Dir: dir, UserHome: userHome, Executable: executable,
		OpenTerminal: terminal.Open, Browse: oauth.Browser(runtime.GOOS, nil),
	}))
}

func fail(what string, err error) {
	fmt.Fprintf(os.Stderr, "elyra: %s: %v\n", what, err)
	os.Exit(2)
}
