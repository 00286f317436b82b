package streamable

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// limits are those of the client: tool schemas nest deep.
var limits = wire.Limits{MaxDepth: 256}

const (
	// noticeGrace is how long notifications under way may take when a connection is closed.
	noticeGrace = time.Second
	// noticeTimeout is how long a message may take that is not answered. Requests wait for the first of a session.
	noticeTimeout = 30 * time.Second
	// deleteGrace is how long the end of a session may take.
	deleteGrace = 2 * time.Second
)

// conn is a connection as the client sees it. Below it there is none, except for HTTP+SSE: there are requests.
type conn struct {
	t      *transport
	log    *slog.Logger
	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	lines  *io.PipeReader // what the client reads
	out    *io.PipeWriter
	rest   []byte // the beginning of a line; only Write uses it

	mu       sync.Mutex
	closed   bool
	flights  map[string]*flight // by the raw id
	failures map[string]error   // by the raw id, until the client has asked for them
	ready    chan struct{}      // closed while messages may be sent
	session  *session           // of a legacy server, nil before initialize was answered
	endpoint *url.URL           // where messages go in HTTP+SSE, nil otherwise

	renewal   chan struct{} // has one token: who opens the session again
	notices   sync.WaitGroup
	wg        sync.WaitGroup
	closeOnce sync.Once
}

var _ mcpclient.Failer = (*conn)(nil)

func newConn(ctx context.Context, t *transport) *conn {
	c := &conn{
		t: t, log: t.o.Log, flights: map[string]*flight{}, failures: map[string]error{},
		ready: make(chan struct{}), renewal: make(chan struct{}, 1),
	}
	close(c.ready)
	c.renewal <- struct{}{}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.lines, c.out = io.Pipe()
	return c
}

func (c *conn) Read(b []byte) (int, error) { return c.lines.Read(b) }

// Write sends each whole line. It does not wait for what becomes of it.
func (c *conn) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, more, whole := bytes.Cut(b, []byte{'\n'})
		c.rest = append(c.rest, line...)
		if !whole {
			return n, nil
		}
		b, line, c.rest = more, c.rest, nil
		if err := c.dispatch(line); err != nil {
			return n - len(b), err
		}
	}
}

// dispatch starts what a line asks for.
func (c *conn) dispatch(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	m, refused := wire.Parse(line, limits)
	if refused != nil {
		return fmt.Errorf("send over HTTP: the line is no message: %w", refused)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return net.ErrClosed
	case m.Method != "" && m.ID != nil:
		c.start(m, line)
	case m.Method == mcp.NotifyCancelled:
		c.cancelled(m, line)
	case m.Method == mcp.NotifyInitialized:
		ready := make(chan struct{})
		c.notify(m, line, c.ready, func() {
			c.listenTo(c.current())
			close(ready)
		})
		c.ready = ready
	default:
		c.notify(m, line, c.ready, func() {})
	}
	return nil
}

// notify sends what is not answered: a notification, or an answer to a question of the server. The lock is held.
func (c *conn) notify(m wire.Message, line []byte, ready <-chan struct{}, after func()) {
	c.notices.Go(func() {
		defer after()
		select {
		case <-ready:
		case <-c.ctx.Done():
			return
		}
		ctx, cancel := context.WithTimeout(c.ctx, noticeTimeout)
		defer cancel()
		target, header := c.endpoints(), postHeader()
		if target == nil {
			target, header = c.t.url, c.current().header(header)
		}
		resp, err := c.t.send(ctx, outgoing{http.MethodPost, target, header, line})
		if err == nil && resp.StatusCode/100 == 2 {
			drain(resp.Body)
			return
		}
		if err == nil {
			err = refusedStatus(resp)
		}
		if c.ctx.Err() == nil {
			c.log.Warn("the MCP server did not take a message that needs no answer", "method", m.Method, "error", err)
		}
	})
}

// fail gives the reader an error as the answer to a request.
func (c *conn) fail(id jsontext.Value, err error) {
	c.mu.Lock()
	c.failures[string(id)] = err
	c.mu.Unlock()
	c.deliver(answerError(id, err))
}

// Failure returns the error behind the answer to a request and forgets it.
func (c *conn) Failure(id jsontext.Value) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.failures[string(id)]
	delete(c.failures, string(id))
	return err
}

// deliver gives the reader a line. Line breaks in JSON are only ever white space.
func (c *conn) deliver(message []byte) {
	line := make([]byte, 0, len(message)+1)
	for _, b := range message {
		if b == '\n' || b == '\r' {
			b = ' '
		}
		line = append(line, b)
	}
	c.out.Write(append(line, '\n')) //nolint:errcheck // It fails once the connection is closed, and then nobody reads.
}

func (c *conn) endpoints() *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.endpoint
}

// freshen makes the next requests use new connections. A request that was given up may have hung in one that is dead, and so
// may be those that are idle: after the machine has slept, all are.
func (t *transport) freshen() {
	if t.own != nil {
		t.own.CloseIdleConnections()
	}
}

// newID makes the id of a request that the client knows nothing of. The client's own ids are numbers.
func (t *transport) newID() jsontext.Value {
	return wire.AppendString(nil, "http-"+strconv.FormatInt(t.lastID.Add(1), 10))
}

// Close cancels the requests under way, ends the session and waits for every goroutine of the connection.
func (c *conn) Close() error {
	c.closeOnce.Do(func() {
		c.mu.Lock()
		c.closed = true
		for _, f := range c.flights {
			f.cancel()
		}
		c.mu.Unlock()
		sent := make(chan struct{})
		go func() {
			c.notices.Wait()
			close(sent)
		}()
		grace := time.NewTimer(noticeGrace)
		defer grace.Stop()
		select {
		case <-sent:
		case <-grace.C:
		}
		c.endSession()
		c.cancel()
		c.out.CloseWithError(net.ErrClosed)
		c.lines.CloseWithError(net.ErrClosed)
		<-sent
		c.wg.Wait()
		c.t.freshen()
	})
	return nil
}

const (
	// drainTime and drainBytes bound what is read after an answer so that its connection can be used again.
	drainTime  = 250 * time.Millisecond
	drainBytes = 64 << 10
)

// drain reads what little may be left of a body, and closes it.
func drain(body io.ReadCloser) {
	stop := time.AfterFunc(drainTime, func() { body.Close() })
	io.Copy(io.Discard, io.LimitReader(body, drainBytes)) //nolint:errcheck // There is nothing to be done about it.
	if stop.Stop() {
		body.Close()
	}
}
