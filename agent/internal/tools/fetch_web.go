package tools

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

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/zone"
)

// webLimits are the bounds of one call.
type webLimits struct {
	bytes     int64
	redirects int
	time      time.Duration
}

// web gets one address.
type web struct {
	base     *http.Transport
	resolver *net.Resolver
	limits   webLimits
	host     string
	near     bool // the host may be on this machine or in a private network: the user has allowed this very one
}

// answer is what came.
type answer struct {
	url       *url.URL // where it came from
	status    int
	media     string // the content type without parameters, "" when there is none
	kind      string // the content type
	body      []byte
	elsewhere string // another host that it redirects to; there is nothing else then
}

// parseAddress checks an address of the model's.
func parseAddress(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, fmt.Errorf("the url is longer than %d bytes", maxURL)
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, fmt.Errorf("the url %q is no address", result.OneLine(raw, 200))
	}
	plain(u)
	if err := checkAddress(u); err != nil {
		return nil, fmt.Errorf("the url %q: %w", result.OneLine(u.Redacted(), 200), err)
	}
	return u, nil
}

// plain writes an address as it is asked for: in visible ASCII, so that it is what a person reads, and without its fragment.
func plain(u *url.URL) {
	u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Host), "", ""
	var query strings.Builder
	for i := range len(u.RawQuery) {
		if c := u.RawQuery[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>`, c) >= 0 {
			fmt.Fprintf(&query, "%%%02X", c)
		} else {
			query.WriteByte(c)
		}
	}
	u.RawQuery = query.String()
}

func checkAddress(u *url.URL) error {
	host := hostOf(u)
	foreign := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_')
	}
	_, err := netip.ParseAddr(host)
	switch {
	case u.Scheme == "http" && host != "" && zone.OfHost(host) != zone.Loopback:
		return errors.New("it is http, which only this machine may be asked by: try https")
	case u.Scheme != "https" && u.Scheme != "http":
		return errors.New("it does not begin with https://")
	case u.User != nil:
		return errors.New("it holds a user name or password, which are not sent")
	case host == "" || u.Opaque != "":
		return errors.New("it names no host")
	case err != nil && strings.ContainsFunc(host, foreign):
		return errors.New("the host has other characters than a-z, 0-9, - and .: write an international name in its xn-- form")
	case zone.OfHost(host) == zone.Never:
		return fmt.Errorf("%s is an address that no page is at", host)
	}
	return nil
}

// hostOf is the host of an address as rules name it.
func hostOf(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String()
	}
	return host
}

// get asks for an address and follows redirects that stay at the place.
func (w web) get(ctx context.Context, u *url.URL) (answer, error) {
	if z := zone.OfHost(w.host); z != zone.Public && !w.near {
		return answer{}, w.refusal(w.host)
	}
	transport, err := w.transport(u)
	if err != nil {
		return answer{}, err
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for range w.limits.redirects + 1 {
		got, next, err := w.ask(ctx, client, u)
		switch {
		case err != nil || next == nil:
			return got, err
		case next.Scheme != u.Scheme || next.Host != u.Host || next.User != nil:
			next.User = nil
			return answer{url: u, status: got.status, elsewhere: next.String()}, nil
		}
		u = next
	}
	return answer{}, fmt.Errorf("there were more than %d redirects", w.limits.redirects)
}

// ask makes one request. Next is where the answer redirects to.
func (w web) ask(ctx context.Context, client *http.Client, u *url.URL) (got answer, next *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, nil, err
	}
	req.Header.Set("User-Agent", "elyra")
	req.Header.Set("Accept", "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, */*;q=0.5")
	resp, err := client.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err // without the address, which the model knows
		}
		return answer{}, nil, fmt.Errorf("%s: %w", w.host, err)
	}
	defer resp.Body.Close()
	got = answer{url: u, status: resp.StatusCode, kind: resp.Header.Get("Content-Type")}
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		if next, err := resp.Location(); err == nil {
			plain(next)
			return got, next, nil
		}
	}
	if got.media, _, err = mime.ParseMediaType(got.kind); err != nil {
		got.media = ""
	}
	got.body, err = w.body(resp, got.media)
	return got, nil, err
}

// body reads an answer, unless it is of a type that cannot be shown anyway.
func (w web) body(resp *http.Response, media string) ([]byte, error) {
	switch {
	case media != "" && handling(media) == refused:
		return nil, notShown(media, resp.ContentLength)
	case resp.ContentLength > w.limits.bytes:
		return nil, fmt.Errorf("it has %s, more than %s", result.Size(int(resp.ContentLength)), result.Size(int(w.limits.bytes)))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, w.limits.bytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the answer: %w", err)
	case int64(len(body)) > w.limits.bytes:
		return nil, fmt.Errorf("it has more than %s", result.Size(int(w.limits.bytes)))
	}
	return body, nil
}

// transport connects directly, or through the proxy of the user, who then decides what it reaches.
func (w web) transport(u *url.URL) (*http.Transport, error) {
	t := w.base.Clone()
	t.Proxy, t.DialTLSContext = nil, nil
	t.MaxResponseHeaderBytes = 64 << 10
	t.ForceAttemptHTTP2 = true
	if w.base.Proxy != nil {
		proxy, err := w.base.Proxy(&http.Request{Method: http.MethodGet, URL: u})
		if err != nil {
			return nil, fmt.Errorf("find the proxy: %w", err)
		}
		if proxy != nil {
			t.Proxy = http.ProxyURL(proxy)
			return t, nil
		}
	}
	dial := &net.Dialer{Resolver: w.resolver, Control: func(_, address string, _ syscall.RawConn) error { return w.mayDial(address) }}
	t.DialContext = dial.DialContext
	return t, nil
}

// mayDial is asked with the address that a connection is about to go to: a name may lead anywhere, and elsewhere every time.
func (w web) mayDial(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect to %q: no address", address)
	}
	z := zone.Of(to.Addr())
	switch {
	case z == zone.Never:
		return fmt.Errorf("it is at %s, an address that no page is at", to.Addr())
	case zone.OfHost(w.host) == zone.Loopback && z != zone.Loopback:
		return fmt.Errorf("it is at %s, which is not this machine", to.Addr())
	case z != zone.Public && !w.near:
		return w.refusal(to.Addr().String())
	}
	return nil
}

func (w web) refusal(at string) error {
	return fmt.Errorf("it is at %s, on this machine or in a private network, and the user has not allowed this very host: their rule %q would", at, "fetch:"+w.host)
}
