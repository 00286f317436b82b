package streamable

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestC15_onePostForEachMessage(t *testing.T) {
	t.Parallel()
	for name, respond := range map[string]func(s *sent){
		"JSON":           func(s *sent) { s.result(called) },
		"JSON on lines":  func(s *sent) { s.result(strings.ReplaceAll(called, ",", ",\r\n  ")) },
		"JSON and a BOM": func(s *sent) { s.json(200, "\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", s.ID, called) },
		"without a type": func(s *sent) {
			s.w.Header()["Content-Type"] = nil
			fmt.Fprintf(s.w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, s.ID, called)
		},
		"events": func(s *sent) {
			s.stream()
			s.answerEvent(called)
		},
		"gzip": func(s *sent) {
			if s.r.Header.Get("Accept-Encoding") != "gzip" {
				s.t.Errorf("accepts the encodings %q", s.r.Header.Get("Accept-Encoding"))
			}
			s.w.Header().Set("Content-Type", "application/json; charset=utf-8")
			s.w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(s.w)
			fmt.Fprintf(z, `{"jsonrpc":"2.0","id":%s,"result":%s}`, s.ID, called)
			z.Close()
		},
		"a status for the error": func(s *sent) { s.refuse(http.StatusNotFound, wire.CodeMethodNotFound, "no such method") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, modern(func(s *sent) {
				if h := s.r.Header; h.Get("Accept") != "application/json, text/event-stream" || h.Get("Content-Type") != "application/json" || h.Get("Cookie") != "" {
					s.t.Errorf("headers of a POST: %v", h)
				}
				s.w.Header().Set("Set-Cookie", "a=b")
				respond(s)
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			for range 2 {
				got, err := call(t, c, "x", nil)
				if strings.HasPrefix(name, "a status") {
					if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.CodeMethodNotFound {
						t.Errorf("got %q, %v", got, err)
					}
				} else if err != nil || got != "done" {
					t.Errorf("got %q, %v", got, err)
				}
			}
			if got := p.requests(); got != "POST server/discover, POST tools/call, POST tools/call" {
				t.Errorf("requests: %s", got)
			}
		})
	}
}

func TestC15_progressBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	p := serve(t, modern(func(s *sent) {
		s.stream()
		s.event(": keepalive\n\nevent: ping\ndata: {}\n\ndata: no message at all\n\n")
		for i := range 3 {
			s.event("event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\r\ndata: \"params\":{\"progressToken\":%s,\"progress\":%d}}\r\n\r\n", s.meta("progressToken"), i+1)
		}
		s.event("data: {\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}\n\n") // somebody else's
		s.answerEvent(called)
		<-s.r.Context().Done() // A server that does not end its stream must not keep anybody.
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	var seen []float64
	r, err := c.CallTool(t.Context(), "x", nil, mcpclient.CallOptions{Progress: func(done, _ float64, _ string) { seen = append(seen, done) }})
	if err != nil || r.Content[0].Text != "done" || fmt.Sprint(seen) != "[1 2 3]" {
		t.Errorf("progress %v, result %+v, %v", seen, r, err)
	}
	if n := c.SkippedLines(); n != 1 {
		t.Errorf("%d messages were skipped, want 1", n)
	}
}

func TestC15_concurrentCalls(t *testing.T) {
	t.Parallel()
	const calls = 20
	var all sync.WaitGroup
	all.Add(calls)
	p := serve(t, modern(func(s *sent) {
		all.Done()
		all.Wait() // Each waits for all others: none is answered unless all are under way.
		name, _ := subject(s.Message)
		s.result(fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%q}]}`, name))
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			name := fmt.Sprint("tool", i)
			if got, err := call(t, c, name, nil); err != nil || got != name {
				t.Errorf("%s: got %q, %v", name, got, err)
			}
		})
	}
	wg.Wait()
}

// What is over the limit is refused, and a call that was cancelled gives its place back.
func TestC15_tooManyAtOnce(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	p := serve(t, modern(func(s *sent) {
		if name, _ := subject(s.Message); name == "z" {
			s.result(called)
			return
		}
		close(started)
		<-s.r.Context().Done()
	}))
	c := connect(t, Options{URL: p.URL, MaxInFlight: 1}, mcpclient.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { c.CallTool(ctx, "x", nil, mcpclient.CallOptions{}) }) //nolint:errcheck // It is cancelled.
	within(t, started, "the first call")
	_, err := call(t, c, "y", nil)
	if !errors.Is(err, mcpclient.ErrNotSent) {
		t.Errorf("got %v", err)
	}
	cancel()
	wg.Wait()
	if got, err := call(t, c, "z", nil); err != nil || got != "done" {
		t.Errorf("after a cancelled call: %q, %v", got, err)
	}
}

// What is no answer ends the request at once and says what it was. Only the first few characters are quoted.
func TestC15_whatIsNoAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct {
		name   string
		handle func(s *sent)
		kind   error
		texts  []string
	}{
		{"accepted", func(s *sent) { s.w.WriteHeader(202) }, mcpclient.ErrNotMCP, []string{"HTTP 202", "without answering"}},
		{"empty", func(s *sent) { s.json(200, "") }, mcpclient.ErrNotMCP, []string{"HTTP 200", "without answering"}},
		{"another id", func(s *sent) { s.json(200, `{"jsonrpc":"2.0","id":99,"result":{}}`) }, mcpclient.ErrNotMCP, []string{"another request", "99"}},
		{"a request", func(s *sent) { s.json(200, `{"jsonrpc":"2.0","id":99,"method":"ping"}`) }, mcpclient.ErrNotMCP, []string{"no response"}},
		{"a batch", func(s *sent) { s.json(200, `[{"jsonrpc":"2.0","id":%s,"result":{}}]`, s.ID) }, mcpclient.ErrNotMCP, []string{"JSON object"}},
		{"no JSON", func(s *sent) { s.json(200, "%s", "oh\x1b[31m no"+long) }, mcpclient.ErrNotMCP, []string{"not valid JSON", "oh[31m no", "…"}},
		{"a page", func(s *sent) { s.page(200, "text/html", "<html><TITLE> Log  in </TITLE>") }, mcpclient.ErrNotMCP, []string{"text/html", `a web page, "Log in"`}},
		{"status", func(s *sent) { s.page(500, "text/plain", "out of\nmemory") }, mcpclient.ErrNotMCP, []string{"HTTP 500 Internal Server Error: out of memory"}},
		{"forbidden", func(s *sent) { s.page(403, "text/plain", "no") }, mcpclient.ErrNotSent, []string{"HTTP 403 Forbidden: no"}},
		{"encoding", func(s *sent) {
			s.w.Header().Set("Content-Encoding", "br")
			s.json(200, "?")
		}, mcpclient.ErrNotMCP, []string{`"br"`}},
		{"too long", func(s *sent) { s.result(`{"a":"` + long + long + `"}`) }, errTooLong, []string{"8192 bytes"}},
		{"too long an event", func(s *sent) {
			s.stream()
			s.answerEvent(`{"a":"` + long + long + `"}`)
			<-s.r.Context().Done()
		}, errTooLong, []string{"8192 bytes"}},
		{"cut", func(s *sent) { s.cut() }, mcpclient.ErrLost, nil},
		{"cut in the middle", func(s *sent) {
			s.w.Header().Set("Content-Length", "1000")
			s.json(200, `{"jsonrpc":"2.0"`)
			s.flush()
			s.cut()
		}, mcpclient.ErrLost, nil},
		{"stream without an answer", func(s *sent) {
			s.stream()
			s.event("id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n")
		}, mcpclient.ErrLost, []string{"the stream ended"}},
		{"a stream that cannot be resumed", func(s *sent) {
			s.stream()
			s.event("id: 7\nretry: 1\ndata:\n\n")
		}, mcpclient.ErrLost, []string{"the stream ended"}},
		{"half an event", func(s *sent) {
			s.stream()
			s.event("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n", s.ID)
		}, mcpclient.ErrLost, []string{"the stream ended"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, modern(func(s *sent) {
				if s.Method == mcp.MethodListTools {
					s.result(noTool)
					return
				}
				tt.handle(s)
			}))
			c := connect(t, Options{URL: p.URL + "/mcp?key=secret", MaxMessage: 8192}, mcpclient.Options{})
			_, err := call(t, c, "x", nil)
			mention(t, err, tt.texts...)
			if !errors.Is(err, tt.kind) {
				t.Errorf("error %q is not %q", err, tt.kind)
			}
			for _, other := range []error{mcpclient.ErrLost, mcpclient.ErrNotSent, mcpclient.ErrNotMCP, mcpclient.ErrDisconnected} {
				if other != tt.kind && errors.Is(err, other) {
					t.Errorf("error %q is %q as well", err, other)
				}
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 600 {
				t.Errorf("error %q tells too much", err)
			}
			if p.count("POST tools/call") != 1 || p.count("GET") != 0 {
				t.Errorf("requests: %s", p.requests())
			}
			if _, err := c.ListTools(t.Context()); err != nil || c.Err() != nil {
				t.Errorf("afterwards: %v, %v", err, c.Err())
			}
		})
	}
}

// A server that could not read the request does not know its id. In the answer to a POST there is no doubt what it is about.
func TestC15_errorWithoutAnID(t *testing.T) {
	t.Parallel()
	const refused = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"unreadable"}}`
	for name, handle := range map[string]func(s *sent){
		"200": func(s *sent) { s.json(200, refused) },
		"400": func(s *sent) { s.json(400, refused) },
		"id null": func(s *sent) {
			s.json(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unreadable"}}`)
		},
		"in events": func(s *sent) { s.stream(); s.event("data: %s\n\n", refused) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			p := serve(t, modern(func(s *sent) {
				if s.Method == mcp.MethodListTools { // Another request waits, so that the client cannot guess.
					<-release
					s.result(noTool)
					return
				}
				handle(s)
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{CallTimeout: 10 * time.Second})
			var wg sync.WaitGroup
			wg.Go(func() {
				if _, err := c.ListTools(t.Context()); err != nil {
					t.Error(err)
				}
			})
			_, err := call(t, c, "x", nil)
			if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.CodeInvalidRequest {
				t.Errorf("got %v", err)
			}
			close(release)
			wg.Wait()
		})
	}
}

func TestC15_messageOverTheLimit(t *testing.T) {
	t.Parallel()
	p := serve(t, modern(func(s *sent) { s.result(called) }))
	c := connect(t, Options{URL: p.URL, MaxMessage: 8192}, mcpclient.Options{})
	_, err := call(t, c, "x", map[string]string{"a": strings.Repeat("x", 8192)})
	mention(t, err, "longer than 8192 bytes")
	if !errors.Is(err, mcpclient.ErrNotSent) || p.count("POST tools/call") != 0 {
		t.Errorf("got %v after %s", err, p.requests())
	}
}

func TestC15_slowHeaders(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	p := serve(t, modern(func(s *sent) {
		select {
		case <-release:
			s.result(called)
		case <-s.r.Context().Done():
		}
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{CallTimeout: 50 * time.Millisecond})
	if _, err := call(t, c, "x", nil); !errors.Is(err, mcpclient.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	close(release)
	if got, err := call(t, c, "x", nil); err != nil || got != "done" {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}

// A connection that died while the machine slept is found out when it is used. The request is sent again on a fresh one only
// when nothing of it was written; when it may have arrived, the caller is told.
func TestC21_deadConnections(t *testing.T) {
	t.Parallel()
	p := serve(t, modern(func(s *sent) { s.result(called) }))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	if _, err := call(t, c, "x", nil); err != nil {
		t.Fatal(err)
	}
	p.CloseClientConnections()
	time.Sleep(50 * time.Millisecond) // The end of the connection arrives.
	if got, err := call(t, c, "x", nil); err != nil || got != "done" {
		t.Errorf("on a fresh connection: %q, %v", got, err)
	}
	p.Close()
	time.Sleep(50 * time.Millisecond)
	_, err := call(t, c, "x", nil)
	if !errors.Is(err, mcpclient.ErrNotSent) {
		t.Errorf("nobody listens: %v", err)
	}
	mention(t, err, "POST http://127.0.0.1", "connection refused")
}

// After a call that was given up nothing goes over the connections from before.
func TestC21_freshConnectionsAfterATimeout(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	used := map[string]bool{}
	var both sync.WaitGroup
	both.Add(2)
	p := serve(t, modern(func(s *sent) {
		name, _ := subject(s.Message)
		mu.Lock()
		old := used[s.r.RemoteAddr]
		used[s.r.RemoteAddr] = true
		mu.Unlock()
		switch {
		case name == "open": // Two connections become idle.
			both.Done()
			both.Wait()
		case old && name == "hang":
			<-s.r.Context().Done()
			return
		case old:
			s.t.Errorf("%s came over a connection from before", name)
		}
		s.result(called)
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := call(t, c, "open", nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	time.Sleep(20 * time.Millisecond) // They are idle a moment after the answer.
	if _, err := c.CallTool(t.Context(), "hang", nil, mcpclient.CallOptions{Timeout: 50 * time.Millisecond}); !errors.Is(err, mcpclient.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	time.Sleep(20 * time.Millisecond)
	if _, err := call(t, c, "after", nil); err != nil {
		t.Error(err)
	}
}

func TestC21_closingTheStreamCancels(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(s *sent){"before the headers": func(*sent) {}, "in a stream": func(s *sent) { s.stream() }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started, ended := make(chan struct{}), make(chan struct{})
			p := serve(t, modern(func(s *sent) {
				if s.Method != mcp.MethodCallTool {
					s.result(noTool)
					return
				}
				begin(s)
				close(started)
				<-s.r.Context().Done()
				close(ended)
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-started
				cancel()
			}()
			if _, err := c.CallTool(ctx, "x", nil, mcpclient.CallOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			within(t, ended, "the end of the request at the server")
			if _, err := c.ListTools(t.Context()); err != nil {
				t.Errorf("after a cancelled call: %v", err)
			}
			if got := p.requests(); strings.Contains(got, mcp.NotifyCancelled) {
				t.Errorf("requests: %s", got)
			}
		})
	}
}

// Requests that only read are sent again once, under a new id; others are not.
func TestC21_lostRequestsThatOnlyRead(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	ids := map[string]bool{}
	p := serve(t, modern(func(s *sent) {
		mu.Lock()
		first := len(ids) == 0
		ids[string(s.ID)] = true
		mu.Unlock()
		if first {
			s.stream()
			s.cut()
			return
		}
		s.result(noTool)
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	if _, err := c.ListTools(t.Context()); err != nil || len(ids) != 2 {
		t.Errorf("got %v after %d ids", err, len(ids))
	}
}

func TestC21_subscription(t *testing.T) {
	t.Parallel()
	ended, cut := make(chan struct{}), make(chan struct{})
	p := serve(t, modern(func(s *sent) {
		s.stream()
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`, s.ID)
		s.event("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"toolsListChanged\":true},%s}}\n\n", meta)
		s.event("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{%s}}\n\n", meta)
		select {
		case <-s.r.Context().Done():
			close(ended)
		case <-cut:
		}
	}))
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	heard := make(chan string, 4)
	listen := func() *mcpclient.Subscription {
		s, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, func(method string, _ jsontext.Value) { heard <- method })
		if err != nil {
			t.Fatal(err)
		}
		if got := within(t, heard, "a notification"); got != mcp.NotifyToolsChanged {
			t.Errorf("heard %s", got)
		}
		return s
	}
	listen().Close()
	within(t, ended, "the end of the stream")
	s := listen()
	close(cut)
	within(t, s.Done(), "the end of the subscription")
	if !errors.Is(s.Err(), mcpclient.ErrLost) {
		t.Errorf("the subscription ended with %v", s.Err())
	}
}

func TestCloseEndsEverything(t *testing.T) {
	t.Parallel()
	started, ended := make(chan struct{}), make(chan struct{})
	p := serve(t, modern(func(s *sent) {
		s.stream()
		close(started)
		<-s.r.Context().Done()
		close(ended)
	}))
	c, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL}), mcpclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() {
		_, err := c.CallTool(context.Background(), "x", nil, mcpclient.CallOptions{})
		result <- err
	}()
	within(t, started, "the call")
	begin := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := within(t, result, "the end of the call"); !errors.Is(err, mcpclient.ErrDisconnected) {
		t.Errorf("the call ended with %v", err)
	}
	within(t, ended, "the end of the request at the server")
	if d := time.Since(begin); d > 3*time.Second {
		t.Errorf("closing took %v", d)
	}
	if _, err := c.ListTools(t.Context()); !errors.Is(err, mcpclient.ErrNotSent) {
		t.Errorf("after the end: %v", err)
	}
}
