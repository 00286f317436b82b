package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// defaultAtOnce is how many requests of the other side are under way at most.
	defaultAtOnce = 16
	// maxDepth is the nesting of a message. Arguments that a model writes are a part of it.
	maxDepth = 512
	// flushTime is how long the last lines may take when a connection ends.
	flushTime = time.Second
)

// The notices of the protocol itself.
const (
	noticeCancel   = "cancel"
	noticeProgress = "progress"
)

// ErrEnded is wrapped by the errors of requests whose connection has ended.
var ErrEnded = errors.New("the connection to the other agent has ended")

// ConnOptions configure New.
type ConnOptions struct {
	// Serve answers a request, in a goroutine of its own. Ctx ends when nobody wants the answer any more. Progress tells the
	// other side what there is to see meanwhile. The error's text is the other side's answer. Nil: nothing is served.
	Serve func(ctx context.Context, method string, params jsontext.Value, progress func(text string)) (any, error)
	// Hear gets a notice, from the goroutine that reads. An error ends the connection. Nil: a notice ends the connection.
	Hear func(method string, params jsontext.Value) error
	// AtOnce bounds the requests that are served at the same time; one more is refused. Zero: 16.
	AtOnce int
	// MaxLine bounds a line of the other side, in bytes. Zero: 16 MB.
	MaxLine int
}

// Conn is one end. Its methods may be called concurrently.
type Conn struct {
	o   ConnOptions
	r   *wire.Reader
	out *wire.Writer

	ctx    context.Context // ends with Run
	cancel context.CancelCauseFunc
	served sync.WaitGroup

	mu      sync.Mutex
	ended   error // why Run has returned
	last    int64
	waiting map[string]*request           // ours, by id
	serving map[string]context.CancelFunc // the other side's, by id

	workers int      // used by the goroutine that reads
	jobs    chan job // to a worker that has nothing to do
}

// request is one of ours that waits for its answer.
type request struct {
	answer   chan wire.Message // has room for one
	progress func(text string)
}

// New returns an end. The caller runs it. W must end with the connection: its Close or SetWriteDeadline is used when the
// other side does not read.
func New(r io.Reader, w io.Writer, o ConnOptions) *Conn {
	if o.AtOnce <= 0 {
		o.AtOnce = defaultAtOnce
	}
	c := &Conn{
		o: o, r: wire.NewReader(r, wire.Limits{MaxLine: o.MaxLine}), out: wire.NewWriter(w, 0),
		waiting: map[string]*request{}, serving: map[string]context.CancelFunc{}, jobs: make(chan job),
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	return c
}

// Run reads until the other side ends, which is no error, or writes what is no message. Before it returns it ends all
// requests of both sides and waits for what serves them.
func (c *Conn) Run() error {
	err := c.read()
	ended := ErrEnded
	if err != nil {
		ended = fmt.Errorf("%w: %w", ErrEnded, err)
	}
	c.mu.Lock()
	c.ended = ended
	c.mu.Unlock()
	c.cancel(ended)
	c.served.Wait()
	ctx, stop := context.WithTimeout(context.Background(), flushTime)
	defer stop()
	c.out.Close(ctx) //nolint:errcheck // The other side is gone, or is about to be.
	return err
}

func (c *Conn) read() error {
	for {
		line, err := c.r.Next()
		var refused *wire.Error
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &refused):
			return fmt.Errorf("a line is no message: %s", refused.Message)
		case err != nil:
			return fmt.Errorf("read: %w", err)
		}
		m, refused := wire.Parse(line, wire.Limits{MaxDepth: maxDepth})
		if refused != nil {
			return fmt.Errorf("a line is no message: %s", refused.Message)
		}
		switch {
		case m.Method == "":
			c.answered(m)
		case m.ID != nil:
			err = c.begin(m)
		default:
			err = c.noticed(m)
		}
		if err != nil {
			return err
		}
	}
}

// answered gives an answer to the request that waits for it. One that was cancelled waits no more.
func (c *Conn) answered(m wire.Message) {
	c.mu.Lock()
	r := c.waiting[string(m.ID)]
	delete(c.waiting, string(m.ID))
	c.mu.Unlock()
	if r != nil {
		r.answer <- m
	}
}

type cancelParams struct {
	ID jsontext.Value `json:"id"`
}

type progressParams struct {
	ID   jsontext.Value `json:"id"`
	Text string         `json:"text"`
}

func (c *Conn) noticed(m wire.Message) error {
	switch m.Method {
	case noticeCancel:
		var p cancelParams
		if err := Decode(m.Params, &p); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if cancel := c.serving[string(p.ID)]; cancel != nil {
			cancel()
		}
		return nil
	case noticeProgress:
		var p progressParams
		if err := Decode(m.Params, &p); err != nil {
			return err
		}
		c.mu.Lock()
		r := c.waiting[string(p.ID)]
		c.mu.Unlock()
		if r != nil && r.progress != nil {
			r.progress(p.Text)
		}
		return nil
	}
	if c.o.Hear == nil {
		return fmt.Errorf("there is no notice %q", m.Method)
	}
	return c.o.Hear(m.Method, m.Params)
}

// Request asks the other side and decodes its answer into result. When ctx ends, the other side is told that nobody waits
// any more. Progress is called by the goroutine that reads; nil: nobody watches.
func (c *Conn) Request(ctx context.Context, method string, params, result any, progress func(text string)) error {
	text, err := encode(params)
	if err != nil {
		return fmt.Errorf("ask for %s: %w", method, err)
	}
	r := &request{answer: make(chan wire.Message, 1), progress: progress}
	c.mu.Lock()
	if c.ended != nil {
		defer c.mu.Unlock()
		return c.ended
	}
	c.last++
	id := strconv.FormatInt(c.last, 10)
	c.waiting[id] = r
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	if err := c.out.SendWait(ctx, wire.AppendRequest(nil, jsontext.Value(id), method, text)); err != nil {
		return fmt.Errorf("ask for %s: %w", method, err)
	}
	select {
	case m := <-r.answer:
		return answer(m, result)
	case <-ctx.Done():
		c.Notify(noticeCancel, cancelParams{jsontext.Value(id)}) //nolint:errcheck // There is nobody to be told then.
		return context.Cause(ctx)
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

func answer(m wire.Message, result any) error {
	if m.Error != nil {
		return errors.New(m.Error.Message)
	}
	return Decode(m.Result, result)
}

// Notify tells the other side something and does not wait. It fails when the other side does not read.
func (c *Conn) Notify(method string, params any) error {
	text, err := encode(params)
	if err != nil {
		return err
	}
	return c.out.Send(wire.AppendRequest(nil, nil, method, text))
}

func encode(v any) (jsontext.Value, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// Decode reads what the other side has sent. A member that is not known is an error: both ends are the same program.
func Decode(text jsontext.Value, into any) error {
	if err := json.Unmarshal(text, into, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("the message does not fit: %w", err)
	}
	return nil
}
