package bridge

import (
	"net/http"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// serve passes a request on and answers: with JSON when the first thing that the server says is the response, else with
// a stream of events that the response ends.
func (l *link) serve(w http.ResponseWriter, r *http.Request, m wire.Message) {
	q, err := l.begin(m)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer l.end(q)
	line, ok := l.next(r, q)
	if !ok {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if said, refused := wire.Parse(line, wire.Limits{}); refused == nil && said.Method == "" {
		writeJSON(w, l.status(said.Error), line)
		return
	}
	stream(w)
	for ; ok; line, ok = l.next(r, q) {
		if !writeEvent(w, line) {
			return
		}
	}
}

// serveUnasked streams what the server of a legacy session says without being asked.
func (l *link) serveUnasked(w http.ResponseWriter, r *http.Request) {
	q := &request{lines: make(chan []byte, queue)}
	l.mu.Lock()
	taken := l.unasked != nil
	if !taken {
		l.unasked = q
	}
	l.mu.Unlock()
	if taken {
		http.Error(w, "the session has such a stream already", http.StatusConflict)
		return
	}
	defer func() {
		l.mu.Lock()
		l.unasked = nil
		l.mu.Unlock()
	}()
	stream(w)
	for {
		line, ok := l.next(r, q)
		if !ok || !writeEvent(w, line) {
			return
		}
	}
}

// next returns what the server says next about a request, false when there is nothing more to wait for.
func (l *link) next(r *http.Request, q *request) ([]byte, bool) {
	select {
	case line, ok := <-q.lines:
		return line, ok
	case <-r.Context().Done():
		return nil, false
	case <-l.done:
	}
	select {
	case line, ok := <-q.lines: // the last thing that the server said
		return line, ok
	default:
		return nil, false
	}
}

// status is the HTTP status of a response. Legacy errors are a matter of the body alone.
func (l *link) status(err *wire.Error) int {
	if err == nil || !l.modern {
		return http.StatusOK
	}
	switch err.Code {
	case wire.CodeMethodNotFound:
		return http.StatusNotFound
	case wire.CodeInvalidParams, wire.CodeInvalidRequest, wire.CodeParse,
		mcp.CodeHeaderMismatch, mcp.CodeMissingCapability, mcp.CodeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away needs no answer
}

func stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
}

// writeEvent writes one message, and reports whether the client still reads.
func writeEvent(w http.ResponseWriter, line []byte) bool {
	event := append(append([]byte("event: message\ndata: "), line...), "\n\n"...)
	if _, err := w.Write(event); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}
