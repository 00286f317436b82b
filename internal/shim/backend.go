package shim

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// backend is whoever serves the client at the moment.
type backend struct {
	io.Reader
	io.Writer
	app        bool         // the running app, which may go away
	untilApp   bool         // gives way to the app as soon as that runs
	interrupt  func()       // makes a blocked Write return
	closeWrite func() error // no more lines will come
	close      func() error // ends it now; returns what serving ended with

	gone  chan struct{} // closed when everything it sent has been delivered
	spoke bool          // something it sent went to the client; read after gone
}

// fromApp makes a backend of a connection to the running app.
func fromApp(conn net.Conn) *backend {
	return &backend{
		Reader: conn, Writer: conn, app: true,
		interrupt: func() { conn.SetWriteDeadline(time.Unix(1, 0)) },
		closeWrite: func() error {
			conn.SetWriteDeadline(time.Now().Add(drainTime)) // undoes an interrupt
			if half, ok := conn.(interface{ CloseWrite() error }); ok {
				return half.CloseWrite()
			}
			return conn.Close()
		},
		close: func() error { conn.Close(); return nil },
		gone:  make(chan struct{}),
	}
}

// inProcess starts serve on a pipe. Its goroutine ends with close.
func inProcess(ctx context.Context, serve ServeFunc) *backend {
	requests, toServe := io.Pipe()
	replies, fromServe := io.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	var ended error
	go func() {
		defer close(done)
		ended = serve(ctx, requests, fromServe)
		requests.Close()
		fromServe.Close()
	}()
	return &backend{
		Reader: replies, Writer: toServe,
		interrupt:  func() { toServe.Close() },
		closeWrite: toServe.Close,
		close: func() error {
			toServe.Close()
			cancel()
			replies.Close()
			<-done
			if errors.Is(ended, context.Canceled) || errors.Is(ended, io.ErrClosedPipe) {
				return nil // our own doing
			}
			return ended
		},
		gone: make(chan struct{}),
	}
}
