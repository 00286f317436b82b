package oauth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestC39_PKCE(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s) // The scripted server checks the verifier against the challenge.
	first := w.as.asked(t)
	if first.Get("code_challenge_method") != "S256" || len(first.Get("code_challenge")) != 43 {
		t.Errorf("asked %v", first)
	}
	w.login(s)
	second := w.as.asked(t)
	if first.Get("code_challenge") == second.Get("code_challenge") || first.Get("state") == second.Get("state") {
		t.Error("two logins share a secret")
	}
	for name, methods := range map[string]any{"absent": nil, "plain": []string{"plain"}, "empty": []string{}} {
		w.as.edit = func(m map[string]any) { m["code_challenge_methods_supported"] = methods }
		if err := s.Login(t.Context(), LoginOptions{Open: browse}); err == nil || !strings.Contains(err.Error(), "PKCE") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w.as.browsers() != 2 {
		t.Error("the browser was sent away without PKCE")
	}
}

func TestC40_IssuerOfTheAnswer(t *testing.T) {
	t.Parallel()
	const secret = "a text of the attacker's"
	tests := []struct {
		name     string
		promised bool
		iss      func(issuer string) []string
		want     string // "" is a login
	}{
		{"promised and right", true, func(s string) []string { return []string{s} }, ""},
		{"promised and absent", true, func(string) []string { return nil }, "does not say from which"},
		{"promised and wrong", true, func(string) []string { return []string{"https://attacker.example"} }, "another authorization server"},
		{"promised and empty", true, func(string) []string { return []string{""} }, "another authorization server"},
		{"not promised and right", false, func(s string) []string { return []string{s} }, ""},
		{"not promised and absent", false, func(string) []string { return nil }, ""},
		{"not promised and wrong", false, func(string) []string { return []string{"https://attacker.example"} }, "another authorization server"},
		{"a slash more", false, func(s string) []string { return []string{s + "/"} }, "another authorization server"},
		{"capital letters", true, func(s string) []string { return []string{strings.ToUpper(s)} }, "another authorization server"},
		{"an escape", true, func(s string) []string { return []string{strings.Replace(s, "1", "%31", 1)} }, "another authorization server"},
	}
	for _, test := range tests {
		for _, failing := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.as.edit = func(m map[string]any) { m["authorization_response_iss_parameter_supported"] = test.promised }
				w.as.back = func(q url.Values) {
					if q["iss"] = test.iss(w.as.issuer()); q["iss"] == nil {
						q.Del("iss")
					}
					if failing {
						q.Del("code")
						q.Set("error", "access_denied")
						q.Set("error_description", secret)
					}
				}
				err := w.session(nil).Login(t.Context(), LoginOptions{Open: browse})
				switch {
				case test.want == "" && failing:
					if !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(), secret) {
						t.Errorf("error %v", err)
					}
				case test.want == "":
					if err != nil {
						t.Error(err)
					}
				case err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "denied") || errors.Is(err, ErrDenied):
					t.Errorf("error %v", err)
				}
				if asked := w.as.grants("authorization_code") > 0; asked != (err == nil) {
					t.Errorf("the code was sent: %v", asked)
				}
			})
		}
	}
}

func TestC41_ResourceInEveryRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(func(o *Options) { o.URL = strings.Replace(o.URL, "http://", "HTTP://", 1) + "#part" })
	w.login(s)
	w.clock.move(2 * time.Hour)
	w.header(s)
	if w.as.grants("refresh_token") != 1 {
		t.Fatal("it was not refreshed")
	}
	for _, form := range append(w.as.forms, w.as.queries...) {
		if got := form.Get("resource"); got != w.rs.url() {
			t.Errorf("resource %q in %v", got, form)
		}
	}
}

func TestC42_AnswersOfOtherLoginsAreIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	var statuses []int
	err := s.Login(t.Context(), LoginOptions{Open: func(address string) error {
		for _, query := range []string{"?code=x&state=wrong", "?code=x", "?error=access_denied&state=", "?code=a&code=b&state=x", ""} {
			resp, err := http.Get(s.redirect() + query)
			if err != nil {
				return err
			}
			resp.Body.Close()
			statuses = append(statuses, resp.StatusCode)
		}
		return browse(address)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(statuses, func(s int) bool { return s != 400 }) {
		t.Errorf("statuses %v", statuses)
	}
}

func TestC43_Scopes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		challenge  string // of the server
		supported  []string
		configured []string
		want       string
	}{
		{"the challenge alone", ` scope="write read"`, []string{"admin", "read"}, nil, "read write"},
		{"what is listed", "", []string{"admin", "read"}, nil, "admin read"},
		{"none", "", nil, nil, ""},
		{"an empty challenge", ` scope=""`, []string{"read"}, nil, "read"},
		{"configured instead of what is listed", "", []string{"admin"}, []string{"read"}, "read"},
		{"configured beside the challenge", ` scope="write"`, []string{"admin"}, []string{"read"}, "read write"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if w.rs.scopes = test.supported; test.challenge != "" {
				w.rs.challenge += "," + test.challenge
			}
			w.login(w.session(func(o *Options) { o.Scopes = test.configured }))
			q := w.as.asked(t)
			if got := q.Get("scope"); got != test.want || q.Has("scope") != (test.want != "") {
				t.Errorf("scope %q, want %q", got, test.want)
			}
		})
	}
}

func TestC45_TokensTravelInTheHeaderAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	if h := w.header(s); !strings.HasPrefix(h, "Bearer access-") {
		t.Errorf("header %q", h)
	}
	for _, u := range append(w.rs.requests(), w.as.requests("")...) {
		if strings.Contains(u, "access-") || strings.Contains(u, "refresh-") {
			t.Errorf("a token in %s", u)
		}
	}
}

func TestC45_NoTokenForAnybodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	other := newResourceServer(t, w.as.issuer())
	for name, edit := range map[string]func(*Options){
		"a project's entry":             func(o *Options) { o.Identity = "project:/home/u/p" },
		"the same name, another target": func(o *Options) { o.URL = other.url() },
		"another path":                  func(o *Options) { o.URL += "/other" },
		"another query":                 func(o *Options) { o.URL += "?tenant=2" },
		"another port":                  func(o *Options) { o.URL = "http://127.0.0.1:1/mcp" },
	} {
		if h := w.header(w.session(edit)); h != "" {
			t.Errorf("%s got %q", name, h)
		}
	}
	if h := w.header(w.session(func(o *Options) { o.Name = "renamed" })); h == "" {
		t.Error("the same server under another name has no token")
	}
	// Each identity has its own.
	project := w.session(func(o *Options) { o.Identity = "project:/home/u/p" })
	w.login(project)
	if a, b := w.record(s).Tokens.Access, w.record(project).Tokens.Access; a == "" || b == "" || a == b {
		t.Errorf("tokens %q and %q", a, b)
	}
}

func TestConfiguredAuthorizationMeansNoLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(func(o *Options) {
		o.Header = http.Header{"authorization": {"Bearer mine"}}
		o.URL = "http://mcp.example/"
	})
	if h := w.header(s); h != "" {
		t.Errorf("header %q", h)
	}
	if err := s.Refused(t.Context(), 401, headers(`scope="x"`), "Bearer mine"); !errors.Is(err, ErrOwnAuthorization) {
		t.Errorf("refused: %v", err)
	}
	if err := s.Login(t.Context(), LoginOptions{Open: browse}); !errors.Is(err, ErrOwnAuthorization) {
		t.Errorf("login: %v", err)
	}
	if err := s.Logout(t.Context()); !errors.Is(err, ErrOwnAuthorization) {
		t.Errorf("logout: %v", err)
	}
	if status, err := s.Status(); err != nil || !status.OwnAuthorization {
		t.Errorf("status %+v, %v", status, err)
	}
	if len(w.rs.requests())+len(w.as.requests("")) > 0 {
		t.Error("a request was made")
	}
}

func TestNoLoginOverClearText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, address := range []string{"http://mcp.example/", "http://192.168.1.2/mcp", "ftp://x", "::"} {
		s := w.session(func(o *Options) { interactive(o); o.URL = address })
		if h := w.header(s); h != "" {
			t.Errorf("%s: header %q", address, h)
		}
		for name, err := range map[string]error{
			"refused": s.Refused(t.Context(), 401, nil, ""), "login": s.Login(t.Context(), LoginOptions{Open: browse}), "logout": s.Logout(t.Context()),
		} {
			if err == nil || !strings.Contains(err.Error(), "url") {
				t.Errorf("%s: %s: %v", address, name, err)
			}
		}
		if status, err := s.Status(); err != nil || status.OwnAuthorization || status.LoggedIn {
			t.Errorf("%s: status %+v, %v", address, status, err)
		}
	}
}

func TestC46_CredentialsAreForTheUserAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	if _, err := os.Stat(w.dir.Path(FileName)); !os.IsNotExist(err) {
		t.Errorf("before a login: %v", err)
	}
	w.login(s)
	info, err := os.Stat(w.dir.Path(FileName))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestC46_OfflineAccess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge += `, scope="read"`
	w.as.edit = func(m map[string]any) { m["scopes_supported"] = []string{"openid", "offline_access"} }
	w.login(w.session(nil))
	if q := w.as.asked(t); q.Get("scope") != "offline_access read" || q.Get("prompt") != "consent" {
		t.Errorf("asked %v", q)
	}
	w.as.edit = func(m map[string]any) {
		m["scopes_supported"] = []string{"offline_access"}
		m["grant_types_supported"] = []string{"authorization_code"}
	}
	w.login(w.session(func(o *Options) { o.Identity = "project:/p" }))
	if q := w.as.asked(t); q.Get("scope") != "read" || q.Has("prompt") {
		t.Errorf("without refresh tokens: %v", q)
	}
}

func TestC46_NoRefreshToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.as.plain = true
	s := w.session(nil)
	w.login(s)
	h := w.header(s)
	w.clock.move(2 * time.Hour)
	if got := w.header(s); got != "" {
		t.Errorf("header %q after its end", got)
	}
	var needed *ErrLoginNeeded
	err := s.Refused(t.Context(), 401, nil, h)
	if !errors.As(err, &needed) || !strings.HasSuffix(err.Error(), "run: elyra mcp login crm") {
		t.Errorf("error %v", err)
	}
}

func TestTokenAnswersThatAreNotUsed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, media, body, want string
		status                  int
	}{
		{"denied", "application/json", `{"error":"access_denied","error_description":"no \u0007"}`, "access_denied (no)", 400},
		{"denied with status 200", "application/json", `{"error":"bad_verification_code"}`, "bad_verification_code", 200},
		{"a page", "text/html", "<html>", "a web page instead of JSON", 502},
		{"another type", "application/json", `{"access_token":"x","token_type":"DPoP"}`, `type "DPoP"`, 200},
		{"no type", "application/json", `{"access_token":"x"}`, `type ""`, 200},
		{"no token", "application/json", `{"token_type":"Bearer"}`, "no usable token", 200},
		{"a token that breaks headers", "application/json", `{"access_token":"x\r\nX: y","token_type":"Bearer"}`, "no usable token", 200},
		{"a token with a blank", "application/json", `{"access_token":"x y","token_type":"Bearer"}`, "no usable token", 200},
		{"a bad refresh token", "application/json", `{"access_token":"x","refresh_token":"\u0000","token_type":"Bearer"}`, "unusable refresh token", 200},
		{"a huge token", "application/json", `{"access_token":"` + strings.Repeat("x", maxToken+1) + `","token_type":"Bearer"}`, "no usable token", 200},
		{"huge", "application/json", `{"x":"` + strings.Repeat("x", maxBody) + `"}`, "longer than 256 KiB", 200},
		{"no reason", "application/json", `{}`, "status 500 without a reason", 500},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.as.serve["/token"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", test.media)
				rw.WriteHeader(test.status)
				io.WriteString(rw, test.body)
			}
			s := w.session(nil)
			err := s.Login(t.Context(), LoginOptions{Open: browse})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.ContainsAny(err.Error(), "\a\r\n") {
				t.Errorf("error %q, want %q", err, test.want)
			}
			if r := w.record(s); r.Issuer != "" {
				t.Error("something was kept")
			}
		})
	}
}

func TestLifetimes(t *testing.T) {
	t.Parallel()
	now := time.Now().Round(0).UTC()
	for body, want := range map[string]time.Duration{
		`3600`: time.Hour, `"3600"`: time.Hour, `0.5`: time.Second / 2, `1e99`: maxLifetime,
		`0`: 0, `-1`: 0, `null`: 0, `"soon"`: 0, `{}`: 0, `true`: 0, `"NaN"`: 0,
	} {
		r := reply{status: 200, body: []byte(`{"access_token":"x","token_type":"Bearer","expires_in":` + body + `}`)}
		got, err := r.tokens(now)
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if want == 0 && !got.Expires.IsZero() || want > 0 && got.Expires.Sub(now) != want {
			t.Errorf("%s: ends %v after now, want %v", body, got.Expires.Sub(now), want)
		}
	}
}

func TestLoginIsShownBeforeTheBrowserOpens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var order []string
	err := w.session(nil).Login(t.Context(), LoginOptions{
		Show: func(host, issuer, address string) {
			if host != mustURL(t, w.as.URL).Host || issuer != w.as.issuer() || !strings.HasPrefix(address, w.as.URL+"/authorize?") {
				t.Errorf("shown %q %q %q", host, issuer, address)
			}
			order = append(order, "show")
		},
		Open: func(address string) error { order = append(order, "open"); return browse(address) },
	})
	if err != nil || !slices.Equal(order, []string{"show", "open"}) {
		t.Errorf("%v, %v", order, err)
	}
}

func TestLoginEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := w.session(nil).Login(ctx, LoginOptions{Open: func(string) error { cancel(); return nil }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
