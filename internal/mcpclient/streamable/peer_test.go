package streamable

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// sent is a request as a test's server gets it.
type sent struct {
	t *testing.T
	w http.ResponseWriter
	r *http.Request
	wire.Message
	body []byte
}

// peer is a server that a test writes as a function of what it gets. It remembers the requests.
type peer struct {
	*httptest.Server
	mu  sync.Mutex
	log []string // HTTP method, method of the message, session
}

// serve starts a server on loopback that ends with the test.
func serve(t *testing.T, handle func(s *sent)) *peer {
	t.Helper()
	p := &peer{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s := &sent{t: t, w: w, r: r, body: body}
		if r.Method == http.MethodPost {
			m, refused := wire.Parse(body, limits)
			if refused != nil {
				t.Errorf("the client sent %q: %v", body, refused)
			}
			s.Message = m
		}
		p.mu.Lock()
		p.log = append(p.log, strings.TrimSpace(r.Method+" "+s.Method))
		p.mu.Unlock()
		handle(s)
	}))
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// requests returns what came, in order.
func (p *peer) requests() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.log, ", ")
}

// count returns how often something came.
func (p *peer) count(what string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, l := range p.log {
		if l == what {
			n++
		}
	}
	return n
}

// json answers with a body of JSON.
func (s *sent) json(status int, format string, args ...any) {
	s.w.Header().Set("Content-Type", "application/json")
	s.w.WriteHeader(status)
	fmt.Fprintf(s.w, format, args...)
}

// result answers the request.
func (s *sent) result(result string) {
	s.json(http.StatusOK, `{"jsonrpc":"2.0","id":%s,"result":%s}`, s.ID, result)
}

// refuse answers the request with an error of the protocol.
func (s *sent) refuse(status, code int, text string) {
	s.json(status, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, s.ID, code, text)
}

// page answers with something that is not of the protocol.
func (s *sent) page(status int, kind, text string) {
	s.w.Header().Set("Content-Type", kind)
	s.w.WriteHeader(status)
	io.WriteString(s.w, text)
}

// stream begins a stream of events.
func (s *sent) stream() {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.WriteHeader(http.StatusOK)
	s.flush()
}

func (s *sent) flush() { s.w.(http.Flusher).Flush() }

// event sends raw lines of a stream.
func (s *sent) event(format string, args ...any) {
	fmt.Fprintf(s.w, format, args...)
	s.flush()
}

// answerEvent sends the answer to the request as an event.
func (s *sent) answerEvent(result string) {
	s.event("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", s.ID, result)
}

// cut breaks the connection.
func (s *sent) cut() {
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		s.t.Error(err)
		return
	}
	conn.Close()
}

// meta returns a member of the metadata of the request.
func (s *sent) meta(name string) string {
	var p struct {
		Meta map[string]jsontext.Value `json:"_meta"`
	}
	_ = unmarshal(s.Params, &p)
	return string(p.Meta[name])
}

const (
	discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}}}`
	called = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
	noTool = `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`
)

// modern answers server/discover, and leaves everything else to handle.
func modern(handle func(s *sent)) func(s *sent) {
	return func(s *sent) {
		if s.Method == mcp.MethodDiscover {
			s.result(discovered)
			return
		}
		handle(s)
	}
}

// initialized is the answer to initialize in a version.
func initialized(version string) string {
	return fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"2"}}`, version)
}

// legacy answers the opening of a legacy connection, without a session and without a stream to listen to.
func legacy(version string, handle func(s *sent)) func(s *sent) {
	return func(s *sent) {
		switch {
		case s.Method == mcp.MethodDiscover:
			s.refuse(http.StatusBadRequest, wire.CodeInvalidRequest, "not initialized")
		case s.Method == mcp.MethodInitialize:
			s.result(initialized(version))
		case s.Method == mcp.NotifyInitialized:
			s.w.WriteHeader(http.StatusAccepted)
		case s.r.Method == http.MethodGet:
			s.page(http.StatusMethodNotAllowed, "text/plain", "no stream")
		default:
			handle(s)
		}
	}
}

// open makes a transport whose lines are held against the schemas.
func open(t *testing.T, o Options) mcpclient.Transport {
	t.Helper()
	tr, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return tapped{t, tr}
}

type tapped struct {
	t *testing.T
	mcpclient.Transport
}

func (tr tapped) Open(ctx context.Context, legacy bool) (mcpclient.Conn, error) {
	c, err := tr.Transport.Open(ctx, legacy)
	if err != nil {
		return nil, err
	}
	checked := mcpschema.New().TapConn(c, func(fromServer bool, err error) {
		if !fromServer {
			tr.t.Error(err)
		}
	})
	return struct {
		io.ReadWriteCloser
		mcpclient.Failer
	}{checked, c.(mcpclient.Failer)}, nil
}

// connect opens a client that is closed with the test.
func connect(t *testing.T, o Options, co mcpclient.Options) *mcpclient.Client {
	t.Helper()
	c, err := mcpclient.Connect(t.Context(), open(t, o), co)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c
}

// call runs a tool without options.
func call(t *testing.T, c *mcpclient.Client, name string, args any) (string, error) {
	t.Helper()
	r, err := c.CallTool(t.Context(), name, args, mcpclient.CallOptions{})
	if err != nil {
		return "", err
	}
	return r.Content[0].Text, nil
}

// mention fails the test when err is nil or leaves out one of the texts.
func mention(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that mentions %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not mention %q", err, text)
		}
	}
}

// within waits for a value.
func within[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(10 * time.Second):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// logTo returns a logger and what it has written.
func logTo() (*slog.Logger, func() string) {
	var b syncBuffer
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})), b.String
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// canned answers each request in the same way, without a network.
type canned struct {
	status int
	kind   string
	body   []byte
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: c.status, Request: r, Header: http.Header{"Content-Type": {c.kind}}, Body: io.NopCloser(bytes.NewReader(c.body)),
	}, nil
}
