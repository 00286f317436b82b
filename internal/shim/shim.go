// Package shim is what runs when a client starts the app as its MCP server: it joins the client's stdin
// and stdout to the running app, or serves without a window when no app is running.
//
// Lines pass unchanged in both directions. The shim only remembers what it needs for the day the app
// goes away under a client: the requests nobody has answered yet, which it then answers itself, and how
// a client of an older protocol revision introduced itself, which it repeats to whoever serves next. It
// promises that every request is answered at most once and that no call is ever sent twice.
//
// It may import only internal/endpoint and internal/wire, and knows of MCP the few method names that
// carry a connection's state.
package shim

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
)

const (
	// drainTime is how long replies may take once the client has closed its side.
	drainTime = 2 * time.Second

	// closeTime is how long a client that is done may take to read what has already arrived.
	closeTime = 200 * time.Millisecond

	// replayTime is how long a running app may take to answer a repeated initialize.
	replayTime = 10 * time.Second
)

// ServeFunc serves one connection inside this process until r ends or ctx does. It answers what it
// accepted before it returns.
type ServeFunc = func(ctx context.Context, r io.Reader, w io.Writer) error

// Options is what the shim joins. All but Log and AfterQuit are required.
type Options struct {
	Stdin  io.Reader
	Stdout io.Writer
	Log    *slog.Logger // nil discards

	// Dial connects to the running app, as [endpoint.Dial] does; its connections must have CloseWrite.
	// Any error means that this process serves the client itself.
	Dial func(context.Context) (net.Conn, error)

	// Headless serves when no app is running, and after the app crashed.
	Headless ServeFunc

	// AfterQuit serves after the user has closed the app, until it is opened again: it should refuse
	// whatever changes something. Nil means that Headless serves then too, and stays.
	AfterQuit ServeFunc
}

// Run serves the client until its stdin ends or ctx does, which lets replies drain for at most two
// seconds, or until the client stops reading. All of these are ordinary ends and give nil. An error is
// what Headless or AfterQuit returned.
//
// A read of Stdin that cannot be interrupted may outlive Run; the program is expected to exit then.
func Run(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	conn, err := o.Dial(ctx)
	if err != nil {
		logUnreached(o.Log, err)
		return o.Headless(ctx, o.Stdin, o.Stdout)
	}
	s := newSession(o)
	defer s.readStdin(ctx)()
	return s.run(ctx, fromApp(conn))
}

// logUnreached tells why the app is not used. That none is running is the ordinary case.
func logUnreached(log *slog.Logger, err error) {
	if errors.Is(err, endpoint.ErrNotRunning) {
		log.Debug("no running app", "error", err)
		return
	}
	log.Warn("the running app cannot be used, serving without a window", "error", err)
}
