package headless

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/elyra-go/elyra/window"
)

// Page is one window's page.
type Page struct {
	// ID is the window's.
	ID string
	// Script is what the host wants to run at the start of the document.
	Script string

	host        window.Host
	ctx         context.Context
	closeWindow context.CancelFunc
	running     sync.WaitGroup // the page's function and the requests being served
	choosing    atomic.Bool    // its user has a file dialog
	mu          sync.Mutex
	closed      bool // no request begins any more
}

// Fetch is a request that the page makes.
type Fetch struct {
	Method string // default GET
	URL    string // path and query, escaped: "/call/a?b=c"
	Header map[string]string
	Body   []byte // goes to the host only under window.BodyHeader, as with a web view
}

// Response is the answer. Body ends when the host is done or the window closes, and is to be closed.
type Response struct {
	// Status is as in HTTP: 200 is success.
	Status int
	// Header has the names as the host wrote them.
	Header map[string]string
	// Body is never nil.
	Body io.ReadCloser
}

// Close closes the window, as window.close() does. It does not wait.
func (p *Page) Close() { p.closeWindow() }

// Do makes a request and waits for the beginning of its response. It fails when the window closes first.
func (p *Page) Do(f Fetch) (*Response, error) {
	u, err := url.Parse(f.URL)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	header := textproto.MIMEHeader{}
	for name, value := range f.Header {
		header.Set(name, value)
	}
	r := &window.Request{
		Window: p.ID,
		Method: f.Method,
		Path:   u.Path,
		Query:  u.RawQuery,
		Origin: Origin,
		Header: header.Get,
	}
	if r.Method == "" {
		r.Method = "GET"
	}
	if header.Get(window.BodyHeader) == window.BodyBytes && f.Body != nil {
		r.Body = bytes.Clone(f.Body[:min(len(f.Body), window.MaxBody+1)])
	}
	w := &writer{ctx: p.ctx, answer: make(chan *Response, 1)}
	if !p.serve(r, w) {
		return nil, errors.New("fetch " + f.URL + ": the window is closed")
	}
	select {
	case answer := <-w.answer:
		return answer, nil
	case <-p.ctx.Done():
		return nil, errors.New("fetch " + f.URL + ": the window is closed")
	}
}

// serve lets the host answer, unless the window is closed.
func (p *Page) serve(r *window.Request, w *writer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.running.Go(func() {
		p.host.Serve(r, w)
		w.Respond(500, nil, nil) // Does nothing if the host has answered.
	})
	return true
}

// finish waits for what runs for the page after its window has closed.
func (p *Page) finish() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.running.Wait()
}

type writer struct {
	ctx    context.Context
	answer chan *Response
	once   sync.Once
}

func (w *writer) Respond(status int, header map[string]string, body []byte) {
	w.once.Do(func() {
		w.answer <- &Response{Status: status, Header: header, Body: io.NopCloser(bytes.NewReader(slices.Clone(body)))}
	})
}

func (w *writer) Stream(header map[string]string) (io.WriteCloser, error) {
	err := errors.New("stream a response: the request has been answered")
	var in *io.PipeReader
	var out *io.PipeWriter
	w.once.Do(func() {
		in, out = io.Pipe()
		context.AfterFunc(w.ctx, func() { in.CloseWithError(errors.New("the window is closed")) })
		w.answer <- &Response{Status: 200, Header: header, Body: in}
		err = nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
