package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/window"
)

// serveHost has the Host answer a request, and stays until the answer has been sent.
func (s *Server) serveHost(p *page, w http.ResponseWriter, r *http.Request) {
	request := &window.Request{
		Window: p.window,
		Method: strings.ToUpper(r.Method),
		Path:   r.URL.Path,
		Query:  r.URL.RawQuery,
		Origin: s.options.Origin,
		Header: r.Header.Get,
	}
	if request.Path == "" {
		request.Path = "/"
	}
	if r.Header.Get(window.BodyHeader) == window.BodyBytes {
		body, err := io.ReadAll(io.LimitReader(r.Body, window.MaxBody+1))
		if err != nil {
			s.options.Log.Warn("a page's request was not understood", "reason", fmt.Errorf("read its body: %w", err))
			refuse(w, http.StatusBadRequest)
			return
		}
		request.Body = body
	}
	if !s.begin() {
		refuse(w, http.StatusGone)
		return
	}
	a := &answer{server: s, page: p, w: w, r: r}
	func() {
		defer s.end()
		s.options.Host.Serve(request, a)
	}()
	a.Respond(http.StatusInternalServerError, nil, nil) // Does nothing if the host has answered.
	if a.stream != nil {
		a.copy()
	}
}

// answer is the window.ResponseWriter of one request. Wails' writer may be used until the handler returns, which is after
// Serve has: an answer that comes later finds done set.
type answer struct {
	server *Server
	page   *page
	w      http.ResponseWriter
	r      *http.Request

	mu     sync.Mutex
	done   bool
	stream *pipe // what the handler is to copy to w, nil if nothing
}

func (a *answer) Respond(status int, header map[string]string, body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return
	}
	a.done = true
	setHeader(a.w.Header(), header)
	if isDocument(a.r, a.w.Header()) {
		body = withStart(body, a.page.offerStart())
	}
	a.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	a.w.WriteHeader(status)
	_, _ = a.w.Write(body) // The page is gone if this fails, and nobody is left to tell.
}

func (a *answer) Stream(header map[string]string) (io.WriteCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return nil, errors.New("stream a response: the request has been answered")
	}
	a.done = true
	setHeader(a.w.Header(), header)
	out := newPipe(a.page.ctx)
	if !a.server.options.Streams {
		a.w.Header().Set(streamHeader, a.page.offer(out))
		a.w.WriteHeader(http.StatusOK)
		return out, nil
	}
	a.w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(a.w).Flush()
	a.stream = out
	return out, nil
}

// copy sends what is written to the stream until that is closed, or the page is gone.
func (a *answer) copy() {
	// Some of Wails' writers report no error once the page is gone: only the request's context tells.
	stop := context.AfterFunc(a.r.Context(), a.stream.abandon)
	defer stop()
	defer a.stream.abandon()
	flush := http.NewResponseController(a.w)
	for {
		piece, err := a.stream.next(context.Background())
		if err != nil {
			return
		}
		if _, err := a.w.Write(piece); err != nil {
			return
		}
		_ = flush.Flush()
	}
}

func setHeader(to http.Header, header map[string]string) {
	for name, value := range header {
		to.Set(name, value)
	}
	if to.Get("Content-Type") == "" {
		to.Set("Content-Type", "application/octet-stream") // Wails would guess one by the content.
	}
}

// isDocument says whether an answer becomes a document: then it begins with the start script. What a page fetches itself
// stays as it is.
func isDocument(r *http.Request, header http.Header) bool {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || kind != "text/html" || r.Method != http.MethodGet {
		return false
	}
	if as := r.Header.Get("Sec-Fetch-Dest"); as != "" {
		return as == "document"
	}
	accept := r.Header.Get("Accept")
	return r.Header.Get(fetchHeader) == "" && (accept == "" || strings.Contains(accept, "text/html"))
}

// withStart puts the start script before everything else in a document that could run a script, but after what decides
// how the browser lays it out.
func withStart(document []byte, name string) []byte {
	at := afterDoctype(document)
	tag := `<script src="` + Prefix + "start/" + name + `"></script>`
	return bytes.Join([][]byte{document[:at], []byte(tag), document[at:]}, nil)
}

// afterDoctype skips the byte order mark, white space, comments and the document type at the beginning of a document.
func afterDoctype(document []byte) int {
	rest := bytes.TrimPrefix(document, []byte("\xEF\xBB\xBF"))
	at := len(document) - len(rest)
	for {
		trimmed := bytes.TrimLeft(rest, " \t\r\n\f")
		switch {
		case bytes.HasPrefix(trimmed, []byte("<!--")):
			_, after, ok := bytes.Cut(trimmed, []byte("-->"))
			if !ok {
				return at
			}
			rest = after
		case len(trimmed) > 9 && bytes.EqualFold(trimmed[:9], []byte("<!doctype")):
			_, after, ok := bytes.Cut(trimmed, []byte(">"))
			if !ok {
				return at
			}
			return len(document) - len(after)
		default:
			return at
		}
		at = len(document) - len(rest)
	}
}
