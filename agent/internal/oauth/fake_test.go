package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// authServer is a scripted authorization server on the loopback interface. Its fields are set before it is used.
type authServer struct {
	*httptest.Server
	path  string                                                // of the issuer
	edit  func(metadata map[string]any)                         // changes the metadata
	serve map[string]http.HandlerFunc                           // replaces what is at a path
	back  func(query url.Values)                                // changes what the browser brings back
	token func(form map[string][]string, answer map[string]any) // changes the answer of the token endpoint
	life  int                                                   // expires_in; 0: left out
	plain bool                                                  // no refresh tokens

	mu      sync.Mutex
	seen    []string         // requests, as "METHOD path"
	queries []url.Values     // of authorization requests
	forms   []url.Values     // of token requests
	clients []map[string]any // registrations
	revoked []string
	codes   map[string]url.Values // the authorization request of each code
	refresh map[string]string     // refresh tokens that are good, with their resource
	access  map[string]bool
	count   int
	reused  int // refresh tokens that came twice
}

func newAuthServer(t *testing.T, path string) *authServer {
	a := &authServer{path: path, life: 3600, codes: map[string]url.Values{}, refresh: map[string]string{}, access: map[string]bool{}, serve: map[string]http.HandlerFunc{}}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

// mend serves a path as usual again.
func (a *authServer) mend(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.serve, path)
}

func (a *authServer) issuer() string { return a.URL + a.path }

func (a *authServer) metadata() map[string]any {
	m := map[string]any{
		"issuer": a.issuer(), "authorization_endpoint": a.URL + "/authorize", "token_endpoint": a.URL + "/token",
		"registration_endpoint": a.URL + "/register", "revocation_endpoint": a.URL + "/revoke",
		"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
	}
	if a.edit != nil {
		a.edit(m)
	}
	return m
}

func (a *authServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.seen = append(a.seen, r.Method+" "+r.URL.Path)
	h := a.serve[r.URL.Path]
	a.mu.Unlock()
	if h != nil {
		h(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server" + a.path:
		writeJSON(w, 200, a.metadata())
	case "/register":
		a.register(w, r)
	case "/authorize":
		a.authorize(w, r)
	case "/token":
		a.grant(w, r)
	case "/revoke":
		r.ParseForm()
		a.mu.Lock()
		a.revoked = append(a.revoked, r.PostForm.Get("token"))
		a.mu.Unlock()
	default:
		http.NotFound(w, r)
	}
}

func (a *authServer) register(w http.ResponseWriter, r *http.Request) {
	var m map[string]any
	json.NewDecoder(r.Body).Decode(&m)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clients = append(a.clients, m)
	answer := maps.Clone(m)
	answer["client_id"] = fmt.Sprintf("client-%d", len(a.clients))
	writeJSON(w, 201, answer)
}

func (a *authServer) authorize(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := r.URL.Query()
	a.queries = append(a.queries, q)
	a.count++
	code := fmt.Sprintf("code-%d", a.count)
	a.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {a.issuer()}}
	if a.back != nil {
		a.back(back)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (a *authServer) grant(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	a.mu.Lock()
	defer a.mu.Unlock()
	f := r.PostForm
	a.forms = append(a.forms, f)
	switch f.Get("grant_type") {
	case "authorization_code":
		q, ok := a.codes[f.Get("code")]
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		if !ok || base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") || f.Get("redirect_uri") != q.Get("redirect_uri") || f.Get("resource") != q.Get("resource") {
			writeJSON(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(a.codes, f.Get("code"))
	case "refresh_token":
		if _, ok := a.refresh[f.Get("refresh_token")]; !ok {
			a.reused++
			writeJSON(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(a.refresh, f.Get("refresh_token"))
	}
	a.count++
	access, refresh := fmt.Sprintf("access-%d", a.count), fmt.Sprintf("refresh-%d", a.count)
	answer := map[string]any{"access_token": access, "token_type": "bearer"}
	if !a.plain {
		answer["refresh_token"] = refresh
		a.refresh[refresh] = f.Get("resource")
	}
	if a.life > 0 {
		answer["expires_in"] = a.life
	}
	a.access[access] = true
	if a.token != nil {
		a.token(f, answer)
	}
	status := 200
	if answer["error"] != nil {
		status = 400
	}
	writeJSON(w, status, answer)
}

// asked returns the only or last authorization request.
func (a *authServer) asked(t *testing.T) url.Values {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queries) == 0 {
		t.Fatal("no browser came to the authorization server")
	}
	return a.queries[len(a.queries)-1]
}

func (a *authServer) browsers() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queries)
}

// grants counts token requests of one type.
func (a *authServer) grants(kind string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, f := range a.forms {
		if f.Get("grant_type") == kind {
			n++
		}
	}
	return n
}

// requests returns what was asked below a prefix.
func (a *authServer) requests(prefix string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(a.seen), func(s string) bool { return !strings.HasPrefix(s, prefix) })
}

// resourceServer is a scripted MCP server with resource metadata.
type resourceServer struct {
	*httptest.Server
	path      string
	issuers   []string
	scopes    []string // scopes_supported
	challenge string   // after "Bearer "; "": none
	serve     map[string]http.HandlerFunc

	mu   sync.Mutex
	seen []string
}

func newResourceServer(t *testing.T, issuers ...string) *resourceServer {
	r := &resourceServer{path: "/mcp", issuers: issuers, serve: map[string]http.HandlerFunc{}}
	r.Server = httptest.NewServer(r)
	r.challenge = fmt.Sprintf("resource_metadata=%q", r.URL+"/metadata")
	t.Cleanup(r.Close)
	return r
}

func (r *resourceServer) url() string { return r.URL + r.path }

func (r *resourceServer) metadata() map[string]any {
	m := map[string]any{"resource": r.url(), "authorization_servers": r.issuers}
	if r.scopes != nil {
		m["scopes_supported"] = r.scopes
	}
	return m
}

func (r *resourceServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, req.URL.String())
	r.mu.Unlock()
	if h := r.serve[req.URL.Path]; h != nil {
		h(w, req)
		return
	}
	switch req.URL.Path {
	case "/metadata":
		writeJSON(w, 200, r.metadata())
	case r.path:
		if r.challenge != "" {
			w.Header().Set("WWW-Authenticate", "Bearer "+r.challenge)
		}
		w.WriteHeader(401)
	default:
		http.NotFound(w, req)
	}
}

