package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// sessions is a legacy server that numbers its sessions and knows one at a time. Its fields are used in handlers alone,
// one at a time.
type sessions struct {
	version string
	mu      sync.Mutex
	n       int
	alive   bool
	get     func(s *sent) // nil: 405
	handle  func(s *sent)
}

func (ss *sessions) id() string { return fmt.Sprint("session-", ss.n) }

// end makes the server forget its session.
func (ss *sessions) end() {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.alive = false
}

func (ss *sessions) serve(s *sent) {
	ss.mu.Lock()
	header := s.r.Header.Get("Mcp-Session-Id")
	known := ss.alive && header == ss.id()
	if s.Method == mcp.MethodInitialize {
		if header != "" || s.r.Header.Get("MCP-Protocol-Version") != "" {
			s.t.Errorf("initialize has the headers %v", s.r.Header)
		}
		ss.n++
		ss.alive, known = true, true
		s.w.Header().Set("Mcp-Session-Id", ss.id())
	}
	ss.mu.Unlock()
	wantVersion := ss.version
	if ss.version < mcp.V2025_06_18 {
		wantVersion = ""
	}
	switch {
	case s.Method == mcp.MethodDiscover:
		s.page(http.StatusBadRequest, "text/plain", "Missing session ID")
	case !known:
		s.json(http.StatusNotFound, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
	case s.Method == mcp.MethodInitialize:
		s.stream()
		s.event("id: first\ndata: \n\n")
		s.answerEvent(initialized(ss.version))
	case s.r.Header.Get("MCP-Protocol-Version") != wantVersion || s.r.Header.Get("Mcp-Method") != "":
		s.t.Errorf("%s %s has the headers %v", s.r.Method, s.Method, s.r.Header)
	case s.r.Method == http.MethodDelete:
		s.w.WriteHeader(http.StatusMethodNotAllowed)
	case s.r.Method == http.MethodGet && ss.get == nil:
		s.page(http.StatusMethodNotAllowed, "text/plain", "no stream")
	case s.r.Method == http.MethodGet:
		ss.get(s)
	case s.ID == nil || s.Method == "":
		s.w.WriteHeader(http.StatusAccepted)
		if ss.handle != nil && s.Method != mcp.NotifyInitialized {
			ss.handle(s)
		}
	default:
		ss.handle(s)
	}
}

func TestC23_session(t *testing.T) {
	t.Parallel()
	for _, version := range []string{mcp.V2025_03_26, mcp.V2025_06_18, mcp.V2025_11_25} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			ss := &sessions{version: version, handle: func(s *sent) { s.result(called) }}
			p := serve(t, ss.serve)
			c, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL}), mcpclient.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if got, err := call(t, c, "x", nil); err != nil || got != "done" {
					t.Errorf("got %q, %v", got, err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if c.Version() != version || p.count("POST tools/call") != 3 || p.count("DELETE") != 1 || p.count("GET") != 1 {
				t.Errorf("in %s: %s", c.Version(), p.requests())
			}
		})
	}
}

// No request of a session overtakes the notification that opens it.
func TestC23_initializedComesFirst(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	ready := false
	handle := legacy(mcp.V2025_11_25, func(s *sent) {
		mu.Lock()
		defer mu.Unlock()
		if !ready {
			s.t.Error("a call came before notifications/initialized was answered")
		}
		s.result(called)
	})
	p := serve(t, func(s *sent) {
		if s.Method == mcp.NotifyInitialized {
			time.Sleep(50 * time.Millisecond)
			mu.Lock()
			ready = true
			mu.Unlock()
		}
		handle(s)
	})
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	if _, err := call(t, c, "x", nil); err != nil {
		t.Error(err)
	}
}

