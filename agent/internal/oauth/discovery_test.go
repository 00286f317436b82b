package oauth

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestC32_ResourceMetadataFromChallengeThenPathThenRoot(t *testing.T) {
	t.Parallel()
	const path, root = "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"
	tests := []struct {
		name      string
		challenge string
		at        string   // where the server has its metadata
		resource  string   // "" is the server's address; "root" its origin
		want      []string // what is fetched
	}{
		{"the challenge names it", "resource_metadata=%q", "/metadata", "", []string{"/metadata"}},
		{"no challenge: below the path", "", path, "", []string{path}},
		{"a challenge that does not name it", `scope="read"`, path, "", []string{path}},
		{"nothing below the path: at the root", "", root, "root", []string{path, root}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.rs.challenge = test.challenge
			if strings.Contains(test.challenge, "%") {
				w.rs.challenge = fmt.Sprintf(test.challenge, w.rs.URL+"/metadata")
			}
			w.rs.serve["/metadata"] = http.NotFound
			w.rs.serve[test.at] = func(rw http.ResponseWriter, _ *http.Request) {
				m := w.rs.metadata()
				if test.resource == "root" {
					m["resource"] = w.rs.URL
				}
				writeJSON(rw, 200, m)
			}
			w.login(w.session(nil))
			if got := w.rs.requests(); !slices.Equal(got, append([]string{"/mcp"}, test.want...)) {
				t.Errorf("requests: %q, want /mcp and then %q", got, test.want)
			}
			want := w.rs.url()
			if test.resource == "root" {
				want = w.rs.URL
			}
			if got := w.as.asked(t).Get("resource"); got != want {
				t.Errorf("resource %q, want %q", got, want)
			}
		})
	}
}

func TestC32_ServerFromBeforeMetadataIsItsOwnAuthorizationServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge = ""
	w.rs.serve["/metadata"] = http.NotFound
	w.as.serve["/mcp"] = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(401) }
	w.rs.URL = w.as.URL
	w.login(w.session(nil))
	if got := w.as.asked(t).Get("resource"); got != w.as.URL+"/mcp" {
		t.Errorf("resource %q", got)
	}
}

func TestC32_MetadataThatIsNotUsed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		serve func(w *world) http.HandlerFunc
		want  string
	}{
		{"of another server", answerWith(func(w *world, m map[string]any) { m["resource"] = "https://other.example/mcp" }), "https://other.example/mcp"},
		{"of another port", answerWith(func(w *world, m map[string]any) { m["resource"] = w.as.URL + "/mcp" }), "and the server is"},
		{"of another query", answerWith(func(w *world, m map[string]any) { m["resource"] = w.rs.url() + "?tenant=1" }), "and the server is"},
		{"of another path", answerWith(func(w *world, m map[string]any) { m["resource"] = w.rs.URL + "/mc" }), "and the server is"},
		{"of a deeper path", answerWith(func(w *world, m map[string]any) { m["resource"] = w.rs.URL + "/mcp/x" }), "and the server is"},
		{"of no server", answerWith(func(w *world, m map[string]any) { delete(m, "resource") }), "does not say of which resource"},
		{"without authorization servers", answerWith(func(w *world, m map[string]any) { delete(m, "authorization_servers") }), "names no authorization server"},
		{"a web page", func(*world) http.HandlerFunc {
			return func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "text/html")
				rw.WriteHeader(500)
			}
		}, "status 500"},
		{"not JSON", func(*world) http.HandlerFunc {
			return func(rw http.ResponseWriter, _ *http.Request) { rw.Write([]byte("<!doctype html>")) }
		}, "there is no metadata"},
		{"huge", func(*world) http.HandlerFunc {
			return func(rw http.ResponseWriter, _ *http.Request) {
				rw.Write([]byte(`{"resource":"` + strings.Repeat("x", maxBody) + `"}`))
			}
		}, "longer than 256 KiB"},
		{"an authorization server with a query", answerWith(func(w *world, m map[string]any) {
			m["authorization_servers"] = []string{w.as.URL + "?x=1"}
		}), "has a query"},
		{"an authorization server over http", answerWith(func(w *world, m map[string]any) {
			m["authorization_servers"] = []string{"http://as.example"}
		}), "https is needed"},
		{"an authorization server that is no address", answerWith(func(w *world, m map[string]any) {
			m["authorization_servers"] = []string{"javascript:alert(1)"}
		}), "names no host"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.rs.serve["/metadata"] = test.serve(w)
			err := w.session(nil).Login(t.Context(), LoginOptions{Open: browse})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if len(w.as.requests("GET /authorize")) > 0 {
				t.Error("the browser was sent away")
			}
		})
	}
}

// answerWith serves the world's resource metadata after a change.
func answerWith(edit func(w *world, m map[string]any)) func(w *world) http.HandlerFunc {
	return func(w *world) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			m := w.rs.metadata()
			edit(w, m)
			writeJSON(rw, 200, m)
		}
	}
}

