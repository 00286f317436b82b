package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

const (
	// manyEnds within endsWindow are too many: the server is not started again until the user says so.
	manyEnds   = 5
	endsWindow = 2 * time.Minute
	// firstPause is how long a start waits after one end; it doubles with each further one.
	firstPause = 250 * time.Millisecond
	// slowStart is when the user is told that a server is still starting.
	slowStart = 10 * time.Second
)

// server is one configured server. It has at most one connection, which its callers share.
type server struct {
	config.Server

	h    *Host
	auth Authorizer // nil: no login
	// changed has one place: the server has announced a change that was not fetched yet.
	changed chan struct{}
	// person stops what runs out while the user logs in.
	person mcpclient.Hold
	// timeout is that of a request in nanoseconds, which may change while the server is used.
	timeout atomic.Int64

	mu      sync.Mutex
	client  *mcpclient.Client // nil: not connected
	opening *opening          // a start under way
	ends    []time.Time       // failed starts, and ends that nobody asked for
	lastErr error             // of the last of ends
	version string            // the protocol version that it spoke last
	waiting time.Time         // since when searches wait for its tools; zero: none does
	closed  bool

	listing listing
}

// opening is a start that several callers may wait for.
type opening struct {
	done   chan struct{}
	client *mcpclient.Client // readable once done is closed
	err    error
}

func newServer(h *Host, c config.Server) *server {
	s := &server{Server: c, h: h, auth: h.opts.Authorizer(c), changed: make(chan struct{}, 1)}
	s.timeout.Store(int64(c.Timeout))
	s.listing.remembered(s)
	return s
}

// connect returns the connection and makes it if there is none. Ctx bounds the waiting of this caller; the start goes on
// for others.
func (s *server) connect(ctx context.Context) (*mcpclient.Client, error) {
	s.mu.Lock()
	if s.client != nil && s.client.Err() == nil {
		defer s.mu.Unlock()
		return s.client, nil
	}
	o := s.opening
	if o == nil {
		pause, err := s.mayStart(time.Now())
		if err != nil {
			s.mu.Unlock()
			return nil, err
		}
		o = &opening{done: make(chan struct{})}
		s.opening = o
		s.h.wg.Go(func() { s.open(o, pause) })
	}
	s.mu.Unlock()
	select {
	case <-o.done:
		return o.client, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for server %q: %w", s.Name, context.Cause(ctx))
	}
}

// mayStart says how long a start has to wait, or why there is none.
func (s *server) mayStart(now time.Time) (pause time.Duration, err error) {
	if s.closed || s.h.ctx.Err() != nil {
		return 0, fmt.Errorf("server %q: %w", s.Name, errClosed)
	}
	recent := s.ends[:0]
	for _, at := range s.ends {
		if now.Sub(at) < endsWindow {
			recent = append(recent, at)
		}
	}
	s.ends = recent
	switch n := len(s.ends); {
	case n >= manyEnds:
		return 0, fmt.Errorf("server %q ended %d times within %v and is not started again until \"elyra mcp refresh %s\"; the last time: %w",
			s.Name, n, endsWindow, s.Name, s.lastErr)
	case n > 0:
		return firstPause << (n - 1), nil
	}
	return 0, nil
}

// open is the goroutine of one start.
func (s *server) open(o *opening, pause time.Duration) {
	ctx, cancel := s.within(pause + s.h.opts.StartTime)
	defer cancel()
	slow := time.AfterFunc(pause+slowStart, func() {
		if s.person.Left(slowStart) <= 0 {
			s.h.opts.Notice(s.Name, "it is still starting")
		}
	})
	defer slow.Stop()
	client, err := s.start(ctx, pause)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening = nil
	if err != nil {
		switch {
		case s.h.ctx.Err() != nil:
		case loginNeeded(err): // That is no end of the server: it may be tried again at any time.
			s.lastErr = err
		default:
			s.ended(err)
		}
		o.err = fmt.Errorf("server %q: %w", s.Name, err)
		close(o.done)
		return
	}
	s.client, s.version, s.lastErr, o.client = client, client.Version(), nil, client
	close(o.done)
	s.h.wg.Go(func() { s.watch(client) })
	s.h.wg.Go(func() { s.follow(client) })
}

// within bounds a start. The time stands still while the user logs in.
func (s *server) within(limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(s.h.ctx)
	timer := time.NewTimer(limit)
	s.h.wg.Go(func() {
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			left := s.person.Left(limit)
			if left <= 0 {
				cancel(fmt.Errorf("it did not answer within %v", s.h.opts.StartTime))
				return
			}
			timer.Reset(left)
		}
	})
	return ctx, func() { cancel(context.Canceled) }
}

// start makes a connection, with the version that was spoken last if there is one.
func (s *server) start(ctx context.Context, pause time.Duration) (*mcpclient.Client, error) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	transport, err := s.transport()
	if err != nil {
		return nil, err
	}
	version := s.lastVersion()
	client, err := mcpclient.Connect(ctx, transport, s.h.clientOptions(s, version))
	if version != "" && errors.Is(err, mcpclient.ErrUnsupportedVersion) {
		client, err = mcpclient.Connect(ctx, transport, s.h.clientOptions(s, ""))
	}
	if err != nil && ctx.Err() != nil && s.h.ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	if err == nil && config.IsThisAgent(client.Server().Name, client.Server().Title) && !config.Invites(s.Server) {
		return nil, errors.Join(fmt.Errorf("it is elyra, and elyra does not load itself (when it is another project's and you want it, add %s to its arguments)",
			config.InsideFlag), client.Close())
	}
	return client, err
}

func (s *server) lastVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// ended notes a failed start or an end that nobody asked for. The caller holds mu.
func (s *server) ended(err error) {
	s.ends, s.lastErr = append(s.ends, time.Now()), err
}

// watch waits for the end of a connection and frees what belongs to it. The next caller starts the server again.
func (s *server) watch(client *mcpclient.Client) {
	<-client.Done()
	s.mu.Lock()
	if s.client == client { // Nobody asked for it.
		s.client = nil
		s.ended(client.Err())
		s.h.opts.Log.Warn("an MCP server ended", "server", s.Name, "error", client.Err())
	}
	s.mu.Unlock()
	if err := client.Close(); err != nil {
		s.h.opts.Log.Warn("an MCP server did not end well", "server", s.Name, "error", err)
	}
}

// disconnect ends the connection, if there is one, and forgets why earlier ones ended.
func (s *server) disconnect() error {
	s.mu.Lock()
	client := s.client
	s.client, s.ends, s.lastErr = nil, nil, nil
	s.mu.Unlock()
	if client == nil {
		return nil
	}
	return client.Close()
}

// close ends the server for good. A start under way ends with the host, or here when only this server goes.
func (s *server) close() error {
	s.mu.Lock()
	s.closed = true
	o := s.opening
	s.mu.Unlock()
	if o != nil {
		<-o.done
	}
	return s.disconnect()
}

// requestTimeout is how long a request may stay without an answer or a sign of progress.
func (s *server) requestTimeout() time.Duration { return time.Duration(s.timeout.Load()) }

// key identifies what a cached listing was listed by: the configuration, and who is logged in.
func (s *server) key() string {
	key := s.Key()
	if s.auth != nil {
		key += " " + s.auth.Subject()
	}
	return key
}
