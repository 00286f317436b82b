package oauth

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/dnstest"
	"github.com/elyra-go/elyra/agent/internal/zone"
)

func TestAddressesThatServersName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ zone, good, bad string }{
		{
			"public", "https://as.example/x https://8.8.8.8/ https://as.example:8443?x=1",
			"http://as.example/ https://127.0.0.1/ https://localhost/ http://localhost:1/ https://a.localhost/ https://10.0.0.1/ https://[::1]/ https://[fe80::1]/ " +
				"https://169.254.169.254/latest https://u:p@as.example/ https://as.example/#x ftp://as.example/ javascript:alert(1) https: //as.example/ /x as.example data:text/html,x https:as.example",
		},
		{"private", "https://10.0.0.1/ https://[fd00::1]/", "https://127.0.0.1/ http://10.0.0.1/ http://localhost/ https://169.254.1.1/"},
		{"loopback", "http://127.0.0.1:8080/ http://localhost/ http://[::1]:1/ https://10.0.0.1/", "http://10.0.0.1/ http://as.example/ http://127.0.0.1.example/ http://0.0.0.0/"},
	} {
		w := &web{zone: zone.Zone(test.zone)}
		for _, raw := range strings.Fields(test.good) {
			if _, err := w.parse("it", raw); err != nil {
				t.Errorf("%s: %s: %v", test.zone, raw, err)
			}
		}
		for _, raw := range strings.Fields(test.bad) {
			if _, err := w.parse("it", raw); err == nil {
				t.Errorf("%s: %s was accepted", test.zone, raw)
			}
		}
		if _, err := w.parse("it", "https://as.example/"+strings.Repeat("x", maxURL)); err == nil {
			t.Error("a very long address was accepted")
		}
		if _, err := w.parse("it", ""); err == nil {
			t.Error("no address was accepted")
		}
	}
}

func TestConnectionsAreCheckedWhenTheyAreMade(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
	t.Cleanup(server.Close)
	port := mustURL(t, server.URL).Port()
	base := server.Client().Transport.(*http.Transport)
	base.TLSClientConfig.ServerName = "example.com" // which the certificate is for

	// The name's first address is public, so a check before connecting would let it pass; its next one is this machine.
	var asked atomic.Int32
	resolver := dnstest.New(t, func(string) [4]byte {
		if asked.Add(1) == 1 {
			return [4]byte{203, 0, 113, 1}
		}
		return [4]byte{127, 0, 0, 1}
	})
	if addresses, err := resolver.LookupNetIP(t.Context(), "ip4", "rebinding.example"); err != nil || zone.Of(addresses[0]) != zone.Public {
		t.Fatalf("the first look: %v, %v", addresses, err)
	}
	for _, test := range []struct {
		zone zone.Zone
		ok   bool
	}{{zone.Public, false}, {zone.Private, false}, {zone.Loopback, true}} {
		w := newWeb(base, resolver, test.zone)
		u, err := w.parse("it", "https://rebinding.example:"+port+"/")
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.get(t.Context(), u)
		w.close()
		if (err == nil) != test.ok || err != nil && !strings.Contains(err.Error(), "127.0.0.1 is not public") {
			t.Errorf("server in zone %s: %v", test.zone, err)
		}
	}
}

func TestNoRedirectFromSecureToClear(t *testing.T) {
	t.Parallel()
	clear := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
	t.Cleanup(clear.Close)
	secure := httptest.NewTLSServer(http.RedirectHandler(clear.URL, http.StatusFound))
	t.Cleanup(secure.Close)
	w := newWeb(secure.Client().Transport.(*http.Transport), nil, zone.Loopback)
	defer w.close()
	if _, err := w.get(t.Context(), mustURL(t, secure.URL)); err == nil || !strings.Contains(err.Error(), "from https to http") {
		t.Errorf("get: %v", err)
	}
	if _, err := w.post(t.Context(), mustURL(t, secure.URL), nil, "secret"); err == nil || !strings.Contains(err.Error(), "not followed") {
		t.Errorf("post: %v", err)
	}
}

func TestLocalhostIsThisMachine(t *testing.T) {
	t.Parallel()
	w := &web{zone: zone.Loopback}
	if err := w.mayDial("localhost", "203.0.113.1:80"); err == nil {
		t.Error("localhost was somewhere else")
	}
	if err := w.mayDial("localhost", "127.0.0.1:80"); err != nil {
		t.Error(err)
	}
}

func TestProxyOfTheUserIsUsed(t *testing.T) {
	t.Parallel()
	var through atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		through.Store(r.Method + " " + r.RequestURI)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	w := newWeb(&http.Transport{Proxy: http.ProxyURL(mustURL(t, proxy.URL))}, nil, zone.Public)
	defer w.close()
	if _, err := w.get(t.Context(), mustURL(t, "https://as.example/x")); err == nil {
		t.Error("the proxy refused, and there is an answer")
	}
	if got := through.Load(); got != "CONNECT as.example:443" {
		t.Errorf("the proxy got %v", got)
	}
}

func TestServersOwnAddress(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://MCP.Example.com:443/mcp": "https://mcp.example.com/mcp", "HTTPS://mcp.example.com/": "https://mcp.example.com",
		"https://mcp.example.com:8443/mcp/": "https://mcp.example.com:8443/mcp/", "http://127.0.0.1:80/mcp#x": "http://127.0.0.1/mcp",
		"https://mcp.example.com/A%2Fb?tenant=1": "https://mcp.example.com/A%2Fb?tenant=1", "http://LOCALHOST:8080": "http://localhost:8080",
		"http://mcp.example.com/": "", "ftp://mcp.example.com": "", "https://u@mcp.example.com/": "", "mcp.example.com": "", "https:///x": "",
	} {
		u, err := serverURL(raw)
		if err != nil {
			if want != "" {
				t.Errorf("%s: %v", raw, err)
			}
			continue
		}
		if got := canonical(u).String(); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}

func TestPrivateAddressesUnlessTheServerIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The server is on this machine, so its authorization server may be too.
	w.login(w.session(nil))

	// The same documents, but as those of a server elsewhere: nothing is asked of this machine.
	before := len(w.as.requests(""))
	public := newWeb(nil, nil, zone.Public)
	defer public.close()
	if _, err := public.issuer(t.Context(), w.as.issuer()); err == nil || !strings.Contains(err.Error(), "on this machine") {
		t.Errorf("an authorization server on this machine: %v", err)
	}
	at := url.URL{Scheme: "https", Host: fmt.Sprintf("localtest.example:%d", w.port)}
	public = newWeb(nil, dnstest.New(t, func(string) [4]byte { return [4]byte{127, 0, 0, 1} }), zone.Public)
	defer public.close()
	if _, err := public.issuer(t.Context(), at.String()); err == nil || !strings.Contains(err.Error(), "127.0.0.1 is not public") {
		t.Errorf("a name that points to this machine: %v", err)
	}
	if len(w.as.requests("")) != before {
		t.Error("a request was made")
	}
}

func TestServerBehindAProxyIsNotOnThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}})
	t.Cleanup(proxy.Close)
	base := &http.Transport{Proxy: http.ProxyURL(mustURL(t, proxy.URL))}
	err := w.session(func(o *Options) { o.Transport = base }).Login(t.Context(), LoginOptions{Open: browse})
	if err == nil || !strings.Contains(err.Error(), "it is on this machine, and the MCP server is not") || len(w.rs.requests()) != 1 {
		t.Errorf("error %v", err)
	}
}
