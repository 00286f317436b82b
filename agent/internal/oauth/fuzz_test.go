package oauth

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

func TestBearerChallenge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		values []string
		want   challenge
		ok     bool
	}{
		{"all", []string{`Bearer realm="x", error="invalid_token", scope="b a b", resource_metadata="https://x.example/m"`}, challenge{"https://x.example/m", []string{"a", "b"}, "invalid_token"}, true},
		{"alone", []string{"bearer"}, challenge{}, true},
		{"another scheme first", []string{`Basic realm="Bearer scope=x, y", Bearer scope="a"`}, challenge{scopes: []string{"a"}}, true},
		{"another value first", []string{`Negotiate abc==`, `DPoP algs="x", BEARER scope=a`}, challenge{scopes: []string{"a"}}, true},
		{"another scheme after", []string{`Bearer scope="a", Basic realm="x", scope="y"`}, challenge{scopes: []string{"a"}}, true},
		{"what another scheme says", []string{`Bearer error=x, Other scope="y"`}, challenge{err: "x"}, true},
		{"a quoted comma and quote", []string{`Bearer error_description="a, b=\"c\" scope=z", scope="a"`}, challenge{scopes: []string{"a"}}, true},
		{"blanks around", []string{"Bearer  scope = \"a\" ,\terror = x"}, challenge{scopes: []string{"a"}, err: "x"}, true},
		{"without commas", []string{`Bearer error=x scope=a`}, challenge{scopes: []string{"a"}, err: "x"}, true},
		{"the first counts", []string{`Bearer scope="a", scope="b"`}, challenge{scopes: []string{"a"}}, true},
		{"scopes that are none", []string{`Bearer scope="a b\\c d"`}, challenge{scopes: []string{"a", "d"}}, true},
		{"a quote that does not end", []string{`Bearer scope="a`}, challenge{scopes: []string{}}, true},
		{"none", []string{`Basic realm="x"`, "", ",,", `"Bearer"`}, challenge{}, false},
		{"too long", []string{"Bearer x=" + strings.Repeat("y", maxChallenge)}, challenge{}, false},
	} {
		got, ok := bearer(test.values)
		if ok != test.ok || got.metadata != test.want.metadata || got.err != test.want.err || !slices.Equal(got.scopes, test.want.scopes) {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, ok, test.want)
		}
	}
}

func TestScopesAreBounded(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 2 * maxScopes {
		many = append(many, fmt.Sprint(i))
	}
	if n := len(scopeSet(many)); n != maxScopes {
		t.Errorf("%d scopes", n)
	}
	if got := scopeSet([]string{strings.Repeat("x", 200), "ok"}); !slices.Equal(got, []string{"ok"}) {
		t.Errorf("scopes %q", got)
	}
}

func FuzzChallenge(f *testing.F) {
	for _, s := range []string{
		`Bearer resource_metadata="https://x.example/m", scope="a b"`, `Basic realm="x", Bearer error=insufficient_scope`, `Bearer x="\`, "Negotiate a==, bearer",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		c, ok := bearer([]string{value, value})
		if !ok && (c.metadata != "" || c.err != "" || c.scopes != nil) {
			t.Errorf("%q: a challenge that is none says %+v", value, c)
		}
		if len(c.metadata)+len(c.err) > len(value) || len(c.scopes) > maxScopes || !slices.IsSorted(c.scopes) {
			t.Errorf("%q: %+v", value, c)
		}
		for _, s := range c.scopes {
			if !validScope(s) || !strings.Contains(strings.ReplaceAll(value, `\`, ""), s) {
				t.Errorf("%q: scope %q", value, s)
			}
		}
	})
}

func FuzzMetadata(f *testing.F) {
	f.Add(`{"resource":"https://x.example/mcp","authorization_servers":["https://as.example"],"scopes_supported":["a"]}`)
	f.Add(`{"issuer":"https://as.example","authorization_endpoint":"https://as.example/a","token_endpoint":"https://as.example/t","code_challenge_methods_supported":["S256"]}`)
	f.Add(`{"access_token":"x","token_type":"bearer","expires_in":"1e3","scope":"a"}`)
	f.Add(`<html>`)
	f.Fuzz(func(t *testing.T, body string) {
		w := &web{zone: zone.Public}
		r := reply{status: 200, body: []byte(body)}
		server := &url.URL{Scheme: "https", Host: "x.example", Path: "/mcp"}
		var res resourceMetadata
		if r.decode(&res) == nil && res.check(server) == nil && !strings.HasPrefix(strings.ToLower(res.Resource), "https://x.example") {
			t.Errorf("metadata of %q was accepted", res.Resource)
		}
		var m issuerMetadata
		if r.decode(&m) == nil && m.check(w) == nil {
			for _, u := range []*url.URL{m.authorize, m.token, m.register, m.revoke} {
				if u != nil && (u.Scheme != "https" || zone.OfHost(u.Hostname()) == zone.Loopback) {
					t.Errorf("%s was accepted", u)
				}
			}
		}
		now := time.Unix(1e9, 0).UTC()
		if got, err := r.tokens(now); err == nil && (strings.ContainsAny(got.header(), "\r\n\x00") || got.Expires.After(now.Add(maxLifetime))) {
			t.Errorf("tokens %+v", got)
		} else if err != nil && (strings.ContainsAny(err.Error(), "\r\n\x1b") || utf8.RuneCountInString(err.Error()) > 3*maxQuote) {
			t.Errorf("error %q", err)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	const redirect = "http://127.0.0.1:53687/mcp/callback"
	for _, s := range []string{"code=a&state=s&iss=https%3A%2F%2Fas.example", "?error=x&state=s", redirect + "?code=a&state=s#x", "state=s&state=s", "%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := &attempt{meta: &issuerMetadata{Issuer: "https://as.example"}, state: "s"}
		for _, parse := range []func() (answer, error){
			func() (answer, error) { return parseAnswer(text) },
			func() (answer, error) { return parsePasted(redirect, text) },
		} {
			got, err := parse()
			if err != nil || !a.mine(got) {
				continue
			}
			code, err := a.code(got)
			if err == nil && (code == "" || got.err != "" || got.hasIssuer && got.issuer != "https://as.example") {
				t.Errorf("%q was accepted: %+v", text, got)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\r\n\x1b") {
				t.Errorf("%q: error %q", text, err)
			}
		}
	})
}

func FuzzCredentialsFile(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"mcp":{"` + key("user", "https://x.example") + `":{"identity":"user","resource":"https://x.example","issuer":"https://as.example","tokens":{"access":"a","issued":"2026-01-01T00:00:00Z"},"generation":3}},"other":[1]}`))
	f.Add([]byte(`{"mcp":null}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := memory{FileName: data}
		s := New(files)
		r, ok, err := s.load("user", "https://x.example")
		if ok && (err != nil || r.Identity != "user" || r.Resource != "https://x.example" || strings.ContainsAny(r.Tokens.header(), "\r\n\x00")) {
			t.Errorf("record %+v, %v", r, err)
		}
		// What can be read can be written, and then holds what was written.
		want := record{Identity: "user", Resource: "https://x.example", Issuer: "https://as.example", Generation: r.Generation + 1}
		changed := s.change(t.Context(), "user", "https://x.example", func(record) *record { return &want })
		if (err == nil) != (changed == nil) {
			t.Fatalf("read: %v, written: %v", err, changed)
		}
		if got, ok, err := s.load("user", "https://x.example"); changed == nil && (err != nil || !ok || got.Generation != want.Generation) {
			t.Errorf("then %+v, %v, %v", got, ok, err)
		}
	})
}
