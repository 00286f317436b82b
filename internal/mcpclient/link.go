package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// limits bound what a server may send. Tool schemas nest deeper than ordinary messages, and one deep schema must not cost a
// whole page of tools.
var limits = wire.Limits{MaxDepth: 256}

// closeDrain is how long messages that wait to be written may take when a connection is closed.
const closeDrain = 500 * time.Millisecond

// receiver gets what a server sends besides answers. Its methods are called by the reader of the link, so they must not
// wait for anything that the server sends.
type receiver interface {
	request(l *link, m wire.Message)
	notification(m wire.Message)
}

// link is one connection: it numbers requests, gives each answer to the request it belongs to, and skips what is no message.
type link struct {
	conn   Conn
	out    *wire.Writer
	log    *slog.Logger
	to     receiver
	lastID atomic.Int64

	// initialized says that initialize was sent: from then on the server may ask, and be answered.
	initialized atomic.Bool
	// batches says that the version in use lets a server put several messages into one line.
	batches atomic.Bool
	skipped *atomic.Int64

	mu      sync.Mutex
	pending map[string]*pending // by the raw id
	down    error               // why the link is dead

	dead       chan struct{} // closed when down is set
	wg         sync.WaitGroup
	closeOnce  sync.Once
	closeError error
}

// newLink starts the reader of an open connection.
func newLink(conn Conn, to receiver, log *slog.Logger, skipped *atomic.Int64) *link {
	l := &link{
		conn: conn, out: wire.NewWriter(conn, 0), log: log, to: to, skipped: skipped,
		pending: map[string]*pending{}, dead: make(chan struct{}),
	}
	l.wg.Go(l.read)
	l.wg.Go(l.watchWriter)
	return l
}

// read is the reader's goroutine. It ends with the stream.
func (l *link) read() {
	r := wire.NewReader(l.conn, limits)
	for {
		line, err := r.Next()
		var refused *wire.Error
		switch {
		case errors.As(err, &refused):
			l.skip(line, refused)
		case err != nil:
			l.fail(l.endOf(err))
			return
		default:
			l.receive(line)
		}
	}
}

// endOf says why reading ended, in the words of the transport when it knows.
func (l *link) endOf(err error) error {
	if errors.Is(err, io.EOF) {
		err = errors.New("the server closed it")
	}
	if e, ok := l.conn.(explainer); ok {
		err = e.explain(err)
	}
	return fmt.Errorf("%w: %w", ErrDisconnected, err)
}

// watchWriter ends a link that can no longer write. The reader usually finds out at the same time and has the better
// explanation, so it gets a moment.
func (l *link) watchWriter() {
	select {
	case <-l.dead:
	case <-l.out.Failed():
		if !waitFor(l.dead, time.Second) {
			l.fail(fmt.Errorf("%w: %w", ErrDisconnected, l.out.Err()))
		}
	}
}

// fail marks the link as dead; the first reason stays.
func (l *link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down == nil {
		l.down = err
		close(l.dead)
	}
}

// reason returns why the link is dead, nil while it is not.
func (l *link) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down
}

// receive handles one line.
func (l *link) receive(line []byte) {
	if line[0] == '[' && l.batches.Load() {
		if elements, ok := wire.ParseBatch(line, limits); ok {
			for _, e := range elements {
				l.receiveOne(e)
			}
			return
		}
	}
	l.receiveOne(line)
}

func (l *link) receiveOne(line []byte) {
	m, refused := wire.Parse(line, limits)
	switch {
	case refused != nil:
		l.skip(line, refused)
	case m.Method == "":
		l.answer(m)
	case m.ID != nil:
		l.to.request(l, m)
	case m.Method == mcp.NotifyProgress:
		l.report(m.Params)
	default:
		l.to.notification(m)
	}
}

// skip counts a line that is no message. When it looks like a response to one of our requests, that request fails now
// instead of waiting for its timeout.
func (l *link) skip(line []byte, refused *wire.Error) {
	if id := responseID(line); id != nil {
		if p := l.take(id); p != nil {
			p.reply <- wire.Message{ID: id, Error: wire.Errorf(wire.CodeInternal, "the server's response cannot be used: %s", refused.Message)}
			return
		}
	}
	n := l.skipped.Add(1)
	if sometimes(n) {
		l.log.Warn("skipped a line of the MCP server that is no message", "skipped", n, "reason", refused.Message,
			"line", printable(string(line[:min(len(line), 200)])))
	}
}

// sometimes reports whether the n-th occurrence of something goes into the log: the powers of two do, so that a server that
// does it all the time cannot flood the log.
func sometimes(n int64) bool { return n&(n-1) == 0 }

// send queues a line. An error means that the line was not sent.
func (l *link) send(ctx context.Context, line []byte) error {
	err := l.out.SendWait(ctx, line)
	if err == nil {
		return nil
	}
	switch {
	case ctx.Err() != nil:
		err = ended(ctx)
	case waitFor(l.dead, time.Second): // Why the link is dead says more than that a write failed.
		err = l.reason()
	}
	return fmt.Errorf("%w: %w", ErrNotSent, err)
}

// notify sends a notification without waiting. Params that are nil are left out.
func (l *link) notify(method string, params jsontext.Value) error {
	return l.out.Send(wire.AppendRequest(nil, nil, method, params))
}

// close ends the link: requests in flight fail with reason and are cancelled, the connection is closed, and the goroutines
// are waited for.
func (l *link) close(reason error) error {
	l.closeOnce.Do(func() {
		l.fail(reason)
		l.mu.Lock()
		inFlight := make([]*pending, 0, len(l.pending))
		for _, p := range l.pending {
			inFlight = append(inFlight, p)
		}
		l.mu.Unlock()
		for _, p := range inFlight {
			l.cancel(p, reason.Error())
		}
		ctx, cancel := context.WithTimeout(context.Background(), closeDrain)
		defer cancel()
		if err := l.out.Close(ctx); err != nil {
			l.log.Debug("closing the MCP connection: messages to the server were dropped", "error", err)
		}
		l.closeError = l.conn.Close()
		l.wg.Wait()
	})
	return l.closeError
}