func TestC23_sessionThatHasEnded(t *testing.T) {
	t.Parallel()
	ss := &sessions{version: mcp.V2025_11_25, handle: func(s *sent) { s.result(called) }}
	p := serve(t, ss.serve)
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	for range 2 {
		ss.end()
		var wg sync.WaitGroup
		for range 5 { // All of them find out; one opens the session again.
			wg.Go(func() {
				if got, err := call(t, c, "x", nil); err != nil || got != "done" {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
		wg.Wait()
	}
	if n := p.count("POST initialize"); n != 3 {
		t.Errorf("%d sessions: %s", n, p.requests())
	}
	if n := p.count("POST notifications/initialized"); n != 3 {
		t.Errorf("%d notifications: %s", n, p.requests())
	}
}

func TestC23_sessionThatCannotBeOpenedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		again func(s *sent)
		texts []string
	}{
		"down":            {func(s *sent) { s.page(500, "text/plain", "down") }, []string{"session has ended", "HTTP 500", "down"}},
		"refused":         {func(s *sent) { s.refuse(200, -32603, "not now") }, []string{"session has ended", "not now"}},
		"another version": {func(s *sent) { s.result(initialized(mcp.V2025_03_26)) }, []string{"session has ended", `"2025-03-26" instead of "2025-11-25"`}},
		"for ever gone": {func(s *sent) {
			s.w.Header().Set("Mcp-Session-Id", "s")
			s.result(initialized(mcp.V2025_11_25))
		}, []string{"Session not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ss := &sessions{version: mcp.V2025_11_25, handle: func(s *sent) { s.result(called) }}
			var dead bool
			p := serve(t, func(s *sent) {
				switch {
				case dead && s.Method == mcp.MethodInitialize:
					tt.again(s)
				case dead && s.Method == mcp.NotifyInitialized:
					s.w.WriteHeader(http.StatusAccepted)
				default:
					ss.serve(s)
				}
			})
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			if _, err := call(t, c, "x", nil); err != nil {
				t.Fatal(err)
			}
			dead = true
			ss.end()
			_, err := call(t, c, "x", nil)
			mention(t, err, tt.texts...)
			if n := p.count("POST initialize"); n != 2 {
				t.Errorf("initialize was sent %d times", n)
			}
		})
	}
}

// Without a session of its own a server's 404 is only an answer.
func TestC23_notFoundWithoutASession(t *testing.T) {
	t.Parallel()
	p := serve(t, legacy(mcp.V2025_11_25, func(s *sent) { s.page(404, "text/plain", "what") }))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	_, err := call(t, c, "x", nil)
	mention(t, err, "HTTP 404 Not Found: what")
	if p.count("POST initialize") != 1 || p.count("DELETE") != 0 {
		t.Errorf("requests: %s", p.requests())
	}
}

func TestC23_badSessionID(t *testing.T) {
	t.Parallel()
	handle := legacy(mcp.V2025_11_25, func(s *sent) { s.result(called) })
	p := serve(t, func(s *sent) {
		if v := s.r.Header.Get("Mcp-Session-Id"); v != "" {
			s.t.Errorf("the session is %q", v)
		}
		if s.Method == mcp.MethodInitialize {
			s.w.Header().Set("Mcp-Session-Id", "ü b")
		}
		handle(s)
	})
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	if _, err := call(t, c, "x", nil); err != nil {
		t.Error(err)
	}
}

// The stream that listens is opened, read, and taken up again after its last event.
func TestC23_listening(t *testing.T) {
	t.Parallel()
	resumed := make(chan string, 8)
	n := 0
	ss := &sessions{version: mcp.V2025_11_25}
	ss.get = func(s *sent) {
		resumed <- s.r.Header.Get("Last-Event-ID")
		s.stream()
		if n++; n > 2 {
			<-s.r.Context().Done()
			return
		}
		s.event("id: e%d\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n", n)
	}
	p := serve(t, ss.serve)
	heard := make(chan string, 8)
	connect(t, Options{URL: p.URL}, mcpclient.Options{OnNotification: func(method string, _ jsontext.Value) { heard <- method }})
	for _, want := range []string{"", "e1", "e2"} {
		if got := within(t, resumed, "the stream"); got != want {
			t.Errorf("the stream was opened after %q, want %q", got, want)
		}
	}
	for range 2 {
		if got := within(t, heard, "a notification"); got != mcp.NotifyToolsChanged {
			t.Errorf("heard %s", got)
		}
	}
}

// No request is sent before the stream is there in which the server may ask something about it, nor for ever kept back by a
// server that takes its time.
func TestC23_listeningComesFirst(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"in time": false, "too late": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ask, asked := make(chan struct{}), make(chan struct{})
			var opened atomic.Bool
			ss := &sessions{version: mcp.V2025_11_25}
			ss.get = func(s *sent) {
				if late {
					<-s.r.Context().Done()
					return
				}
				time.Sleep(50 * time.Millisecond)
				opened.Store(true) // Before the client can know.
				s.stream()
				select {
				case <-ask:
					s.event("data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\"}}\n\n")
					<-s.r.Context().Done()
				case <-s.r.Context().Done():
				}
			}
			ss.handle = func(s *sent) {
				switch {
				case late:
					s.result(called)
				case s.Method == "": // The answer to the question.
					close(asked)
				default:
					if !opened.Load() {
						s.t.Error("the call came before the stream")
					}
					close(ask)
					<-asked
					s.result(called)
				}
			}
			p := serve(t, ss.serve)
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
				return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
			}})
			if got, err := call(t, c, "x", nil); err != nil || got != "done" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// A server that ends its stream again and again is asked more and more seldom.
