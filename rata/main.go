// Command rata is the command line of Elyra: it generates code, and shows and tries out what an
// agent can do with an app.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once, should the orderly end take too long.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), OpenTerminal: terminal.Open,
	}))
}
