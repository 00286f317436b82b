package streamable

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// sse makes a handler that serves HTTP+SSE at /sse, and answers other requests with other. Each answer to a POST goes into
// the stream.
func sse(endpoint string, other func(s *sent)) func(s *sent) {
	answers := make(chan string, 8)
	return func(s *sent) {
		switch {
		case s.r.Method == http.MethodGet && s.r.Header.Get("Accept") == "text/event-stream":
			s.stream()
			s.event("event: endpoint\ndata: %s\n\n", endpoint)
			for {
				select {
				case a := <-answers:
					s.event("event: message\ndata: %s\n\n", a)
				case <-s.r.Context().Done():
					return
				}
			}
		case s.r.URL.Path == "/messages":
			s.w.WriteHeader(http.StatusAccepted)
			switch s.Method {
			case mcp.MethodInitialize:
				answers <- string(wire.AppendResult(nil, s.ID, []byte(initialized(mcp.V2025_03_26))))
			case mcp.MethodCallTool:
				answers <- string(wire.AppendResult(nil, s.ID, []byte(called)))
			}
		default:
			other(s)
		}
	}
}

func TestC22_whatAServerSpeaks(t *testing.T) {
	t.Parallel()
	// onProbe is a legacy server that answers the probe in its own way.
	onProbe := func(answer func(s *sent)) func(s *sent) {
		next := legacy(mcp.V2025_11_25, func(s *sent) { s.result(called) })
		return func(s *sent) {
			if s.Method == mcp.MethodDiscover {
				answer(s)
				return
			}
			next(s)
		}
	}
	status := func(code int) func(s *sent) {
		return func(s *sent) { s.page(code, "text/plain; charset=utf-8", "not for me") }
	}
	for _, tt := range []struct {
		name, path string
		handle     func(s *sent)
		version    string
		requests   string // up to the first call
	}{
		{"modern", "", modern(func(s *sent) { s.result(called) }), mcp.V2026_07_28, "POST server/discover"},
		{"legacy", "", legacy(mcp.V2025_06_18, func(s *sent) { s.result(called) }), mcp.V2025_06_18, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"400", "", onProbe(status(400)), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"404", "", onProbe(status(404)), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"405", "", onProbe(status(405)), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"415", "", onProbe(status(415)), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"500", "", onProbe(status(500)), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"an empty 400", "", onProbe(func(s *sent) { s.w.WriteHeader(400) }), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"an error without an id", "", onProbe(func(s *sent) {
			s.json(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}`)
		}), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"a cut connection", "", onProbe(func(s *sent) { s.cut() }), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"202 to the probe", "", onProbe(func(s *sent) { s.w.WriteHeader(202) }), mcp.V2025_11_25, "POST server/discover, POST initialize, POST notifications/initialized"},
		{"HTTP+SSE after 404", "/sse2", sse("/messages?s=1", status(404)), mcp.V2025_03_26, "POST server/discover, POST initialize, GET, POST initialize, POST notifications/initialized"},
		{"HTTP+SSE after 405", "", sse("messages", status(405)), mcp.V2025_03_26, "POST server/discover, POST initialize, GET, POST initialize, POST notifications/initialized"},
		{"HTTP+SSE by its path", "/sse", sse("/messages", status(500)), mcp.V2025_03_26, "GET, POST initialize, POST notifications/initialized"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, tt.handle)
			c := connect(t, Options{URL: p.URL + tt.path}, mcpclient.Options{})
			if c.Version() != tt.version {
				t.Errorf("speaks %s, want %s", c.Version(), tt.version)
			}
			if got, err := call(t, c, "x", nil); err != nil || got != "done" {
				t.Errorf("a call: %q, %v", got, err)
			}
			got := strings.TrimSuffix(p.requests(), ", POST tools/call")
			if before, _, ok := strings.Cut(got, "initialized"); ok {
				got = before + "initialized"
			}
			if got != tt.requests {
				t.Errorf("requests: %s\nwant: %s", got, tt.requests)
			}
		})
	}
}

// A recognized error of the modern era stays in it, whatever the status.
func TestC22_modernErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, data string
		code       int
		texts      []string
	}{
		{"version", `,"data":{"supported":["2099-01-01"],"requested":"2026-07-28"}`, mcp.CodeUnsupportedVersion, []string{"no common protocol version", "2099-01-01"}},
		{"capability", "", mcp.CodeMissingCapability, []string{"refuses server/discover"}},
		{"header", "", mcp.CodeHeaderMismatch, []string{"refuses server/discover"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, func(s *sent) {
				s.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"%s}}`, s.ID, tt.code, tt.data)
			})
			_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL}), mcpclient.Options{})
			mention(t, err, tt.texts...)
			if got := p.requests(); got != "POST server/discover" {
				t.Errorf("requests: %s", got)
			}
		})
	}
}

