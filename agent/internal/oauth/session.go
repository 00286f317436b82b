package oauth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// Options describe one configured server. Name, Identity and URL are needed.
type Options struct {
	// Name is the server's name in the configuration, for messages.
	Name string
	// Identity says whose configuration names the server: "user", or "project:" and the project's canonical path. Tokens of
	// one identity are never used for another, so an entry of a project gets nothing of the user's.
	Identity string
	// URL is the server's address. With anything but https, or http on this machine, there are no logins.
	URL string
	// Header is what the configuration adds to requests. With an Authorization in it, the server manages its own
	// authorization and the session does nothing.
	Header http.Header
	// ClientID, ClientSecret: a client that was registered by hand. Empty: none.
	ClientID, ClientSecret string
	// ClientIssuer is the authorization server that ClientID belongs to. Empty: the one that is found at the first login.
	ClientIssuer string
	// ClientDocument is the https address of a client metadata document, see [Document]. Empty: none is hosted, and
	// authorization servers are asked to register the client.
	ClientDocument string
	// Scopes are asked for in each login. Empty: what the server demands, else what it lists.
	Scopes []string
	// CallbackPort is the port of the redirect address. Zero: DefaultPort.
	CallbackPort int
	// Offer asks the user, when a request needs a login, whether to start it now, and how. Scopes are those that the login
	// asks for because of the request; nil when it was not for lack of a scope. It is asked once for all requests that wait,
	// and must return when ctx ends. Nil: nobody can be asked, and requests fail with *ErrLoginNeeded.
	Offer func(ctx context.Context, scopes []string) (LoginOptions, bool)
	// Transport gives the proxy and the certificates. Nil: no proxy, the system's certificates. Its way of connecting is
	// replaced.
	Transport *http.Transport
	// Resolver finds addresses. Nil: the system's.
	Resolver *net.Resolver
	// ProcRoot is where Linux shows its processes, to say who holds the redirect address. Empty: it is not said.
	ProcRoot string
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
	// Random is where secrets come from. Nil: crypto/rand.
	Random io.Reader
	// Log is told what no caller is. Nil: nothing is logged. It never gets a secret.
	Log *slog.Logger
}

// ErrLoginNeeded says that a server wants a login that nobody is there to do.
type ErrLoginNeeded struct {
	Server string
	Scopes []string // what the login is for, if the server said it
	Reason string   // in a few words of ours
}

func (e *ErrLoginNeeded) Error() string {
	name := e.Server
	if !regexp.MustCompile(`^[A-Za-z0-9_.-]+$`).MatchString(name) || strings.HasPrefix(name, "-") {
		name = strconv.Quote(name)
	}
	text := fmt.Sprintf("server %q needs a login", e.Server)
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	return text + ": run: elyra mcp login " + name
}

// Errors that callers tell apart with errors.Is.
var (
	// ErrOwnAuthorization says that a server's configured headers hold its authorization, so that there is no login.
	ErrOwnAuthorization = errors.New("its configured headers contain Authorization, so it manages its own authorization")
	// ErrStillRefused says that a server refuses the token that it was just given.
	ErrStillRefused = errors.New("the server refuses the token that was just issued for it")
	// ErrClosed says that the session was closed.
	ErrClosed = errors.New("the session is closed")
)

// Session keeps one server authorized. Its methods may be called from several goroutines.
type Session struct {
	o      Options
	store  *Store
	server *url.URL
	name   string // the canonical URL, the key of the record
	none   error  // why there are no logins: ErrOwnAuthorization, or an address that no token may travel to

	// turn is held by whoever may log in or out.
	turn chan struct{}
	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu        sync.Mutex
	current   record             // what is used; the zero value before the file was read
	unwritten bool               // current is newer than the file, which could not be written
	flights   map[string]*flight // shared work in progress
	tried     map[string]bool    // scope sets that were asked for because of a refusal
	failed    map[string]failure // by the Authorization that was refused
	closed    bool
}

