package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// API is a language that the server speaks. It knows by the path of a request which is meant.
type API string

// The languages.
const (
	Messages  API = "messages"  // Anthropic's
	Responses API = "responses" // OpenAI's
	Chat      API = "chat"      // Chat Completions
)

// maxBody bounds a request.
const maxBody = 64 << 20

// Server is a model.
type Server struct {
	// URL is the base URL to configure; OpenAI's ends in /v1.
	URL string

	http   *httptest.Server
	only   []API
	script *script
	closed chan struct{}

	mu       sync.Mutex
	requests []Request
	problems []string
	prefix   *string
}

// Request is what a client asked.
type Request struct {
	API    API
	Header http.Header
	Body   []byte
}

// Start starts a server that speaks all languages. It is for programs; tests have Anthropic and OpenAI.
func Start(script string) (*Server, error) {
	s, err := parse(script)
	if err != nil {
		return nil, err
	}
	server := &Server{script: s, closed: make(chan struct{})}
	server.http = httptest.NewServer(http.HandlerFunc(server.serve))
	server.URL = server.http.URL + "/v1"
	return server, nil
}

// Anthropic starts a server for a test, which fails when a request is not as the script wants it, when one is left over, and
// when an exchange is.
func Anthropic(t testing.TB, script string) *Server {
	t.Helper()
	s := forTest(t, script, Messages)
	s.URL = strings.TrimSuffix(s.URL, "/v1")
	return s
}

// OpenAI starts a server for a test, as Anthropic does, that speaks Responses and Chat Completions.
func OpenAI(t testing.TB, script string) *Server {
	t.Helper()
	return forTest(t, script, Responses, Chat)
}

func forTest(t testing.TB, script string, only ...API) *Server {
	t.Helper()
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	s.only = only
	t.Cleanup(func() {
		for _, p := range s.Close() {
			t.Errorf("model server: %s", p)
		}
	})
	return s
}

// Close ends the server and returns what was wrong.
func (s *Server) Close() []string {
	close(s.closed)
	s.http.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	problems := slices.Clone(s.problems)
	for _, e := range s.script.exchanges {
		if !e.used {
			problems = append(problems, e.name+" was never asked for")
		}
	}
	return problems
}

// Requests returns what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func apiOf(path string) API {
	switch {
	case strings.HasSuffix(path, "/v1/messages"):
		return Messages
	case strings.HasSuffix(path, "/responses"):
		return Responses
	case strings.HasSuffix(path, "/chat/completions"):
		return Chat
	}
	return ""
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client left
	}
	api := apiOf(r.URL.Path)
	e, wrong := s.take(api, Request{API: api, Header: r.Header, Body: body}, r.Method)
	var steps []step
	if wrong == "" {
		if steps, err = e.steps(api); err != nil {
			wrong = err.Error()
		}
	}
	if wrong != "" {
		s.mu.Lock()
		s.problems = append(s.problems, wrong)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":%q}}`, "script: "+wrong)
		return
	}
	s.send(w, r, e, steps)
}

// take finds the exchange for a request and says what is wrong with it.
func (s *Server) take(api API, r Request, method string) (*exchange, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	number := len(s.requests)
	if api == "" || method != http.MethodPost || s.only != nil && !slices.Contains(s.only, api) {
		return nil, fmt.Sprintf("request %d: %s to a path of API %q", number, method, api)
	}
	var first string
	for _, e := range s.script.exchanges {
		if e.used {
			continue
		}
		wrong := e.mismatch(r.Header, r.Body)
		if wrong != "" && s.script.anyOrder {
			first = wrong
			continue
		}
		e.used = true
		if wrong == "" {
			wrong = s.keepsPrefix(e, api, r.Body)
		}
		if wrong != "" {
			return nil, fmt.Sprintf("request %d (%s): %s", number, e.name, wrong)
		}
		return e, ""
	}
	if first != "" {
		return nil, fmt.Sprintf("request %d fits no exchange that is left: %s", number, first)
	}
	return nil, fmt.Sprintf("request %d: the script has no exchange left", number)
}

func (s *Server) keepsPrefix(e *exchange, api API, body []byte) string {
	now := prefix(api, body)
	if s.prefix == nil || e.newPrefix || s.script.freePrefix {
		s.prefix = &now
		return ""
	}
	if *s.prefix == now {
		return ""
	}
	at := 0
	for at < min(len(now), len(*s.prefix)) && now[at] == (*s.prefix)[at] {
		at++
	}
	return fmt.Sprintf("system prompt or tools are not the same bytes as before, from byte %d: %.80q, before %.80q",
		at, now[at:], (*s.prefix)[at:])
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, e *exchange, steps []step) {
	header := w.Header()
	switch {
	case e.isStream():
		header.Set("Content-Type", "text/event-stream; charset=utf-8")
	default:
		header.Set("Content-Type", "application/json")
	}
	for name, values := range e.response {
		header[name] = values
	}
	w.WriteHeader(e.status)
	flush, _ := w.(http.Flusher)
	flush.Flush()
	for _, st := range steps {
		switch {
		case st.cut:
			panic(http.ErrAbortHandler)
		case st.hang:
			s.wait(r, 0)
			return
		case st.delay > 0:
			if !s.wait(r, st.delay) {
				return
			}
		default:
			if _, err := io.WriteString(w, st.send); err != nil {
				return
			}
			flush.Flush()
		}
	}
}

// wait waits for a time, or without one for ever, and reports whether the client is still there.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	var passed <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		passed = timer.C
	}
	select {
	case <-passed:
		return true
	case <-r.Context().Done():
	case <-s.closed:
	}
	return false
}
