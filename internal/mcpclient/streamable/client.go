package streamable

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxRedirects = 5
	// maxIdle is how many connections to the server stay open for the next calls.
	maxIdle = 32
	// pingTimeout is how long a connection may be silent before it is asked, and how long it may take to answer.
	pingTimeout = 15 * time.Second
	// maxHeaderBytes bounds the headers of an answer.
	maxHeaderBytes = 256 << 10
)

// newClient returns a client that keeps no cookies, has no timeout of its own, because streams are long, and follows
// redirects within the origin alone. The second result is its transport when it is not the caller's.
func newClient(given *http.Client) (*http.Client, *http.Transport) {
	c := &http.Client{CheckRedirect: checkRedirect}
	if given != nil {
		c.Transport = given.Transport
		return c, nil
	}
	own := &http.Transport{}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		own = d.Clone()
	}
	own.MaxIdleConnsPerHost = maxIdle
	// A connection of HTTP/2 is used for everything, so one that died in the machine's sleep has to be found out.
	own.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingTimeout, PingTimeout: pingTimeout}
	own.MaxResponseHeaderBytes = maxHeaderBytes
	c.Transport = own
	return c, own
}

// checkRedirect refuses what would carry a message, and the credentials with it, to somebody else, and what would turn a
// POST into a GET.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case !sameOrigin(next.URL, first.URL):
		return &redirectError{fmt.Sprintf("the server redirects to another origin, %s://%s; if that is the MCP server, configure its address; if not, a login page of the network may be in the way",
			next.URL.Scheme, next.URL.Host)}
	case next.Method != first.Method:
		return &redirectError{fmt.Sprintf("the server redirects to %s in a way that drops the message; configure that address", shown(next.URL))}
	case len(via) > maxRedirects:
		return &redirectError{fmt.Sprintf("the server redirects more than %d times", maxRedirects)}
	}
	return nil
}

// redirectError is a redirect that was not followed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }

// sameOrigin reports whether two addresses have scheme, host and port in common.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	default:
		return "80"
	}
}

// shown returns an address for an error or a log: without what may be a secret.
func shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
