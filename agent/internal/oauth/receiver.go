package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// ErrPortBusy is wrapped when another program listens at the redirect address.
var ErrPortBusy = errors.New("the redirect address is taken")

// page is what the browser shows in the end. It says nothing of what came with the redirect, which anybody may have made up.
const page = "Elyra has what it needs from your browser. You can close this page and go back to Elyra.\n"

// receiver listens at the redirect address while a login lasts. It takes the first answer that is accepted; a browser
// that comes again with the same one sees the same page.
type receiver struct {
	server  *http.Server
	answers chan answer // one at most
	served  sync.WaitGroup

	mu     sync.Mutex
	accept func(answer) bool // nil before the browser was sent anywhere
	taken  bool
}

// listen binds the redirect address.
func listen(port int, procRoot string) (*receiver, error) {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	l, err := net.Listen("tcp4", address)
	if err != nil {
		if inUse(err) {
			return nil, fmt.Errorf("%w: %s listens at %s; end it, or log in with --no-browser", ErrPortBusy, portHolder(procRoot, port), address)
		}
		return nil, fmt.Errorf("listen for the browser at %s: %w", address, err)
	}
	r := &receiver{answers: make(chan answer, 1)}
	r.server = &http.Server{
		Handler:           http.HandlerFunc(r.serve(address)),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      5 * time.Second,
		IdleTimeout:       5 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	r.served.Go(func() { r.server.Serve(l) }) //nolint:errcheck // It ends with close.
	return r, nil
}

// expect says which answers belong to the login.
func (r *receiver) expect(accept func(answer) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accept = accept
}

// close frees the port, after the browser has its page.
func (r *receiver) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if r.server.Shutdown(ctx) != nil {
		r.server.Close()
	}
	r.served.Wait()
}

// serve answers one request. The host has to be the address itself, so that a page of another site whose name was
// pointed at this machine cannot read what it gets.
func (r *receiver) serve(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Connection", "close")
		switch {
		case req.Host != address || req.URL.EscapedPath() != callbackPath:
			http.Error(w, "Nothing is here.", http.StatusNotFound)
			return
		case req.Method != http.MethodGet:
			h.Set("Allow", http.MethodGet)
			http.Error(w, "Only GET is answered.", http.StatusMethodNotAllowed)
			return
		}
		got, err := parseAnswer(req.URL.RawQuery)
		if err != nil || !r.take(got) {
			http.Error(w, "This is not the answer to a login that Elyra waits for. Start the login again.", http.StatusBadRequest)
			return
		}
		io.WriteString(w, page) //nolint:errcheck // A browser that is gone needs no page.
	}
}

// take passes an answer on if it is the expected one, and reports that it is.
func (r *receiver) take(got answer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.accept == nil || !r.accept(got) {
		return false
	}
	if !r.taken {
		r.taken = true
		r.answers <- got
	}
	return true
}
