package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestC35_AnotherIssuerGetsNeitherTokenNorClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	old := w.record(s)

	next := newAuthServer(t, "")
	next.token = func(_ map[string][]string, answer map[string]any) { answer["access_token"] = "from-the-next" }
	w.rs.issuers = []string{next.issuer()}
	w.login(s)
	r := w.record(s)
	if r.Issuer != next.issuer() || len(next.clients) != 1 {
		t.Errorf("issuer %q, %d registrations there", r.Issuer, len(next.clients))
	}
	if h := w.header(s); h != "Bearer from-the-next" {
		t.Errorf("header %q", h)
	}
	for _, form := range next.forms {
		if strings.Contains(form.Encode(), old.Tokens.Refresh) || strings.Contains(form.Encode(), old.Tokens.Access) {
			t.Error("the new authorization server was shown a token of the old one")
		}
	}
	if r.Subject == old.Subject || r.Subject == "" {
		t.Error("the subject did not change")
	}
}

func TestC35_RefusalAfterTheIssuerChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(interactive)
	w.login(s)
	h := w.header(s)
	next := newAuthServer(t, "")
	w.rs.issuers = []string{next.issuer()}
	// The old token is young, and could be refreshed: neither matters.
	if err := s.Refused(t.Context(), 401, headers(w.rs.challenge), h); err != nil {
		t.Fatal(err)
	}
	if len(next.clients) != 1 || next.browsers() != 1 || w.as.grants("refresh_token") != 0 || w.record(s).Issuer != next.issuer() {
		t.Errorf("%d registrations and %d browsers at the new one, %d refreshes at the old one", len(next.clients), next.browsers(), w.as.grants("refresh_token"))
	}
	// A server whose metadata cannot be read has not moved.
	w.rs.serve["/metadata"] = http.NotFound
	w.clock.move(time.Minute)
	if err := s.Refused(t.Context(), 401, headers(w.rs.challenge), w.header(s)); err != nil || next.grants("refresh_token") != 1 {
		t.Errorf("%v, %d refreshes", err, next.grants("refresh_token"))
	}
}

func TestC35_IssuerThatIsStillNamedIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	w.rs.issuers = []string{newAuthServer(t, "").issuer(), w.as.issuer()}
	w.login(s)
	if got := w.record(s).Issuer; got != w.as.issuer() || len(w.as.clients) != 1 {
		t.Errorf("issuer %q, %d registrations", got, len(w.as.clients))
	}
}

func TestC35_SameIssuerKeepsTheClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	w.login(s)
	if n := len(w.as.clients); n != 1 {
		t.Errorf("%d registrations", n)
	}
	// A client belongs to its redirect address.
	w.port = freePort(t)
	w.login(w.session(nil))
	if n := len(w.as.clients); n != 2 {
		t.Errorf("%d registrations after the redirect changed", n)
	}
}

func TestC35_ConfiguredClientOfAnotherIssuerIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine := func(o *Options) { o.ClientID = "mine" }
	s := w.session(mine)
	w.login(s)
	next := newAuthServer(t, "")
	w.rs.issuers = []string{next.issuer()}
	err := s.Login(t.Context(), LoginOptions{Open: browse})
	if err == nil || !strings.Contains(err.Error(), "the configured client was used with") || next.browsers() > 0 {
		t.Errorf("error %v", err)
	}
	if err := s.Logout(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.login(s)

	named := w.session(func(o *Options) { mine(o); o.Identity = "project:/p"; o.ClientIssuer = "https://as.example" })
	if err := named.Login(t.Context(), LoginOptions{Open: browse}); err == nil || !strings.Contains(err.Error(), "belongs to https://as.example") {
		t.Errorf("error %v", err)
	}
}

func TestConfiguredSecretStaysInTheConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secrets := make(chan string, 10)
	w.as.serve["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		_, secret, _ := r.BasicAuth()
		secrets <- secret
		w.as.grant(rw, r)
	}
	mine := func(o *Options) { o.ClientID, o.ClientSecret = "mine", "hidden" }
	s := w.session(mine)
	w.login(s)
	w.clock.move(2 * time.Hour)
	w.header(s)
	if a, b := <-secrets, <-secrets; a != "hidden" || b != "hidden" {
		t.Errorf("secrets %q, %q", a, b)
	}
	if data, err := w.dir.Read(FileName); err != nil || strings.Contains(string(data), "hidden") {
		t.Errorf("file %s, %v", data, err)
	}
	// Without it, or with another client, the refresh token is worth nothing.
	w.clock.move(2 * time.Hour)
	if h := w.header(w.session(func(o *Options) { o.ClientID = "other" })); h != "" || len(secrets) > 0 {
		t.Errorf("header %q", h)
	}
}

func TestC36_OrderOfRegistration(t *testing.T) {
	t.Parallel()
	const document = "https://elyra.example/client.json"
	asked := func(context.Context, string, string) (string, string, error) { return "by-hand", "", nil }
	tests := []struct {
		name    string
		options func(*Options)
		edit    func(map[string]any)
		ask     askClient
		want    string
	}{
		{"configured before all", func(o *Options) { o.ClientID, o.ClientDocument = "mine", document }, documents, asked, "mine"},
		{"a document before a registration", func(o *Options) { o.ClientDocument = document }, documents, asked, document},
		{"no document where it is not understood", func(o *Options) { o.ClientDocument = document }, nil, asked, "client-1"},
		{"no document of ours", nil, documents, asked, "client-1"},
		{"asked when there is no other way", nil, noRegistration, asked, "by-hand"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.edit = test.edit
			s := w.session(test.options)
			if err := s.Login(t.Context(), LoginOptions{Open: browse, Client: test.ask}); err != nil {
				t.Fatal(err)
			}
			if got := w.as.asked(t).Get("client_id"); got != test.want {
				t.Errorf("client %q, want %q", got, test.want)
			}
			if registered := len(w.as.clients) > 0; registered != (test.want == "client-1") {
				t.Errorf("registered: %v", registered)
			}
		})
	}
}

func documents(m map[string]any)      { m["client_id_metadata_document_supported"] = true }
func noRegistration(m map[string]any) { delete(m, "registration_endpoint") }

func TestC36_NoWayToGetAClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.as.edit = noRegistration
	err := w.session(nil).Login(t.Context(), LoginOptions{Open: browse})
	if !errors.Is(err, errNoClient) || !strings.Contains(err.Error(), "oauth.clientId") {
		t.Errorf("error %v", err)
	}
}

func TestC37_ClientMetadataDocument(t *testing.T) {
	t.Parallel()
	const address = "https://elyra.example/oauth/client.json"
	data, err := Document(address)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	redirects, _ := m["redirect_uris"].([]any)
	if m["client_id"] != address || m["client_name"] != "Elyra" || len(redirects) != 1 || redirects[0] != "http://127.0.0.1:53687/mcp/callback" || m["token_endpoint_auth_method"] != "none" {
		t.Errorf("document %s", data)
	}
	for _, bad := range []string{"http://elyra.example/client.json", "https://elyra.example", "https://elyra.example/", "https:///x", "https://u@elyra.example/x", "https://elyra.example/x#y", "client.json"} {
		if _, err := Document(bad); err == nil {
			t.Errorf("%s was accepted", bad)
		}
		if _, err := New(nil).Session(Options{Name: "x", Identity: "user", URL: "https://x.example", ClientDocument: bad}); err == nil {
			t.Errorf("option ClientDocument %s was accepted", bad)
		}
	}
}

func TestC38_DynamicRegistration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	m := w.as.clients[0]
	redirects, _ := m["redirect_uris"].([]any)
	if m["application_type"] != "native" || m["client_name"] != "Elyra" || m["token_endpoint_auth_method"] != "none" || len(redirects) != 1 || redirects[0] != s.redirect() {
		t.Errorf("registered as %v", m)
	}
	grants, _ := m["grant_types"].([]any)
	if !slices.Contains(grants, any("refresh_token")) {
		t.Errorf("grants %v", grants)
	}
}