// failure is how the attempt to renew something ended, for requests that were refused at the same time and come late.
type failure struct {
	err error
	at  time.Time
}

// Session returns the session of one server. It reads no file and makes no request.
func (s *Store) Session(o Options) (*Session, error) {
	fail := func(err error) (*Session, error) {
		return nil, fmt.Errorf("authorization of server %q: %w", o.Name, err)
	}
	if o.Identity == "" {
		return fail(errors.New("option Identity is empty"))
	}
	if o.ClientDocument != "" {
		if err := checkDocument(o.ClientDocument); err != nil {
			return fail(err)
		}
	}
	if o.CallbackPort < 0 || o.CallbackPort > 65535 {
		return fail(fmt.Errorf("the callback port %d is none", o.CallbackPort))
	}
	o = o.withDefaults()
	n := &Session{
		o: o, store: s, turn: make(chan struct{}, 1),
		flights: map[string]*flight{}, tried: map[string]bool{}, failed: map[string]failure{},
	}
	if hasAuthorization(o.Header) {
		n.none = ErrOwnAuthorization
	} else if n.server, n.none = serverURL(o.URL); n.none == nil {
		n.name = canonical(n.server).String()
	}
	n.ctx, n.end = context.WithCancel(context.Background())
	return n, nil
}

// hasAuthorization reports whether configured headers hold an Authorization, however it is written.
func hasAuthorization(h http.Header) bool {
	for name := range h {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	return false
}

func (o Options) withDefaults() Options {
	if o.CallbackPort == 0 {
		o.CallbackPort = DefaultPort
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Header = o.Header.Clone()
	o.Scopes = slices.Clone(o.Scopes)
	return o
}

// Close ends a login or refresh in progress and waits for it. A refresh that the authorization server may already have
// carried out gets two seconds to be kept.
func (s *Session) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.work.Wait()
	return nil
}

// Status is what can be told of a session without asking anybody.
type Status struct {
	OwnAuthorization bool // the configured headers hold the authorization
	LoggedIn         bool
	Refreshes        bool      // there is a refresh token
	Expires          time.Time // of the access token; zero: unknown
	Issuer           string
	Scopes           []string
	// Subject stands for the login: it is kept by refreshes and new with each login. Empty: not logged in. What a server
	// showed to one subject must not be shown to another.
	Subject string
}

// Status reads the credentials file.
func (s *Session) Status() (Status, error) {
	if s.none != nil {
		return Status{OwnAuthorization: errors.Is(s.none, ErrOwnAuthorization)}, nil
	}
	r, ok, err := s.store.load(s.o.Identity, s.name)
	if err != nil || !ok || r.Tokens.Access == "" {
		return Status{}, err
	}
	return Status{
		LoggedIn: true, Refreshes: r.Tokens.Refresh != "", Expires: r.Tokens.Expires, Issuer: r.Issuer,
		Scopes: r.Tokens.Scopes, Subject: r.Subject,
	}, nil
}

// redirect returns the redirect address of this session's logins.
// Subject is that of Status. It is "" also when the credentials cannot be read, which the first request will say.
func (s *Session) Subject() string {
	status, err := s.Status()
	if err != nil {
		return ""
	}
	return status.Subject
}

func (s *Session) redirect() string { return redirectURL(s.o.CallbackPort) }

// web returns what makes requests for a server in a zone.
func (s *Session) web(z zone.Zone) *web { return newWeb(s.o.Transport, s.o.Resolver, z) }

// now returns the wall clock, without the monotonic part that stands still while the machine sleeps.
func (s *Session) now() time.Time { return s.o.Now().Round(0).UTC() }

// needed returns the error for a login that nobody is there to do.
func (s *Session) needed(reason string, scopes []string) error {
	return &ErrLoginNeeded{Server: s.o.Name, Reason: reason, Scopes: scopes}
}