func TestC23_listeningInVain(t *testing.T) {
	t.Parallel()
	ss := &sessions{version: mcp.V2025_11_25, handle: func(s *sent) { s.result(called) }}
	ss.get = func(s *sent) { s.stream(); s.event("retry: 0\n\n") }
	p := serve(t, ss.serve)
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	time.Sleep(1200 * time.Millisecond)
	if n := p.count("GET"); n < 2 || n > 4 {
		t.Errorf("the stream was opened %d times in 1.2 s", n)
	}
	if _, err := call(t, c, "x", nil); err != nil {
		t.Error(err)
	}
}

// The stream of a request that breaks is taken up again with GET; the request is not sent again.
func TestC23_resumedRequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		first func(s *sent) // the stream of the call
		get   func(s *sent, n int)
		want  error
		gets  int
	}{
		{"cut", func(s *sent) {
			s.event("id: 1\nretry: 1\ndata:\n\n")
			s.cut()
		}, nil, nil, 1},
		{"ended in order", func(s *sent) { s.event("id: 1\nretry: 1\ndata:\n\n") }, nil, nil, 1},
		{"twice", func(s *sent) { s.event("id: 1\nretry: 1\ndata:\n\n") }, func(s *sent, n int) {
			if n == 1 {
				s.stream()
				s.event("id: 2\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n")
				return
			}
			if got := s.r.Header.Get("Last-Event-ID"); got != "2" {
				s.t.Errorf("resumed after %q", got)
			}
			s.stream()
			s.event("data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":%s}\n\n", called)
		}, nil, 2},
		{"no id", func(s *sent) { s.event("data:\n\n") }, nil, mcpclient.ErrLost, 0},
		{"cannot be resumed", func(s *sent) { s.event("id: 1\nretry: 1\ndata:\n\n") }, func(s *sent, _ int) { s.page(400, "text/plain", "forgotten") }, mcpclient.ErrLost, 1},
		{"down for a moment", func(s *sent) { s.event("id: 1\nretry: 1\ndata:\n\n") }, func(s *sent, n int) {
			if n == 1 {
				s.page(502, "text/plain", "down")
				return
			}
			s.stream()
			s.event("data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":%s}\n\n", called)
		}, nil, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			gets := 0
			ss := &sessions{version: mcp.V2025_11_25}
			ss.get = func(s *sent) {
				if s.r.Header.Get("Last-Event-ID") == "" { // the stream that listens
					s.page(http.StatusMethodNotAllowed, "", "")
					return
				}
				if gets++; tt.get != nil {
					tt.get(s, gets)
					return
				}
				s.stream()
				s.event("data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":%s}\n\n", called)
			}
			ss.handle = func(s *sent) {
				s.stream()
				tt.first(s)
			}
			p := serve(t, ss.serve)
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			got, err := call(t, c, "x", nil)
			if !errors.Is(err, tt.want) || err == nil && got != "done" {
				t.Errorf("got %q, %v", got, err)
			}
			if gets != tt.gets || p.count("POST tools/call") != 1 {
				t.Errorf("%d resumptions: %s", gets, p.requests())
			}
		})
	}
}

