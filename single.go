package elyra

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
	"github.com/elyra-go/elyra/window"
)

// A second start of an app that shows windows raises the window of the first, through an endpoint of
// its own: no agent comes near it.

// raiseTimeout bounds the conversation of the two processes.
const raiseTimeout = 5 * time.Second

// windowEndpoint is where a process that shows windows listens for further starts.
func (e *Env) windowEndpoint() endpoint.Options {
	return e.endpoint(filepath.Join(e.ConfigDir, "window"))
}

// raiseRunning brings the window of a running instance to the front. It reports false when none runs.
func (p *program) raiseRunning(ctx context.Context) (bool, error) {
	conn, _, err := endpoint.Dial(ctx, p.env.windowEndpoint())
	if errors.Is(err, endpoint.ErrNotRunning) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the app seems to be open already, but does not answer: %w", err)
	}
	defer conn.Close()
	startup := p.env.Getenv("XDG_ACTIVATION_TOKEN")
	if startup == "" {
		startup = p.env.Getenv("DESKTOP_STARTUP_ID")
	}
	conn.SetDeadline(time.Now().Add(raiseTimeout))
	if _, err := fmt.Fprintf(conn, "%q\n", startup); err != nil {
		return false, fmt.Errorf("raise the app's window: %w", err)
	}
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		return false, fmt.Errorf("raise the app's window: %w", err)
	}
	return true, nil
}

// listenForStarts answers further starts of the app until the listener is closed.
func (p *program) listenForStarts(ctx context.Context, in *Instance) (*endpoint.Listener, error) {
	return endpoint.Listen(ctx, p.env.windowEndpoint(), func(ctx context.Context, conn net.Conn, _ endpoint.Peer) {
		ctx, cancel := context.WithTimeout(ctx, raiseTimeout)
		defer cancel()
		conn.SetDeadline(time.Now().Add(raiseTimeout))
		line, err := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString('\n')
		var startup string
		if _, scanErr := fmt.Sscanf(line, "%q", &startup); err != nil || scanErr != nil {
			return
		}
		if opener, ok := in.shown().(window.Opener); ok {
			if err := opener.Raise(ctx, in.firstWindow(), startup); err != nil {
				p.env.Log.Warn("the window could not be raised", "error", err)
			}
		}
		fmt.Fprintln(conn, "raised")
	})
}

// firstWindow is the id of the window that a second start raises.
func (in *Instance) firstWindow() string {
	if id := in.app.windows[0].ID; id != "" {
		return id
	}
	return "main"
}
