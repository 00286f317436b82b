package elyra

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/elyra-go/elyra/internal/endpoint"
	"github.com/elyra-go/elyra/internal/shim"
	"github.com/elyra-go/elyra/internal/stdio"
	"github.com/elyra-go/elyra/window"
)

// Exit codes of [Main]. A window backend that cannot open a window has codes of its own: 3 when a
// library is missing, 4 when there is no display.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRunning = 5 // another instance of the app is open
)

const usage = `usage: %s [--headless | --mcp]

  (nothing)    open the app's window
  --headless   run the app without a window, until it is told to stop
  --mcp        serve an MCP client on standard input and output: in the running
               app when there is one, otherwise headless
  --version    print the version

ELYRA_MIGRATE=up, =down or =status migrates the database, or shows how far it is, and exits.
`

// Main runs an app and exits the process. build makes the app; it is called only in a process that
// will serve it, so never in one that passes an agent on to the running app. backend opens the
// windows; nil is an app that has none.
func Main(appID string, build func(*Env) (*App, error), backend window.Backend) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program{build: build, backend: backend, stderr: os.Stderr, stdout: os.Stdout, takeStdio: stdio.Take}
	env, err := NewEnv(appID, os.Getenv, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	code := exitFailed
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		p.env = env
		code = p.run(ctx, os.Args[1:])
	}
	stop()
	os.Exit(code)
}

// program is one run of Main.
type program struct {
	env            *Env
	build          func(*Env) (*App, error)
	backend        window.Backend
	stdout, stderr io.Writer
	takeStdio      func() (in, out *os.File, err error)
}

func (p *program) run(ctx context.Context, args []string) int {
	mode := ""
	if len(args) > 0 {
		mode = args[0]
	}
	known := strings.Contains(" --headless --mcp --describe --version --help -h ", " "+mode+" ")
	if len(args) > 1 || mode != "" && !known {
		fmt.Fprintf(p.stderr, "%s does not know the arguments %q\n\n"+usage, p.env.AppID, args, p.env.AppID)
		return exitUsage
	}
	var err error
	switch mode {
	case "--help", "-h":
		fmt.Fprintf(p.stdout, usage, p.env.AppID)
	case "--version":
		fmt.Fprintln(p.stdout, p.env.AppID, p.env.Version)
	case "--describe":
		err = p.describe()
	case "--mcp":
		err = p.serveMCP(ctx)
	default:
		if words := p.env.Getenv("ELYRA_MIGRATE"); words != "" {
			err = p.migrate(ctx, words)
		} else {
			err = p.serve(ctx, mode == "--headless")
		}
	}
	return p.report(err)
}

// report prints err for a person and returns the exit code that belongs to it.
func (p *program) report(err error) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(p.stderr, err)
	if u, ok := errors.AsType[*window.Unavailable](err); ok {
		return u.ExitCode
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	switch {
	case errors.Is(err, errNoMCP):
		return exitUsage
	case errors.Is(err, endpoint.ErrInUse):
		return exitRunning
	}
	return exitFailed
}

// usageError is a mistake in how the app was started.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

// describe prints what the app exposes to agents, without opening its database.
func (p *program) describe() error {
	_, out, err := p.takeStdio()
	if err != nil {
		return err
	}
	app, err := p.build(p.env)
	if err != nil {
		return err
	}
	text, err := app.describe(p.env)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}

// serveMCP is the shim. Standard output belongs to the protocol from the first moment: what the app
// or a child prints goes to standard error.
func (p *program) serveMCP(ctx context.Context) error {
	in, out, err := p.takeStdio()
	if err != nil {
		return err
	}
	return shim.Run(ctx, shim.Options{
		Stdin: in, Stdout: out, Log: p.env.Log,
		Dial: func(ctx context.Context) (net.Conn, error) {
			conn, _, err := endpoint.Dial(ctx, p.env.endpoint(p.env.ConfigDir))
			return conn, err
		},
		Headless: func(ctx context.Context, r io.Reader, w io.Writer) error {
			return p.serveMCPHere(ctx, r, w, false, "the app is not open: serving without a window")
		},
		AfterQuit: func(ctx context.Context, r io.Reader, w io.Writer) error {
			// The user closed the app under the agent's hands: what changes something is refused.
			return p.serveMCPHere(ctx, r, w, true, "the user closed the app: serving without a window")
		},
	})
}

// serveMCPHere serves an MCP client in this process, without a window.
func (p *program) serveMCPHere(ctx context.Context, r io.Reader, w io.Writer, afterQuit bool, why string) error {
	in, err := p.start(ctx)
	if err != nil {
		return err
	}
	in.closedByUser = afterQuit
	if in.app.db != nil {
		h, _ := in.handle()
		p.env.Log.Info(why, "database", h.Name())
	}
	err = in.ServeMCP(ctx, r, w)
	return errors.Join(err, in.Close(context.WithoutCancel(ctx)))
}

func (p *program) start(ctx context.Context) (*Instance, error) {
	app, err := p.build(p.env)
	if err != nil {
		return nil, err
	}
	return app.Start(ctx, p.env)
}

// serve runs the app with its endpoint, and with windows unless it is headless, until the last
// window closes or ctx ends.
func (p *program) serve(ctx context.Context, headless bool) (err error) {
	if !headless && p.backend == nil {
		return &usageError{"this app has no window: start it with --headless or --mcp"}
	}
	if !headless {
		raised, err := p.raiseRunning(ctx)
		if raised {
			p.env.Log.Info("the app is open already: its window was raised")
		}
		if raised || err != nil {
			return err
		}
	}
	in, err := p.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(context.WithoutCancel(ctx))) }()
	listeners, err := p.listen(ctx, in, headless)
	defer func() {
		for _, l := range listeners {
			if err := l.Close(context.WithoutCancel(ctx)); err != nil {
				p.env.Log.Warn("endpoint", "error", err)
			}
		}
	}()
	if err != nil {
		return err
	}
	if !headless {
		return in.runWindows(ctx, p.backend)
	}
	p.env.Log.Info("serving without a window", "app", p.env.AppID)
	<-ctx.Done()
	return nil
}
