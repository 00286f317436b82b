package mcpclient

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// Transport opens connections to one server. It is a factory because finding out the era may take two connections: some
// legacy servers exit when they meet a request that they do not know.
type Transport interface {
	// Open makes a new connection. Legacy says that the connection starts with initialize, without a probe before it.
	// Ctx bounds the opening alone; the connection lives until it is closed.
	Open(ctx context.Context, legacy bool) (Conn, error)
}

// Conn is one open connection. Reads and writes may happen at the same time. Close may take a while (a process is asked to
// leave before it is killed), may be called more than once, and unblocks pending reads and writes.
type Conn interface {
	io.Reader
	io.Writer
	io.Closer
}

// Failer is a Conn below which each request has a way of its own that may fail alone, as over HTTP. When that happens the
// Conn gives the reader an error answer to the request, whose line only has room for a text.
type Failer interface {
	// Failure returns the error behind the answer to the request with that id and forgets it; nil when the answer is the
	// server's own. The error should wrap ErrNotSent, ErrLost or ErrNotMCP when one of them holds.
	Failure(id jsontext.Value) error
}

// failureOf returns the error of an answer: what the transport says about it, or the server's own error.
func failureOf(m wire.Message) error {
	if cause, ok := m.Error.Data.(error); ok {
		return cause
	}
	return m.Error
}

// explainer is a connection that knows why it ended, for example a process that can quote its standard error.
type explainer interface {
	// explain turns the error that ended reading into one that says what happened to the server.
	explain(err error) error
}

// transportFunc makes a Transport of a function.
type transportFunc func(ctx context.Context, legacy bool) (Conn, error)

func (f transportFunc) Open(ctx context.Context, legacy bool) (Conn, error) { return f(ctx, legacy) }

// Dialer is a Transport over sockets: each connection is one dial. The framing is that of stdio, one message a line.
func Dialer(dial func(context.Context) (net.Conn, error)) Transport {
	return transportFunc(func(ctx context.Context, _ bool) (Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, fmt.Errorf("dial MCP server: %w", err)
		}
		return conn, nil
	})
}

// pipeGrace is how long an in-memory server may take to return after its input ended, and again after its context did.
const pipeGrace = 2 * time.Second

// Pipe is a Transport to a server in this process. Each connection runs serve in a goroutine of its own. Closing the
// connection ends the server's input, after two seconds its context, and waits until serve has returned.
func Pipe(serve func(ctx context.Context, r io.Reader, w io.Writer) error) Transport {
	return transportFunc(func(ctx context.Context, _ bool) (Conn, error) {
		serveCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		p := &pipeConn{cancel: cancel, done: make(chan struct{})}
		var toServer *io.PipeReader
		var fromServer *io.PipeWriter
		toServer, p.in = io.Pipe()
		p.out, fromServer = io.Pipe()
		go func() {
			// Both ends close, so that neither a read nor a write of the client waits for a server that is gone.
			defer fromServer.Close()
			defer toServer.Close()
			defer close(p.done)
			p.err = serve(serveCtx, toServer, fromServer)
		}()
		return p, nil
	})
}

// pipeConn is the client's end of a Pipe.
type pipeConn struct {
	in     *io.PipeWriter // to the server
	out    *io.PipeReader // from the server
	cancel context.CancelFunc
	done   chan struct{} // closed when serve has returned
	err    error         // what serve returned; readable once done is closed
}

func (p *pipeConn) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *pipeConn) Write(b []byte) (int, error) { return p.in.Write(b) }

func (p *pipeConn) Close() error {
	p.in.Close()
	defer p.cancel()
	if waitFor(p.done, pipeGrace) {
		p.out.Close()
		return nil
	}
	p.cancel()
	p.out.Close() // A server that is stuck in a write gets an error now.
	if waitFor(p.done, pipeGrace) {
		return nil
	}
	return fmt.Errorf("close in-memory MCP server: serve has not returned %v after its context ended", pipeGrace)
}

// explain quotes the error that serve returned, if it has.
func (p *pipeConn) explain(err error) error {
	select {
	case <-p.done:
		if p.err != nil {
			return fmt.Errorf("the server stopped: %w", p.err)
		}
	default:
	}
	return err
}

// waitFor reports whether done was closed within d.
func waitFor(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
