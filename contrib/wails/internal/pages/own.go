package pages

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// secretHeader is how the start script shows that it is one.
	secretHeader = "X-Elyra-Wails"
	// fetchHeader marks what a page fetches with fetch.
	fetchHeader = "X-Elyra-Fetch"
	// streamHeader names the stream that an answer stands for.
	streamHeader = "X-Elyra-Stream"
)

const (
	// pollTime is how long a request waits for the next piece of a stream.
	pollTime = 25 * time.Second
	// lostTime is how long a stream lives that its page does not ask for: a page that was loaded again does not say so.
	lostTime = 40 * time.Second
	// maxStarts is how many start scripts a window may have left unfetched. Documents that are not shown have them.
	maxStarts = 8
)

// shim makes up for what Wails' windows do not do. It runs before the script of the Host.
//
//go:embed shim.js
var shim string

// serveOwn answers what the shim and the windows of questions ask for.
func (s *Server) serveOwn(number uint, p *page, path string, w http.ResponseWriter, r *http.Request) {
	if s.foreign(r.Header) {
		refuse(w, http.StatusForbidden)
		return
	}
	what, name, _ := strings.Cut(path, "/")
	switch {
	case p.question != nil:
		p.question.serve(what, w, r)
		return
	case what == "start" && r.Method == http.MethodGet && p.takeStart(name):
		respond(w, "text/javascript; charset=utf-8", p.startScript())
		return
	case r.Method != http.MethodPost || r.Header.Get(secretHeader) != p.secret:
		refuse(w, http.StatusForbidden)
		return
	}
	switch what {
	case "close":
		refuse(w, http.StatusNoContent)
		s.options.CloseWindow(number)
	case "open":
		refuse(w, http.StatusNoContent)
		s.leadAway(r.URL.Query().Get("url"))
	case "stream":
		p.serveStream(name, w, r)
	case "drop":
		p.drop(name)
		refuse(w, http.StatusNoContent)
	default:
		refuse(w, http.StatusNotFound)
	}
}

func respond(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write([]byte(body))
}

// offerStart gives a name under which the page's start script can be fetched once. Nobody can guess it, so a foreign page
// that is shown in the window cannot run the script for what is in it.
func (p *page) offerStart() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := rand.Text()
	p.starts = append(p.starts, name)
	if len(p.starts) > maxStarts {
		p.starts = p.starts[1:]
	}
	return name
}

func (p *page) takeStart(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.starts, name)
	if at < 0 {
		return false
	}
	p.starts = slices.Delete(p.starts, at, at+1)
	return true
}

// startScript is what runs first in a document, in the window's main frame only.
func (p *page) startScript() string {
	settings := "{prefix:" + strconv.Quote(Prefix) + ",secret:" + strconv.Quote(p.secret) + "}"
	return "if (window === window.top) {\n(" + strings.TrimRight(shim, "\n;") + ")(" + settings + ");\n" + p.script + "\n}\n"
}

// offer keeps a stream for the page to fetch.
func (p *page) offer(stream *pipe) (name string) {
	name = rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams[name] = stream
	stream.expire = time.AfterFunc(lostTime, func() { p.drop(name) })
	context.AfterFunc(stream.ctx, func() { p.drop(name) })
	return name
}

func (p *page) drop(name string) {
	p.mu.Lock()
	stream := p.streams[name]
	delete(p.streams, name)
	p.mu.Unlock()
	if stream != nil {
		stream.expire.Stop()
		stream.abandon()
	}
}

// serveStream answers with the next piece of a stream, with nothing when there is none for a while, and with 410 at its end.
func (p *page) serveStream(name string, w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	stream := p.streams[name]
	p.mu.Unlock()
	if stream == nil {
		refuse(w, http.StatusGone)
		return
	}
	stream.expire.Reset(lostTime)
	ctx, cancel := context.WithTimeout(r.Context(), pollTime)
	defer cancel()
	piece, err := stream.next(ctx)
	switch {
	case err == nil:
		respond(w, "application/octet-stream", string(piece))
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, http.StatusNoContent)
	default:
		p.drop(name)
		refuse(w, http.StatusGone)
	}
}

// leadAway is what becomes of an address that the window itself does not show.
func (s *Server) leadAway(address string) {
	if !forBrowser(address) {
		s.options.Log.Warn("a page led to an address that is not opened", "address", address)
		return
	}
	if err := s.options.OpenURL(address); err != nil {
		s.options.Log.Warn("a page's link was not opened", "reason", err)
	}
}

// forBrowser says whether an address that a page leads to may be given to the system. Other schemes start programs.
func forBrowser(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return u.Opaque != ""
	}
	return false
}
