// Package pages serves what Wails' web views ask for: the app's pages through a window.Host, and the few addresses below
// Prefix that make up for what Wails does not have.
//
// It promises that everything a web view asks for is answered here, so that nothing of Wails' own, such as the calls that
// its runtime makes, can be reached by a page; that a request belongs to the window whose number Wails gives it, which no
// page can choose; and that a page gets the start script of its window before any script of its own.
//
// It must not import Wails: it is a handler of net/http, and its tests need neither a screen nor a C compiler.
package pages

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/window"
)

// Prefix is where this package's own addresses begin. The Host sees nothing below it.
const Prefix = "/.elyra-wails/"

// numberHeader is where Wails tells which window a request comes from, whatever the page has put there.
const numberHeader = "X-Wails-Window-Id"

// Options of a Server. All but Log are required.
type Options struct {
	Host window.Host
	// Origin is where pages come from, such as "wails://localhost".
	Origin string
	// Streams says that what is written to a response reaches the page before the response ends. Without it
	// a stream is a sequence of requests, each of which waits for the next piece.
	Streams bool
	// CloseWindow closes the window with that number, because its page asked for it.
	CloseWindow func(number uint)
	// OpenURL shows an http, https or mailto address in the system's browser.
	OpenURL func(address string) error
	// Log hears of addresses that were not opened. Default: nothing is logged.
	Log *slog.Logger
}

// Server answers the requests of all windows.
type Server struct {
	options Options

	mu       sync.Mutex
	pages    map[uint]*page
	serving  int           // calls of Host.Serve in progress
	draining chan struct{} // nil until Drain, which waits for it to be closed
}

// page is one open window.
type page struct {
	window string // the id that the app gave it
	script string
	secret string // proves that a request comes from the start script
	ctx    context.Context
	cancel context.CancelFunc

	question *question // not nil in the window of a question, which is no page of the app

	mu      sync.Mutex
	starts  []string         // the names under which the start script waits to be fetched, each once
	streams map[string]*pipe // the ones that are fetched piece by piece
}

// New makes a server without windows.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{options: o, pages: map[uint]*page{}}
}

// Open makes a window known, before it loads. script is what the Host has run at document start.
func (s *Server) Open(number uint, windowID, script string) {
	s.add(number, &page{window: windowID, script: script, secret: rand.Text()})
}

func (s *Server) add(number uint, p *page) {
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.streams = map[string]*pipe{}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[number] = p
}

// Close forgets a window: its streams end, and what it still asks for is refused.
func (s *Server) Close(number uint) {
	s.mu.Lock()
	p := s.pages[number]
	delete(s.pages, number)
	s.mu.Unlock()
	if p != nil {
		p.cancel()
	}
}

// Drain refuses all further requests and waits for the calls of Host.Serve in progress. It returns how many are left
// when the time is over.
func (s *Server) Drain(most time.Duration) (left int) {
	s.mu.Lock()
	idle := make(chan struct{})
	s.draining = idle
	if s.serving == 0 {
		close(idle)
	}
	s.mu.Unlock()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serving
}

// begin counts a call of Host.Serve, unless there are to be no more.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining != nil {
		return false
	}
	s.serving++
	return true
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serving--; s.serving == 0 && s.draining != nil {
		close(s.draining)
	}
}

// ServeHTTP answers one request of a web view.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.Header.Get(numberHeader), 10, 0)
	s.mu.Lock()
	p := s.pages[uint(number)]
	s.mu.Unlock()
	if err != nil || p == nil {
		refuse(w, http.StatusGone)
		return
	}
	// A service worker would stand between all windows and the app, also the ones that ask the user.
	if r.Header.Get("Service-Worker") != "" {
		refuse(w, http.StatusForbidden)
		return
	}
	s.markForeign(r.Header)
	if own, ok := strings.CutPrefix(r.URL.Path, Prefix); ok {
		s.serveOwn(uint(number), p, own, w, r)
		return
	}
	if p.question != nil {
		refuse(w, http.StatusNotFound)
		return
	}
	s.serveHost(p, w, r)
}

// markForeign adds the Origin header that some web views leave out of requests to a scheme like Wails', when the
// Referer shows that a foreign page made the request.
func (s *Server) markForeign(header http.Header) {
	referer := header.Get("Referer")
	if header.Get("Origin") == "" && referer != "" && !strings.HasPrefix(referer, s.options.Origin+"/") {
		header.Set("Origin", "null")
	}
}

func (s *Server) foreign(header http.Header) bool {
	from := header.Get("Origin")
	return from != "" && from != s.options.Origin
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
}
