package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"strings"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/terminal"
)

// agentFlags are the flags of the commands that are an agent.
type agentFlags struct {
	appFlags
	Era     string        `help:"Protocol version to speak, like 2025-06-18. Default: the newest that the app knows." placeholder:"VERSION"`
	Timeout time.Duration `help:"How long the app may take without a sign of life; waiting for a person does not count." default:"60s"`
	Verbose bool          `short:"v" help:"Show the app's log and the progress of a call."`
}

// usage gives every error that does not say its exit code that of wrong use, so that exit code 1 is
// the app's own answer.
func usage(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok && exit.err == nil && exit.code == exitFailed {
		return err
	}
	if _, ok := errors.AsType[*exitError](err); err != nil && !ok {
		return &exitError{exitUsage, err}
	}
	return err
}

// connect starts the app, connects to it and has be be the agent.
func (f *agentFlags) connect(r *run, o mcpclient.Options, be func(ctx context.Context, client *mcpclient.Client) error) (err error) {
	if f.Era != "" && !mcp.Modern(f.Era) && !mcp.Legacy(f.Era) {
		return usageError("unknown protocol version %q: known are %s", f.Era, strings.Join(mcp.Versions(), ", "))
	}
	app, err := f.open(r)
	if err != nil {
		if exit, ok := errors.AsType[*exitError](err); ok && exit.err == nil {
			return &exitError{code: exitUsage} // exit code 1 is the app's own
		}
		return err
	}
	defer func() { err = errors.Join(err, app.remove()) }()
	client, err := mcpclient.Connect(r.ctx, f.transport(r, app), f.options(r, o))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := client.Close(); closeErr != nil && err == nil {
			fmt.Fprintln(r.Stderr, "rata: the app did not end well:", terminal.Visible(closeErr.Error()))
		}
	}()
	return be(r.ctx, client)
}

func (f *agentFlags) transport(r *run, app *app) mcpclient.Transport {
	var o mcpclient.CommandOptions
	if f.Verbose {
		o.Stderr = visibleWriter{r.Stderr}
	}
	return mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command(app.path, "--mcp")
		cmd.Dir = app.dir
		return cmd
	}, o)
}

func (f *agentFlags) options(r *run, o mcpclient.Options) mcpclient.Options {
	o.Info = mcp.Implementation{Name: "rata", Title: "rata mcp", Version: version()}
	o.Era, o.CallTimeout = f.Era, f.Timeout
	asker := &terminal.Asker{Program: "rata", Open: r.OpenTerminal, Notices: r.Stderr}
	o.Elicit = func(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
		return asker.Ask(ctx, "the app", p)
	}
	o.ElicitURL = true
	if f.Verbose {
		o.Log = slog.New(slog.NewTextHandler(visibleWriter{r.Stderr}, nil))
	}
	return o
}