// A question in the stream of a call is answered with a POST; the call goes on.
func TestC23_question(t *testing.T) {
	t.Parallel()
	answered := make(chan string, 1)
	ss := &sessions{version: mcp.V2025_11_25}
	ss.handle = func(s *sent) {
		if s.Method == "" {
			answered <- string(s.Result)
			return
		}
		s.stream()
		s.event("data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}\n\n")
		if got := within(s.t, answered, "the answer"); !strings.Contains(got, `"decline"`) {
			s.t.Errorf("answered %s", got)
		}
		s.answerEvent(called)
	}
	p := serve(t, ss.serve)
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
		return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
	}})
	if got, err := call(t, c, "x", nil); err != nil || got != "done" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A legacy server is told of a cancelled call, and its stream ends.
func TestC23_cancel(t *testing.T) {
	t.Parallel()
	started, ended, told := make(chan struct{}), make(chan struct{}), make(chan string, 1)
	ss := &sessions{version: mcp.V2025_11_25}
	ss.handle = func(s *sent) {
		if s.Method == mcp.NotifyCancelled {
			told <- string(s.Params)
			return
		}
		s.stream()
		close(started)
		<-s.r.Context().Done()
		close(ended)
	}
	p := serve(t, ss.serve)
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	if _, err := c.CallTool(ctx, "x", nil, mcpclient.CallOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := within(t, told, "the notification"); !strings.Contains(got, `"requestId":3`) {
		t.Errorf("told %s", got)
	}
	within(t, ended, "the end of the stream")
}

// A batch is for the revision that has batches.
func TestC23_batches(t *testing.T) {
	t.Parallel()
	progress := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}`
	for name, handle := range map[string]func(s *sent){
		"JSON": func(s *sent) {
			s.json(200, `[%s,{"jsonrpc":"2.0","id":%s,"result":%s}]`, progress, s.ID, called)
		},
		"events": func(s *sent) {
			s.stream()
			s.event("data: [%s,\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}]\n\n", progress, s.ID, called)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, legacy(mcp.V2025_03_26, handle))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			reports := 0
			r, err := c.CallTool(t.Context(), "x", nil, mcpclient.CallOptions{Progress: func(_, _ float64, _ string) { reports++ }})
			if err != nil || r.Content[0].Text != "done" || reports != 1 {
				t.Errorf("got %+v, %v, %d reports", r, err, reports)
			}
		})
	}
}

// FuzzAnswer holds the transport together with whatever a server answers: each request ends, and nothing stays behind.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "application/json", []byte(`{"jsonrpc":"2.0","id":2,"result":{}}`))
	f.Add(200, "text/event-stream", []byte("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\n\ndata:[]\n\n"))
	f.Add(404, "text/html", []byte("<title>\xff"))
	f.Add(400, "", []byte(`{"jsonrpc":"2.0","error":{"code":-32020,"message":""}}`))
	f.Fuzz(func(t *testing.T, status int, kind string, body []byte) {
		if status < 200 || status > 599 || !headerSafe(kind) {
			return
		}
		client := &http.Client{Transport: canned{status, kind, body}}
		tr, err := New(Options{URL: "http://127.0.0.1/mcp", Client: client, MaxMessage: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := tr.Open(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		const request = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
		fmt.Fprintln(conn, request)
		lines := wire.NewReader(conn, wire.Limits{})
		for answered := false; !answered; {
			line, err := lines.Next()
			if err != nil {
				t.Fatalf("no answer: %v", err)
			}
			m, refused := wire.Parse(line, limits)
			answered = refused == nil && m.Method == "" && string(m.ID) == "2"
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}
