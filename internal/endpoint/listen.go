package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Serve serves one connection whose other end has proved itself, and returns when it is done. It should
// finish what was accepted and return soon after ctx ends, which happens when the listener closes.
type Serve func(ctx context.Context, conn net.Conn, peer Peer)

// Listener is the open endpoint of a running app.
type Listener struct {
	o     Options
	bound bound
	serve Serve

	ctx    context.Context // ends when Close begins
	cancel context.CancelFunc
	work   sync.WaitGroup // the accepting goroutine and one for each connection

	proving chan struct{} // a place for each connection that has proved nothing yet

	mu    sync.Mutex
	conns map[net.Conn]bool // true once it has proved itself
	taken int               // how many have

	told   time.Time // when the log last heard of a connection that was refused
	untold int       // how many it did not hear of since

	once   sync.Once
	closed error
}

// Listen opens the endpoint: it makes the token at the first start, replaces what a crash left behind,
// writes the pointer file, and calls serve in its own goroutine for each connection that proves itself.
// The connection is closed when serve returns.
//
// The error is an [ErrInUse] when another instance is listening; other errors name the file or folder
// that is wrong and what to do. ctx bounds only the opening, and its values are passed to serve.
func Listen(ctx context.Context, o Options, serve Serve) (*Listener, error) {
	o, err := o.prepare()
	if err != nil {
		return nil, err
	}
	b, err := o.openLocked(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the endpoint: %w", err)
	}
	l := &Listener{
		o: o, bound: b, serve: serve,
		proving: make(chan struct{}, maxProving),
		conns:   map[net.Conn]bool{},
	}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	l.work.Go(l.accept)
	return l, nil
}

func (o Options) openLocked(ctx context.Context) (bound, error) {
	if err := ensureConfigDir(o.Paths.ConfigDir, o.system.uid()); err != nil {
		return bound{}, err
	}
	if err := ensurePrivateDir(o.dir(), o.system.uid()); err != nil {
		return bound{}, err
	}
	unlock, err := o.lock(ctx)
	if err != nil {
		return bound{}, err
	}
	b, err := o.bind(ctx)
	return b, errors.Join(err, unlock())
}

// Close ends the endpoint on purpose. New connections are no longer found or accepted, the contexts of
// the served ones end, and Close waits for them until ctx ends, when it closes what is left. Since the
// pointer file goes first, a client that loses its connection can tell this from a crash.
func (l *Listener) Close(ctx context.Context) error {
	l.once.Do(func() { l.closed = l.close(ctx) })
	return l.closed
}

func (l *Listener) close(ctx context.Context) error {
	withdrawn := l.o.withdraw(ctx, l.bound.where)
	l.cancel()
	stopped := l.bound.inner.Close()
	l.closeConns(false)

	done := make(chan struct{})
	go func() {
		l.work.Wait()
		close(done)
	}()
	var drained error
	select {
	case <-done:
	case <-ctx.Done():
		drained = l.cut(ctx, done)
	}
	if err := errors.Join(withdrawn, stopped, drained); err != nil {
		return fmt.Errorf("close the endpoint: %w", err)
	}
	return nil
}

// cut closes the connections that did not finish in time, and gives serve a moment to notice.
func (l *Listener) cut(ctx context.Context, done <-chan struct{}) error {
	left := l.closeConns(true)
	grace := time.NewTimer(time.Second)
	defer grace.Stop()
	select {
	case <-done:
		return fmt.Errorf("cut %d connections: %w", left, context.Cause(ctx))
	case <-grace.C:
		return fmt.Errorf("cut %d connections, some are still being served: %w", left, context.Cause(ctx))
	}
}

// closeConns closes the connections that have proved themselves, or those that have not.
func (l *Listener) closeConns(proved bool) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	closed := 0
	for conn, p := range l.conns {
		if p == proved {
			conn.Close()
			closed++
		}
	}
	return closed
}
