package streamable

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// Authorizer knows how to be let in. Its methods may be called concurrently, Refused also for the same value.
type Authorizer interface {
	// Authorize returns the value of the Authorization header for the next request, "" for none.
	Authorize(ctx context.Context) (string, error)
	// Refused is told of a 401, or of a 403 whose challenge says insufficient_scope, with the WWW-Authenticate values and the
	// Authorization value that was used. nil: send the request again once with new authorization; an error goes to the caller.
	Refused(ctx context.Context, status int, challenges []string, used string) error
}

// Options configure New. Only URL is required.
type Options struct {
	// URL is the server's endpoint, http or https. It must hold no user name or password.
	URL string
	// SSE says that the server speaks HTTP+SSE, the transport of 2024-11-05. A URL whose path ends in /sse says so as well.
	// Otherwise that transport is only tried after POST was refused.
	SSE bool
	// Header goes with each request.
	Header http.Header
	// Client sends the requests. Its cookies, timeout and handling of redirects are not used. Nil: one of this transport's
	// own, which uses the proxy of the environment.
	Client *http.Client
	// Auth authorizes each request. Nil: only what Header says.
	Auth Authorizer
	// MaxMessage bounds a message in bytes, in both directions. Zero: 16 MiB.
	MaxMessage int
	// MaxInFlight bounds the requests of one connection that wait for an answer, subscriptions too. Zero: 256.
	MaxInFlight int
	// MaxWait bounds how long a server may ask to wait (Retry-After) before a refused request is sent again. A longer wait is
	// the caller's to decide: the request fails. Zero: 30 s.
	MaxWait time.Duration
	// Log gets what no caller is told. Nil: nothing is logged.
	Log *slog.Logger
}

const (
	defaultMaxInFlight = 256
	defaultMaxWait     = 30 * time.Second
)

// withDefaults replaces the zero fields.
func (o Options) withDefaults() Options {
	if o.MaxMessage <= 0 {
		o.MaxMessage = wire.DefaultMaxLine
	}
	if o.MaxInFlight <= 0 {
		o.MaxInFlight = defaultMaxInFlight
	}
	if o.MaxWait <= 0 {
		o.MaxWait = defaultMaxWait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// transport is what the connections to one server share.
type transport struct {
	o      Options
	url    *url.URL
	sse    bool // HTTP+SSE without trying anything else
	client *http.Client
	own    *http.Transport // nil when the caller gave the client
	params parameters
	lastID atomic.Int64
}

// New returns a transport to one server. Nothing is sent before a connection is opened.
func New(o Options) (mcpclient.Transport, error) {
	o = o.withDefaults()
	u, err := url.Parse(o.URL)
	switch {
	case err != nil: // The error quotes the URL, in which a secret may stand.
		return nil, errors.New("option URL: it cannot be parsed")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("option URL: %q is no http or https address with a host", shown(u))
	case u.User != nil:
		return nil, fmt.Errorf("option URL: %q holds a user name; give the credentials as a header", shown(u))
	}
	u.Fragment, u.RawFragment = "", ""
	header := http.Header{}
	for name, values := range o.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	o.Header = header.Clone()
	t := &transport{o: o, url: u, sse: o.SSE || strings.HasSuffix(u.Path, "/sse")}
	t.client, t.own = newClient(o.Client)
	return t, nil
}

// Open makes a connection. Only HTTP+SSE sends something for it: there, a connection is a stream.
func (t *transport) Open(ctx context.Context, _ bool) (mcpclient.Conn, error) {
	c := newConn(ctx, t)
	if !t.sse {
		return c, nil
	}
	if err := c.openEndpoints(ctx); err != nil {
		c.Close() //nolint:errcheck // The first error is the one to tell.
		return nil, fmt.Errorf("open MCP server over HTTP+SSE: %w", err)
	}
	return c, nil
}
