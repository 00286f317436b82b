package tools

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/dnstest"
)

func TestFetch_near(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "inside") })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	s.change(func(f *fetchTool) {
		f.resolver = dnstest.New(t, func(name string) [4]byte {
			if name == "metadata.example.com" {
				return [4]byte{169, 254, 169, 254}
			}
			if name == "elsewhere.localhost" {
				return [4]byte{192, 0, 2, 1} // for documentation
			}
			return [4]byte{127, 0, 0, 1}
		})
	})
	for _, host := range []string{"localhost", "[::1]", "10.0.0.1", "192.168.1.1", "[fd00::1]", "[::ffff:127.0.0.1]", "127.0.0.2", "100.64.1.1"} {
		s.fails("the user has not allowed this very host", "fetch", "url", "https://"+host+":"+port+"/")
	}
	// A name that leads here is found out when it is dialed.
	s.fails(`it is at 127.0.0.1, on this machine or in a private network, and the user has not allowed this very host: their rule "fetch:example.com" would`,
		"fetch", "url", "https://example.com:"+port+"/")
	s.fails("169.254.169.254, an address that no page is at", "fetch", "url", "https://metadata.example.com:"+port+"/")
	s.change(func(f *fetchTool) { f.Env.Allowed = func(host string) bool { return host == "example.com" } })
	s.equal(s.ok("fetch", "url", "https://Example.com:"+port).Text, "<page url=\"https://example.com:"+port+"\">\ninside\n</page>")
	s.change(func(f *fetchTool) { f.Env.Allowed = func(string) bool { return true } })
	s.fails("it is at 192.0.2.1, which is not this machine", "fetch", "url", "http://elsewhere.localhost:"+port+"/")
	for host, want := range map[string]string{"localhost": "on this machine", "::1": "on this machine", "10.1.2.3": "in a private network", "example.com": "", "8.8.8.8": ""} {
		if got := Near(host); got != want {
			t.Errorf("Near(%s) = %q", host, got)
		}
	}
}

func TestFetch_proxy(t *testing.T) {
	t.Parallel()
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.RequestURI)
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		io.WriteString(w, "by proxy")
	}))
	t.Cleanup(proxy.Close)
	through, _ := url.Parse(proxy.URL)
	b := newBench(t, func(e *Env) {
		e.Transport = &http.Transport{Proxy: http.ProxyURL(through)}
		e.Allowed = func(host string) bool { return host == "localhost" }
	})
	b.equal(b.ok("fetch", "url", "http://localhost:1/x").Text, "<page url=\"http://localhost:1/x\">\nby proxy\n</page>")
	b.fails("Forbidden", "fetch", "url", "https://example.com/")
	b.fails("has not allowed this very host", "fetch", "url", "https://10.0.0.1/")
	if want := "[GET http://localhost:1/x CONNECT example.com:443]"; fmt.Sprint(asked) != want {
		t.Errorf("%v, want %s", asked, want)
	}
}

func TestFetch_addresses(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for raw, says := range map[string]string{
		"":                                     "does not begin with https://",
		"example.com":                          "does not begin with https://",
		"file:///etc/passwd":                   "does not begin with https://",
		"http://example.com/":                  "it is http",
		"http://10.0.0.1/":                     "it is http",
		"http://localhost.example.com/":        "it is http",
		"https://":                             "it names no host",
		"https:/x":                             "it names no host",
		"https:x":                              "it names no host",
		"https://u:secret@example.com/":        "it holds a user name or password",
		"https://exämple.com/":                 "xn-- form",
		"https://a%20b/":                       "no address",
		"https://169.254.169.254/":             "an address that no page is at",
		"https://[fe80::1%25eth0]/":            "an address that no page is at",
		"https://0.0.0.0/":                     "an address that no page is at",
		"https://[64:ff9b::a9fe:a9fe]/":        "an address that no page is at",
		"https://a/\n":                         "",
		"https://a\x00/":                       "no address",
		"https://" + strings.Repeat("x", 5000): "longer than 4096 bytes",
	} {
		_, err := parseAddress(raw)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", raw, err, says)
		}
	}
	for raw, want := range map[string]Destination{
		"HTTPS://Example.COM.:8443/a b?q=é\u202e x#y": {"example.com", "https://example.com.:8443/a%20b?q=%C3%A9%E2%80%AE%20x"},
		"https://[::FFFF:127.0.0.1]/\u202e":           {"::ffff:127.0.0.1", "https://[::ffff:127.0.0.1]/%E2%80%AE"},
	} {
		got, err := b.tools["fetch"].(Reacher).Reach(args("url", raw))
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", raw, got, err)
		}
	}
	b.equal(b.tools["fetch"].Describe(args("url", "https://a.org/b?c")), "fetch https://a.org/b?c")
}