func TestC33_OrderOfAuthorizationServerMetadata(t *testing.T) {
	t.Parallel()
	tests := []struct {
		issuer string
		want   []string
	}{
		{"https://as.example", []string{
			"https://as.example/.well-known/oauth-authorization-server",
			"https://as.example/.well-known/openid-configuration",
		}},
		{"https://as.example/", []string{
			"https://as.example/.well-known/oauth-authorization-server",
			"https://as.example/.well-known/openid-configuration",
		}},
		{"https://as.example/tenant1", []string{
			"https://as.example/.well-known/oauth-authorization-server/tenant1",
			"https://as.example/.well-known/openid-configuration/tenant1",
			"https://as.example/tenant1/.well-known/openid-configuration",
		}},
		{"https://as.example/a%2Fb/c", []string{
			"https://as.example/.well-known/oauth-authorization-server/a%2Fb/c",
			"https://as.example/.well-known/openid-configuration/a%2Fb/c",
			"https://as.example/a%2Fb/c/.well-known/openid-configuration",
		}},
	}
	for _, test := range tests {
		var got []string
		for _, u := range wellKnownIssuer(mustURL(t, test.issuer)) {
			got = append(got, u.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.issuer, got, test.want)
		}
	}
}

func TestC33_EachPlaceIsTried(t *testing.T) {
	t.Parallel()
	places := []string{
		"/.well-known/oauth-authorization-server/tenant", "/.well-known/openid-configuration/tenant",
		"/tenant/.well-known/openid-configuration",
	}
	page := func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Write([]byte("<html>"))
	}
	for i, place := range places {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.path = "/tenant"
			w.rs.issuers = []string{w.as.issuer()}
			for _, p := range places {
				w.as.serve[p] = page
			}
			w.as.serve[place] = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 200, w.as.metadata()) }
			w.login(w.session(nil))
			var want []string
			for _, p := range places[:i+1] {
				want = append(want, "GET "+p)
			}
			if got := w.as.requests("GET ")[:i+1]; !slices.Equal(got, want) {
				t.Errorf("requests %q, want %q", got, want)
			}
		})
	}
}

func TestC34_IssuerHasToBeIdentical(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(issuer string) string{
		"another one":      func(string) string { return "https://honest.example" },
		"a slash more":     func(s string) string { return s + "/" },
		"capital letters":  func(s string) string { return strings.Replace(s, "http", "HTTP", 1) },
		"none":             func(string) string { return "" },
		"with a path":      func(s string) string { return s + "/tenant" },
		"the host by name": func(s string) string { return strings.Replace(s, "127.0.0.1", "localhost", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.edit = func(m map[string]any) { m["issuer"] = change(w.as.issuer()) }
			err := w.session(nil).Login(t.Context(), LoginOptions{Open: browse})
			if err == nil || !strings.Contains(err.Error(), "it is that of the issuer") {
				t.Errorf("error %v", err)
			}
			if len(w.as.requests("POST")) > 0 || w.as.browsers() > 0 {
				t.Error("the metadata was used")
			}
		})
	}
}

func TestC33_SecondAuthorizationServerWhenTheFirstIsBroken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	broken := newAuthServer(t, "")
	broken.edit = func(m map[string]any) { m["issuer"] = "https://honest.example" }
	w.rs.issuers = []string{broken.issuer(), w.as.issuer()}
	s := w.session(nil)
	w.login(s)
	if got := w.record(s).Issuer; got != w.as.issuer() {
		t.Errorf("issuer %q", got)
	}
}

func TestMetadataRedirects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hops := 0
	w.rs.serve["/metadata"] = func(rw http.ResponseWriter, r *http.Request) {
		if hops++; hops <= maxRedirects {
			http.Redirect(rw, r, "/metadata", http.StatusFound)
			return
		}
		writeJSON(rw, 200, w.rs.metadata())
	}
	web := newWeb(nil, nil, zone.Loopback)
	defer web.close()
	if _, err := web.resource(t.Context(), mustURL(t, w.rs.url()), w.rs.URL+"/metadata"); err != nil {
		t.Errorf("%d redirects: %v", maxRedirects, err)
	}
	hops = -1
	if _, err := web.resource(t.Context(), mustURL(t, w.rs.url()), w.rs.URL+"/metadata"); err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("one more: %v", err)
	}
	for _, to := range []string{"http://as.example/", "https://169.254.169.254/latest", "file:///etc/passwd", "https://u:p@as.example/"} {
		w.rs.serve["/metadata"] = func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusFound) }
		if _, err := web.resource(t.Context(), mustURL(t, w.rs.url()), w.rs.URL+"/metadata"); err == nil || !strings.Contains(err.Error(), "a redirect to") && !strings.Contains(err.Error(), "unsupported protocol") {
			t.Errorf("to %s: %v", to, err)
		}
	}
}

func TestSlowMetadataEndsWithTheContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.rs.serve["/metadata"] = func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}
	if err := w.session(nil).Login(ctx, LoginOptions{Open: browse}); err == nil {
		t.Fatal("a login without metadata")
	}
}
