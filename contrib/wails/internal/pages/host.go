package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/elyra-go/elyra/window"
)

// serveHost has the Host answer a request, on a goroutine of the request's own, and stays until the answer has been sent.
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
	a := &answer{replies: make(chan reply, 1), page: p, handled: make(chan struct{})}
	defer close(a.handled)
	// Serve may go on for as long as its stream does, and Wails wants the handler of a response that is complete to return.
	go func() {
		defer s.end()
		s.options.Host.Serve(request, a)
		a.Respond(http.StatusInternalServerError, nil, nil) // Does nothing if the host has answered.
	}()
	select {
	case answered := <-a.replies:
		s.send(p, answered, w, r)
	case <-p.ctx.Done():
		refuse(w, http.StatusGone)
	}
}

// answer is the window.ResponseWriter of one request. It hands the reply to the request's handler, which alone may use what
// Wails writes to.
type answer struct {
	page    *page
	done    atomic.Bool
	replies chan reply    // has room for the one that there is
	handled chan struct{} // closed when the handler has returned
}

// reply is a whole response, or one that begins a stream.
type reply struct {
	status int
	header map[string]string
	body   []byte
	sent   chan struct{} // closed when body is no longer needed
	stream *pipe         // nil for a whole response
}

func (a *answer) Respond(status int, header map[string]string, body []byte) {
	if a.done.Swap(true) {
		return
	}
	sent := make(chan struct{})
	a.replies <- reply{status: status, header: header, body: body, sent: sent}
	select {
	case <-sent:
	case <-a.handled: // The page was gone.
	}
}

func (a *answer) Stream(header map[string]string) (io.WriteCloser, error) {
	if a.done.Swap(true) {
		return nil, errors.New("stream a response: the request has been answered")
	}
	out := newPipe(a.page.ctx)
	// The caller may go on to use its map.
	a.replies <- reply{status: http.StatusOK, header: maps.Clone(header), stream: out}
	return out, nil
}

// send writes a reply and, where Wails streams, all of its stream.
func (s *Server) send(p *page, a reply, w http.ResponseWriter, r *http.Request) {
	setHeader(w.Header(), a.header)
	if a.stream == nil {
		defer close(a.sent)
		if isDocument(r, w.Header()) {
			a.body = withStart(a.body, p.offerStart())
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body) // The page is gone if this fails, and nobody is left to tell.
		return
	}
	if !s.options.Streams {
		w.Header().Set(streamHeader, p.offer(a.stream))
		w.WriteHeader(a.status)
		return
	}
	w.WriteHeader(a.status)
	flush := http.NewResponseController(w)
	_ = flush.Flush()
	// Some of Wails' writers report no error once the page is gone: only the request's context tells.
	stop := context.AfterFunc(r.Context(), a.stream.abandon)
	defer stop()
	defer a.stream.abandon()
	for {
		piece, err := a.stream.next(context.Background())
		if err != nil {
			return
		}
		if _, err := w.Write(piece); err != nil {
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
