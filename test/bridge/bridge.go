// Package bridge puts Streamable HTTP before a server that speaks MCP in lines, so that test suites which know only HTTP
// can test it. All modern requests share one connection, as they do over stdio; each legacy session has one of its own.
// Ids and progress tokens are replaced on the way, because HTTP requests of different clients may use the same.
//
// It is for tests on the loopback interface: it answers no other host, trusts its clients with any number of sessions,
// and translates what the transport demands, nothing more. Only test programs may import it.
package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerSession = "Mcp-Session-Id"
)

// Bridge is an http.Handler. Make one with New, and close it.
type Bridge struct {
	server mcpclient.Transport
	log    *slog.Logger

	mu       sync.Mutex
	closed   bool
	modern   *link            // nil until the first modern request
	sessions map[string]*link // of the legacy era, by their id
}

// New returns a bridge to the server that the transport reaches. A nil log discards.
func New(server mcpclient.Transport, log *slog.Logger) *Bridge {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Bridge{server: server, log: log, sessions: map[string]*link{}}
}

// Close ends every connection and waits until they have ended.
func (b *Bridge) Close() error {
	b.mu.Lock()
	b.closed = true
	links := []*link{b.modern}
	for _, l := range b.sessions {
		links = append(links, l)
	}
	b.modern, b.sessions = nil, map[string]*link{}
	b.mu.Unlock()
	var errs []error
	for _, l := range links {
		if l != nil {
			errs = append(errs, l.close())
		}
	}
	return errors.Join(errs...)
}

// ServeHTTP answers one HTTP request.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !local(r.Host) || !localOrigin(r.Header.Get("Origin")) {
		http.Error(w, "only this machine may ask", http.StatusForbidden)
		return
	}
	switch r.Method {
	case http.MethodPost:
		b.post(w, r)
	case http.MethodGet:
		if l := b.session(w, r); l != nil {
			l.serveUnasked(w, r)
		}
	case http.MethodDelete:
		if l := b.session(w, r); l != nil {
			b.mu.Lock()
			delete(b.sessions, r.Header.Get(headerSession))
			b.mu.Unlock()
			if err := l.close(); err != nil {
				b.log.Warn("a session did not end well", "error", err)
			}
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// post passes one message on and answers with what the server says about it.
func (b *Bridge) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wire.DefaultMaxLine))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m, refused := wire.Parse(wire.OneLine(body), wire.Limits{})
	if refused != nil {
		refuse(w, m.ID, refused)
		return
	}
	if r.Header.Get(headerVersion) == mcp.V2026_07_28 || get(m.Params, "_meta", mcp.MetaProtocolVersion) != nil {
		b.postModern(w, r, m)
		return
	}
	l := b.open(w, r, m)
	switch {
	case l == nil:
	case m.Method != "" && m.ID != nil:
		l.serve(w, r, m)
	default:
		if err := l.pass(m); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}
}

// postModern checks what the headers of a modern request must agree with.
func (b *Bridge) postModern(w http.ResponseWriter, r *http.Request, m wire.Message) {
	version, named := wire.Text(get(m.Params, "_meta", mcp.MetaProtocolVersion))
	method := r.Header.Get(headerMethod)
	switch {
	case m.ID == nil || m.Method == "": // nothing that a modern client says outside of a request needs passing on
		w.WriteHeader(http.StatusAccepted)
		return
	case named && version != r.Header.Get(headerVersion), method != m.Method:
		refuse(w, m.ID, wire.Errorf(mcp.CodeHeaderMismatch, "the headers %s and %s must agree with the body", headerVersion, headerMethod))
		return
	}
	b.mu.Lock()
	if b.modern == nil || b.modern.dead() {
		var err error
		if b.modern, err = b.dial(r.Context(), true); err != nil {
			b.mu.Unlock()
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	l := b.modern
	b.mu.Unlock()
	l.serve(w, r, m)
}

// open returns the session of a legacy message, a new one for initialize. It has answered when it returns nil.
func (b *Bridge) open(w http.ResponseWriter, r *http.Request, m wire.Message) *link {
	if m.Method != mcp.MethodInitialize {
		return b.session(w, r)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	l, err := b.dial(r.Context(), false)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return nil
	}
	id := rand.Text()
	b.sessions[id] = l
	w.Header().Set(headerSession, id)
	return l
}

// session finds the session that a request names. It has answered when it returns nil.
func (b *Bridge) session(w http.ResponseWriter, r *http.Request) *link {
	id := r.Header.Get(headerSession)
	b.mu.Lock()
	l := b.sessions[id]
	b.mu.Unlock()
	switch {
	case l != nil:
		return l
	case id != "":
		http.Error(w, "there is no such session", http.StatusNotFound)
	case r.Method == http.MethodPost:
		http.Error(w, "open a session with initialize, or send the protocol version in the headers and in params._meta", http.StatusBadRequest)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
	return nil
}

// dial opens a connection, under b.mu.
func (b *Bridge) dial(ctx context.Context, modern bool) (*link, error) {
	if b.closed {
		return nil, errors.New("the bridge is closed")
	}
	conn, err := b.server.Open(ctx, !modern)
	if err != nil {
		return nil, err
	}
	return newLink(conn, modern, b.log), nil
}

// refuse answers a modern request that was not passed on.
func refuse(w http.ResponseWriter, id jsontext.Value, err *wire.Error) {
	writeJSON(w, http.StatusBadRequest, wire.AppendError(nil, id, err))
}

// local reports whether a host, with or without a port, is this machine. A page from elsewhere that lets its name point
// here still sends its own name.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// localOrigin reports whether a request comes from a page of this machine, or from no page.
func localOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return origin == "" || err == nil && local(u.Host)
}
