package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// Bounds of what an authorization server may make us do.
const (
	maxBody      = 256 << 10
	maxURL       = 4 << 10
	maxRedirects = 5
	dialTime     = 10 * time.Second
	requestTime  = 20 * time.Second
)

// web makes the requests of one login or one refresh. Its zone is that of the MCP server, and bounds which addresses the
// requests may reach; it is checked when a connection is made, so a name that changes its address meanwhile gains nothing.
type web struct {
	zone    zone.Zone
	client  *http.Client
	direct  *http.Transport
	proxied *http.Transport
}

// newWeb returns a web with the certificates, the proxy and the resolver of these, each of which may be nil.
func newWeb(base *http.Transport, resolver *net.Resolver, z zone.Zone) *web {
	if base == nil {
		base = &http.Transport{}
	}
	w := &web{zone: z, direct: base.Clone(), proxied: base.Clone()}
	dial := &net.Dialer{Timeout: dialTime, Resolver: resolver}
	w.direct.Proxy = nil
	w.direct.DialTLSContext = nil
	w.direct.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		d := *dial
		d.Control = func(_, address string, _ syscall.RawConn) error { return w.mayDial(host, address) }
		return d.DialContext(ctx, network, address)
	}
	for _, t := range []*http.Transport{w.direct, w.proxied} {
		t.TLSHandshakeTimeout = dialTime
		t.MaxResponseHeaderBytes = 64 << 10
	}
	w.client = &http.Client{Transport: w, Timeout: requestTime}
	return w
}

func (w *web) close() {
	w.direct.CloseIdleConnections()
	w.proxied.CloseIdleConnections()
}

// mayDial is asked with the address that a connection to host is about to go to.
func (w *web) mayDial(host, address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect to %q: not an address", address)
	}
	at := zone.Of(to.Addr())
	if !w.zone.Reaches(at) {
		return errZone(to.Addr(), w.zone)
	}
	if at != zone.Loopback && zone.OfHost(host) == zone.Loopback {
		return fmt.Errorf("%s is at %s, which is not this machine", host, to.Addr())
	}
	return nil
}

// RoundTrip sends a request directly, or through the proxy that the user set. Which address a proxy connects to is the
// proxy's business; the URL itself was checked.
func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	if w.proxied.Proxy != nil {
		proxy, err := w.proxied.Proxy(req)
		if err != nil {
			return nil, fmt.Errorf("find the proxy: %w", err)
		}
		if proxy != nil {
			return w.proxied.RoundTrip(req)
		}
	}
	return w.direct.RoundTrip(req)
}

// parse checks an address that a server named: absolute, https, or http on this machine when the MCP server is here too.
func (w *web) parse(what, raw string) (*url.URL, error) {
	if raw == "" {
		return nil, fmt.Errorf("%s is missing", what)
	}
	if len(raw) > maxURL {
		return nil, fmt.Errorf("%s is longer than %d bytes", what, maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%s %q is no address", what, plain(raw))
	}
	if err := w.check(u); err != nil {
		return nil, fmt.Errorf("%s %q: %w", what, plain(raw), err)
	}
	return u, nil
}

func (w *web) check(u *url.URL) error {
	host := u.Hostname()
	local := zone.OfHost(host) == zone.Loopback
	switch {
	case host == "" || u.Opaque != "":
		return errors.New("it names no host")
	case u.User != nil:
		return errors.New("it holds a user name")
	case u.Fragment != "":
		return errors.New("it has a fragment")
	case u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("the scheme %q is not https", plain(u.Scheme))
	case u.Scheme == "http" && !local:
		return errors.New("it is http, and tokens must not travel in the clear: https is needed")
	case local && w.zone != zone.Loopback:
		return errors.New("it is on this machine, and the MCP server is not")
	}
	if ip, err := netip.ParseAddr(host); err == nil && !w.zone.Reaches(zone.Of(ip)) {
		return errZone(ip, w.zone)
	}
	return nil
}

// reply is a whole answer of bounded size.
type reply struct {
	status int
	media  string // the content type without parameters
	body   []byte
}

// get fetches a metadata document. Redirects are followed a few times, by the same rules.
func (w *web) get(ctx context.Context, u *url.URL) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Accept", "application/json")
	client := *w.client
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("more than %d redirects", maxRedirects)
		}
		if via[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
			return errors.New("a redirect from https to http")
		}
		if err := w.check(next.URL); err != nil {
			return fmt.Errorf("a redirect to %q: %w", plain(next.URL.Redacted()), err)
		}
		return nil
	}
	return do(&client, req)
}

// post sends what may hold secrets, so it follows no redirect.
func (w *web) post(ctx context.Context, u *url.URL, header http.Header, body string) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	client := *w.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	r, err := do(&client, req)
	if err == nil && r.status >= 300 && r.status < 400 {
		err = errors.New("it answered with a redirect, which is not followed with credentials")
	}
	return r, err
}

func do(client *http.Client, req *http.Request) (reply, error) {
	resp, err := client.Do(req)
	if err != nil {
		// The URL in the client's own error may be one with a query; the caller names the place.
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err
		}
		return reply{}, err
	}
	defer resp.Body.Close()
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return reply{}, fmt.Errorf("read the answer: %w", err)
	}
	if len(body) > maxBody {
		return reply{}, fmt.Errorf("the answer is longer than %d KiB", maxBody>>10)
	}
	return reply{resp.StatusCode, media, body}, nil
}

// decode reads a JSON object. What is no JSON is not quoted: it is often a whole page.
func (r reply) decode(into any) error {
	if err := json.Unmarshal(r.body, into); err != nil {
		if r.media == "text/html" {
			return fmt.Errorf("status %d with a web page instead of JSON", r.status)
		}
		return fmt.Errorf("status %d, and the answer is not the JSON expected", r.status)
	}
	return nil
}

// viaProxy reports whether a request goes through the user's proxy.
func (w *web) viaProxy(req *http.Request) bool {
	if w.proxied.Proxy == nil {
		return false
	}
	proxy, err := w.proxied.Proxy(req)
	return err == nil && proxy != nil
}

// errZone is the error for an address that a server in zone z must not name.
func errZone(ip netip.Addr, z zone.Zone) error {
	return fmt.Errorf("the address %s is not public (the MCP server's own is %s)", ip, z)
}