func TestC38_RegistrationRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status int
		body   string
		want   string
	}{
		{"with a reason", 400, `{"error":"invalid_redirect_uri","error_description":"loopback\u001b[31m is not allowed"}`, "invalid_redirect_uri (loopback [31m is not allowed); a client registered by hand"},
		{"without", 403, "<html>", "it refused with status 403"},
		{"not JSON", 201, "client", "not the JSON expected"},
		{"a page", 201, "<html>", "a web page instead of JSON"},
		{"no id", 201, `{}`, "no usable client id"},
		{"a long id", 201, `{"client_id":"` + strings.Repeat("x", maxURL+1) + `"}`, "no usable client id"},
		{"huge", 201, `{"client_id":"` + strings.Repeat("x", maxBody), "longer than"},
		{"a redirect", 307, ``, "not followed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.serve["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Location", "/elsewhere")
				rw.WriteHeader(test.status)
				rw.Write([]byte(test.body))
			}
			err := w.session(nil).Login(t.Context(), LoginOptions{Open: browse})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("error %q, want %q", err, test.want)
			}
			if w.as.browsers() > 0 {
				t.Error("the browser was sent away")
			}
		})
	}
}

func TestC38_ClientWithASecret(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"client_secret_basic", "client_secret_post"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{method} }
			w.as.serve["/register"] = func(rw http.ResponseWriter, r *http.Request) {
				var m map[string]any
				json.NewDecoder(r.Body).Decode(&m)
				if m["token_endpoint_auth_method"] != method {
					t.Errorf("asked for %v", m["token_endpoint_auth_method"])
				}
				writeJSON(rw, 201, map[string]any{"client_id": "id:1", "client_secret": "s&1", "token_endpoint_auth_method": method, "client_secret_expires_at": w.clock.now().Add(time.Hour).Unix()})
			}
			good := 0
			w.as.serve["/token"] = func(rw http.ResponseWriter, r *http.Request) {
				id, secret, basic := r.BasicAuth()
				r.ParseForm()
				if method == "client_secret_basic" && basic && id == "id%3A1" && secret == "s%261" && !r.PostForm.Has("client_secret") ||
					method == "client_secret_post" && !basic && r.PostForm.Get("client_id") == "id:1" && r.PostForm.Get("client_secret") == "s&1" {
					good++
				}
				w.as.grant(rw, r)
			}
			s := w.session(nil)
			w.login(s)
			if good != 1 {
				t.Error("the client did not authenticate that way")
			}
			w.login(s)
			registered := len(w.as.requests("POST /register"))
			w.clock.move(2 * time.Hour)
			w.login(s)
			if n := len(w.as.requests("POST /register")); registered != 1 || n != 2 {
				t.Errorf("%d registrations, and %d after the secret ended", registered, n)
			}
		})
	}
}

func TestC38_ClientThatTheServerForgot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	gone := true
	w.as.token = func(_ map[string][]string, answer map[string]any) {
		if gone {
			clear(answer)
			answer["error"] = "invalid_client"
		}
	}
	if err := s.Login(t.Context(), LoginOptions{Open: browse}); err == nil || !strings.Contains(err.Error(), "invalid_client; try again") {
		t.Fatalf("error %v", err)
	}
	gone = false
	w.login(s)
	if n := len(w.as.clients); n != 2 {
		t.Errorf("%d registrations", n)
	}
	// Some say it to the user alone, so nothing comes back.
	err := s.Login(t.Context(), LoginOptions{Open: func(string) error { return nil }, Timeout: time.Millisecond})
	if !errors.Is(err, errLate) {
		t.Fatalf("error %v", err)
	}
	if r := w.record(s); r.Client.ID != "" || r.Tokens.Access == "" {
		t.Errorf("client %q, token %v", r.Client.ID, r.Tokens.Access != "")
	}
}
