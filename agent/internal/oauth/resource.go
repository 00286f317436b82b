package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// serverURL checks the configured address of a server that needs a login.
func serverURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return nil, fmt.Errorf("the server's url %q is no web address", plain(raw))
	case u.User != nil:
		return nil, errors.New("the server's url holds a user name: remove it")
	case u.Scheme == "https", u.Scheme == "http" && zone.OfHost(u.Hostname()) == zone.Loopback:
		return u, nil
	}
	return nil, fmt.Errorf("the server's url begins with %s://, and tokens must not travel in the clear: use https", plain(u.Scheme))
}

// canonical returns the URI that names a server as a resource (RFC 8707): lower case scheme and host, no default port, no
// fragment, and no slash that is the whole path.
func canonical(server *url.URL) *url.URL {
	u := *server
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "/" {
		u.Path, u.RawPath = "", ""
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return &u
}

// resourceMetadata is what is used of RFC 9728. Resource is never empty.
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// errAbsent says that an address has no metadata, so that the next one may have.
var errAbsent = errors.New("there is no metadata")

// resource finds the resource metadata of a server. A server from before it existed is its own authorization server (the
// 2025-03-26 revision), which the metadata of that server then has to confirm.
func (w *web) resource(ctx context.Context, server *url.URL, named string) (resourceMetadata, error) {
	m, err := w.findResource(ctx, server, named)
	if named != "" || !errors.Is(err, errAbsent) {
		return m, err
	}
	name := canonical(server)
	name.RawQuery, name.ForceQuery = "", false
	return resourceMetadata{Resource: name.String(), Servers: []string{name.Scheme + "://" + name.Host}}, nil
}

// findResource looks where the server's challenge says, else at the well-known addresses, first with the server's path,
// then without. The error is errAbsent when there is nothing, and otherwise the first one.
func (w *web) findResource(ctx context.Context, server *url.URL, named string) (resourceMetadata, error) {
	if named != "" {
		u, err := w.parse("the resource metadata that the server names", named)
		if err != nil {
			return resourceMetadata{}, err
		}
		return w.resourceAt(ctx, server, u)
	}
	first := errAbsent
	for _, u := range wellKnownResource(server) {
		m, err := w.resourceAt(ctx, server, u)
		if err == nil {
			return m, nil
		}
		if errors.Is(first, errAbsent) {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return resourceMetadata{}, first
}

// wellKnownResource lists the addresses of RFC 9728, section 3.1, the one with the server's path first.
func wellKnownResource(server *url.URL) []*url.URL {
	const name = "/.well-known/oauth-protected-resource"
	base := canonical(server)
	base.RawQuery, base.ForceQuery = "", false
	root := *base
	root.Path, root.RawPath = name, ""
	if base.Path == "" {
		return []*url.URL{&root}
	}
	return []*url.URL{insertPath(base, name), &root}
}

// insertPath puts a well-known name between the host and the path of u.
func insertPath(u *url.URL, name string) *url.URL {
	in := *u
	in.Path = name + u.Path
	in.RawPath = ""
	if u.RawPath != "" {
		in.RawPath = name + u.RawPath
	}
	return &in
}

func (w *web) resourceAt(ctx context.Context, server, at *url.URL) (resourceMetadata, error) {
	m, err := w.fetchResource(ctx, at)
	if err == nil {
		err = m.check(server)
	}
	if err != nil {
		return resourceMetadata{}, fmt.Errorf("resource metadata at %s: %w", plain(at.String()), err)
	}
	return m, nil
}

func (w *web) fetchResource(ctx context.Context, at *url.URL) (m resourceMetadata, err error) {
	r, err := w.get(ctx, at)
	if err != nil {
		return m, err
	}
	if r.status >= 400 && r.status < 500 || r.status == http.StatusOK && r.media == "text/html" {
		return m, fmt.Errorf("status %d: %w", r.status, errAbsent)
	}
	if r.status != http.StatusOK {
		return m, fmt.Errorf("status %d", r.status)
	}
	return m, r.decode(&m)
}

// check refuses metadata of another resource. A server may name itself by a part of its address that ends at a slash.
func (m resourceMetadata) check(server *url.URL) error {
	if m.Resource == "" {
		return errors.New("it does not say of which resource")
	}
	named, err := url.Parse(m.Resource)
	if err != nil || named.Fragment != "" || named.User != nil {
		return fmt.Errorf("the resource %q is no address of a server", plain(m.Resource))
	}
	have, want := canonical(named), canonical(server)
	inside := strings.HasPrefix(strings.TrimSuffix(want.Path, "/")+"/", strings.TrimSuffix(have.Path, "/")+"/")
	if have.Scheme != want.Scheme || have.Host != want.Host || !inside || have.RawQuery != "" && have.RawQuery != want.RawQuery {
		return fmt.Errorf("it is that of %s, and the server is %s", plain(m.Resource), plain(want.Redacted()))
	}
	if len(m.Servers) == 0 {
		return errors.New("it names no authorization server")
	}
	return nil
}

// found is what asking the server itself, without a token, tells.
type found struct {
	zone      zone.Zone // where it answered from
	challenge challenge
}

// ask sends the server a request without a token. Where the answer comes from decides which addresses the server may
// name: over https only the server itself can answer, so nobody else can claim to be on this machine or in this network.
func (s *Session) ask(ctx context.Context) (found, error) {
	w := s.web(zone.Loopback) // The user configured this address.
	defer w.close()
	var from string
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { from = info.Conn.RemoteAddr().String() },
	})
	header := s.o.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Accept", "application/json, text/event-stream")
	header.Set("Content-Type", "application/json")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.server.String(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return found{}, err
	}
	req.Header = header
	client := *w.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return found{}, fmt.Errorf("ask the server at %s: %w", plain(s.server.Host), errors.Unwrap(err))
	}
	resp.Body.Close() // An answer that streams is not waited for.
	f := found{zone: zone.Public}
	if at, err := netip.ParseAddrPort(from); err == nil && !w.viaProxy(req) {
		f.zone = zone.Of(at.Addr())
	}
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
		f.challenge, _ = bearer(resp.Header.Values("WWW-Authenticate"))
	}
	return f, nil
}