func (r *resourceServer) requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// world is one MCP server, its authorization server, and an agent's folder.
type world struct {
	t     *testing.T
	as    *authServer
	rs    *resourceServer
	dir   *home.Dir
	store *Store
	port  int
	clock *clock
	ended string // where the browser of another machine ended up
}

func newWorld(t *testing.T) *world {
	t.Helper()
	as := newAuthServer(t, "")
	w := &world{t: t, as: as, rs: newResourceServer(t, as.issuer()), port: freePort(t), clock: &clock{at: time.Now()}}
	var err error
	if w.dir, err = home.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.store = New(w.dir)
	return w
}

// session returns a session of the world's server; nobody can be asked unless edit says so.
func (w *world) session(edit func(*Options)) *Session {
	w.t.Helper()
	o := Options{Name: "crm", Identity: "user", URL: w.rs.url(), CallbackPort: w.port, Now: w.clock.now}
	if edit != nil {
		edit(&o)
	}
	s, err := w.store.Session(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { s.Close() })
	return s
}

// interactive makes a session offer logins in the stand-in browser.
func interactive(o *Options) {
	o.Offer = func(context.Context, []string) (LoginOptions, bool) { return LoginOptions{Open: browse}, true }
}

// login logs in and fails the test if that fails.
func (w *world) login(s *Session) {
	w.t.Helper()
	if err := s.Login(w.t.Context(), LoginOptions{Open: browse}); err != nil {
		w.t.Fatal(err)
	}
}

// record reads the record of the session from the file.
func (w *world) record(s *Session) record {
	w.t.Helper()
	r, _, err := w.store.load(s.o.Identity, s.name)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// header returns what Authorize gives.
func (w *world) header(s *Session) string {
	w.t.Helper()
	h, err := s.Authorize(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// browse is the stand-in for a browser: it follows redirects to the end.
func browse(address string) error {
	resp, err := http.Get(address)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return nil
}

// clock is a wall clock that can be set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// freePort finds a port that the system gives nobody by itself.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 10000 + rand.IntN(20000)
		l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("there is no free port")
	return 0
}

// headers returns WWW-Authenticate values with one Bearer challenge.
func headers(parameters string) []string { return []string{"Bearer " + parameters} }

// memory is a folder of files that nobody else uses.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (m memory) Update(_ context.Context, name string, change func(old []byte) ([]byte, error)) error {
	data, err := change(m[name])
	if err == nil {
		m[name] = data
	}
	return err
}

func (m memory) Lock(context.Context, string) (func(), error) { return func() {}, nil }