// What is no MCP server at all ends in one error that begins with what happened first, or says it beside the rest.
func TestC22_noServerAtAll(t *testing.T) {
	t.Parallel()
	portal := "http://portal.example/login?from=x"
	for _, tt := range []struct {
		name     string
		handle   func(s *sent)
		kind     error
		texts    []string
		requests string
	}{
		{"web pages", func(s *sent) { s.page(200, "text/html", "<title>Welcome</title>") }, mcpclient.ErrNotMCP, []string{"text/html", `"Welcome"`, "HTTP 200"}, "POST server/discover, POST initialize"},
		{"captive portal", func(s *sent) { http.Redirect(s.w, s.r, portal, http.StatusFound) }, mcpclient.ErrNotSent, []string{"another origin, http://portal.example;", "login page"}, "POST server/discover"},
		{"captive portal that keeps the method", func(s *sent) { http.Redirect(s.w, s.r, portal, http.StatusTemporaryRedirect) }, mcpclient.ErrNotSent, []string{"another origin"}, "POST server/discover"},
		{"a moved page", func(s *sent) { http.Redirect(s.w, s.r, "/new?key=secret", http.StatusMovedPermanently) }, mcpclient.ErrNotSent, []string{"/new in a way that drops the message"}, "POST server/discover"},
		{"redirects in a circle", func(s *sent) { http.Redirect(s.w, s.r, "/", http.StatusPermanentRedirect) }, mcpclient.ErrNotSent, []string{"more than 5 times"}, ""},
		{"404 everywhere", func(s *sent) { s.page(404, "text/plain", "nothing at "+s.r.Method) }, mcpclient.ErrNotMCP, []string{"HTTP 404 Not Found: nothing at POST", "as a server of HTTP+SSE: GET", "nothing at GET"}, "POST server/discover, POST initialize, GET"},
		{"500 everywhere", func(s *sent) { s.page(500, "text/plain", "on fire") }, mcpclient.ErrNotMCP, []string{"on fire"}, "POST server/discover, POST initialize"},
		{"first one error, then another", func(s *sent) {
			if s.Method == mcp.MethodDiscover {
				s.page(400, "text/plain", "the first")
				return
			}
			s.page(401, "text/plain", "the second")
		}, mcpclient.ErrNotSent, []string{"the first", "the second"}, "POST server/discover, POST initialize"},
		{"login", func(s *sent) { s.page(401, "text/plain", "who are you") }, mcpclient.ErrNotSent, []string{"HTTP 401 Unauthorized: who are you"}, "POST server/discover"},
		{"an endpoint elsewhere", sse("http://evil.example/messages", func(s *sent) { s.page(405, "", "") }), nil, []string{"HTTP 405", "another origin, http://evil.example"}, "POST server/discover, POST initialize, GET"},
		{"an endpoint on another port", sse("http://127.0.0.1:1/messages", func(s *sent) { s.page(405, "", "") }), nil, []string{"another origin"}, "POST server/discover, POST initialize, GET"},
		{"an endpoint with a password", sse("http://a:b@127.0.0.1/messages", func(s *sent) { s.page(405, "", "") }), nil, []string{"another origin"}, "POST server/discover, POST initialize, GET"},
		{"no endpoint", func(s *sent) {
			if s.r.Method == http.MethodPost {
				s.page(404, "", "")
				return
			}
			s.stream()
			s.event("data: hello\n\n")
		}, nil, []string{"HTTP 404", "before the server named its endpoint"}, "POST server/discover, POST initialize, GET"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, tt.handle)
			_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL}), mcpclient.Options{})
			mention(t, err, tt.texts...)
			if tt.kind != nil && !errors.Is(err, tt.kind) {
				t.Errorf("error %q is not %q", err, tt.kind)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "from=x") {
				t.Errorf("error %q tells too much", err)
			}
			if got := p.requests(); tt.requests != "" && got != tt.requests {
				t.Errorf("requests: %s", got)
			}
		})
	}
}

