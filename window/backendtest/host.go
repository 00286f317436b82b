package backendtest

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/window"
)

//go:embed driver.js
var driver []byte

const page = `<!doctype html><meta charset="utf-8"><title>backend suite</title><body><script type="module" src="/driver.js"></script>`

// order is what the suite makes a page do; see driver.js for each Op. page.go does the same for pages written in Go.
type order struct {
	Op     string            `json:"op"`
	URL    string            `json:"url,omitempty"`
	Method string            `json:"method,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	Body   []byte            `json:"body,omitempty"`
	Size   int               `json:"size,omitempty"` // instead of Body: so many bytes
}

// result is what came of it.
type result struct {
	Status int               `json:"status"`
	Header map[string]string `json:"header"`
	Body   []byte            `json:"body"`
	Text   string            `json:"text"`
	Error  string            `json:"error"`
}

// script is what the suite has run at document start. Its word must be there for the page's first script.
func script(id string) string { return `window.__suite = "word of ` + id + `";` }

// seen is a request that reached the host.
type seen struct {
	window.Request
	header map[string]string // the ones that the suite looks at
}

var _ window.GeometryKeeper = (*host)(nil)

// host is the app of the suite: it serves the page that carries out orders, and the paths that the orders use.
type host struct {
	orders map[string]chan order
	// results and chunks are what the pages report.
	results map[string]chan result
	chunks  chan string
	streams chan io.WriteCloser
	release chan struct{} // closed to let /wait answer
	closed  chan string
	// begun and answered hear of each request for /later.
	begun, answered chan struct{}

	mu      sync.Mutex
	scripts map[string]int           // how often DocumentStart was asked for a window
	gone    map[string]chan struct{} // closed with the window
	seen    []seen
	kept    map[string]window.Geometry // of the windows that were closed
}

func newHost(windows []window.Options) *host {
	h := &host{
		orders:  map[string]chan order{},
		results: map[string]chan result{},
		chunks:  make(chan string, 64),
		streams: make(chan io.WriteCloser, 4),
		release: make(chan struct{}),
		closed:  make(chan string, 16),
		begun:   make(chan struct{}, 16), answered: make(chan struct{}, 16),
		gone:    map[string]chan struct{}{},
		scripts: map[string]int{},
		kept:    map[string]window.Geometry{},
	}
	for _, o := range windows {
		id := o.WithDefaults().ID
		h.orders[id] = make(chan order)
		h.results[id] = make(chan result, 4)
	}
	return h
}

func (h *host) DocumentStart(id string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.scripts[id]++
	h.gone[id] = make(chan struct{})
	return script(id)
}

func (h *host) KeepGeometry(id string, g window.Geometry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept[id] = g
}

func (h *host) Closed(id string) {
	close(h.goneWith(id))
	h.closed <- id
}

// goneWith gives what is closed with a window.
func (h *host) goneWith(id string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone[id]
}

func (h *host) Serve(r *window.Request, w window.ResponseWriter) {
	kind := map[string]string{"Content-Type": "application/octet-stream", "X-Suite": "yes", "Cache-Control": "no-store"}
	switch {
	case r.Path == "/":
		w.Respond(200, map[string]string{"Content-Type": "text/html"}, []byte(page))
	case r.Path == "/driver.js":
		w.Respond(200, map[string]string{"Content-Type": "text/javascript"}, driver)
	case r.Path == "/next":
		select {
		case o := <-h.orders[r.Window]:
			body, _ := json.Marshal(o)
			w.Respond(200, kind, body)
		case <-h.goneWith(r.Window):
			w.Respond(410, kind, nil)
		}
	case r.Path == "/result":
		var got result
		if err := json.Unmarshal(r.Body, &got); err != nil {
			got.Error = "the page's report cannot be read: " + err.Error()
		}
		w.Respond(204, nil, nil)
		h.results[r.Window] <- got
	case r.Path == "/chunk":
		w.Respond(204, nil, nil)
		h.chunks <- string(r.Body)
	default:
		h.probe(r, w, kind)
	}
}

// probe serves the paths that are there to be looked at.
func (h *host) probe(r *window.Request, w window.ResponseWriter, kind map[string]string) {
	h.mu.Lock()
	h.seen = append(h.seen, seen{*r, map[string]string{"Origin": r.Header("Origin"), "X-Probe": r.Header("x-probe")}})
	h.mu.Unlock()
	switch {
	case r.Path == "/silent":
	case r.Path == "/twice":
		w.Respond(201, kind, []byte("first"))
		w.Respond(202, kind, []byte("second"))
		if _, err := w.Stream(kind); err == nil {
			panic("a request that was answered could be streamed to")
		}
	case r.Path == "/wait":
		select {
		case <-h.release:
		case <-h.goneWith(r.Window):
		}
		w.Respond(200, kind, []byte("released"))
	case r.Path == "/later": // also when the page is gone
		h.begun <- struct{}{}
		<-h.release
		w.Respond(200, kind, []byte("late"))
		h.answered <- struct{}{}
	case r.Path == "/lasting":
		if out, err := w.Stream(kind); err == nil {
			h.streams <- out
			<-h.release
		}
	case strings.HasPrefix(r.Path, "/stream"):
		out, err := w.Stream(kind)
		if err == nil {
			h.streams <- out
		}
	case r.Path == "/size":
		w.Respond(200, kind, []byte{})
	default:
		w.Respond(203, kind, r.Body)
	}
}

// find gives the requests of a path so far.
func (h *host) find(path string) []seen {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []seen
	for _, s := range h.seen {
		if s.Path == path {
			found = append(found, s)
		}
	}
	return found
}