func TestC22_redirectWithinTheOrigin(t *testing.T) {
	t.Parallel()
	p := serve(t, func(s *sent) {
		if s.r.URL.Path == "/mcp" {
			http.Redirect(s.w, s.r, "/mcp/", http.StatusTemporaryRedirect)
			return
		}
		if s.r.Header.Get("X-Key") != "k" {
			s.t.Errorf("headers after a redirect: %v", s.r.Header)
		}
		modern(func(s *sent) { s.result(called) })(s)
	})
	c := connect(t, Options{URL: p.URL + "/mcp", Header: http.Header{"x-key": {"k"}}}, mcpclient.Options{})
	if got, err := call(t, c, "x", nil); err != nil || got != "done" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A remembered era that is no longer true is told apart from a server that cannot be reached.
func TestC22_rememberedEra(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		handle func(s *sent)
		want   error
	}{
		{"a legacy server", legacy(mcp.V2025_11_25, nil), mcpclient.ErrUnsupportedVersion},
		{"404", func(s *sent) { s.page(404, "", "") }, mcpclient.ErrUnsupportedVersion},
		{"login", func(s *sent) { s.page(401, "", "") }, mcpclient.ErrNotSent},
		{"busy", func(s *sent) { s.page(503, "", "") }, mcpclient.ErrNotSent},
		{"cut", func(s *sent) { s.cut() }, mcpclient.ErrLost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, tt.handle)
			_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL}), mcpclient.Options{Era: mcp.V2026_07_28})
			if !errors.Is(err, tt.want) || tt.want != mcpclient.ErrUnsupportedVersion && errors.Is(err, mcpclient.ErrUnsupportedVersion) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestC22_slowProbe(t *testing.T) {
	t.Parallel()
	handle := legacy(mcp.V2025_11_25, func(s *sent) { s.result(called) })
	p := serve(t, func(s *sent) {
		if s.Method == mcp.MethodDiscover {
			<-s.r.Context().Done()
			return
		}
		handle(s)
	})
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{ProbeTimeout: 20 * time.Millisecond})
	if got, err := call(t, c, "x", nil); err != nil || got != "done" || c.Version() != mcp.V2025_11_25 {
		t.Errorf("got %q, %v in %s", got, err, c.Version())
	}
}

func TestSSEConnectionEndsWithItsStream(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	var once sync.Once
	p := serve(t, func(s *sent) {
		if s.r.Method == http.MethodGet {
			s.stream()
			s.event("event: endpoint\ndata: /messages\n\n")
			s.event("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n\n", initialized(mcp.V2025_03_26))
			<-end
			return
		}
		s.w.WriteHeader(http.StatusAccepted)
		if s.Method == mcp.MethodCallTool {
			once.Do(func() { close(end) })
		}
	})
	// The answer to initialize is in the stream before it is asked for, so this client asks by hand.
	tr, err := New(Options{URL: p.URL, SSE: true})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := tr.Open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	lines := wire.NewReader(conn, wire.Limits{})
	if line, err := lines.Next(); err != nil || !strings.Contains(string(line), `"protocolVersion"`) {
		t.Errorf("read %q, %v", line, err)
	}
	fmt.Fprintln(conn, `{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	if line, err := lines.Next(); err != nil || !strings.Contains(string(line), "-32601") {
		t.Errorf("the probe was answered with %q, %v", line, err)
	}
	fmt.Fprintln(conn, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}`)
	if line, err := lines.Next(); err == nil {
		t.Errorf("read %q after the stream has ended", line)
	}
	if got := p.requests(); got != "GET, POST tools/call" {
		t.Errorf("requests: %s", got)
	}
}

func TestSSEFailures(t *testing.T) {
	t.Parallel()
	refusing := serve(t, func(s *sent) { s.page(http.StatusNotFound, "text/plain", "gone") })
	_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: refusing.URL + "/sse"}), mcpclient.Options{})
	mention(t, err, "open MCP server over HTTP+SSE", "HTTP 404 Not Found: gone")

	handle := sse("/messages", nil)
	busy := serve(t, func(s *sent) {
		if s.Method == mcp.MethodCallTool {
			s.page(http.StatusInternalServerError, "text/plain", "on fire")
			return
		}
		handle(s)
	})
	c := connect(t, Options{URL: busy.URL, SSE: true}, mcpclient.Options{})
	_, err = call(t, c, "x", nil)
	mention(t, err, "HTTP 500", "on fire")
}

func TestNew(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://127.0.0.1/mcp": "", "https://example.com/mcp?key=1#x": "",
		"": "option URL", "ftp://example.com": "option URL", "http:///x": "option URL", "/mcp": "option URL",
		"http://user:secret@example.com/mcp": "user name", "http://exa mple.com/?secret": "cannot be parsed",
	} {
		_, err := New(Options{URL: address})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("New(%q): %v, want %q", address, err, want)
		}
	}
}
