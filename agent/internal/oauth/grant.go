package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what a token endpoint may say.
const (
	maxToken    = 32 << 10
	maxLifetime = 10 * 365 * 24 * time.Hour
)

// refusal is the error of an authorization server (RFC 6749, section 5.2). Its text is untrusted.
type refusal struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (r *refusal) Error() string {
	if r.Description == "" {
		return plain(r.Code)
	}
	return plain(r.Code) + " (" + plain(r.Description) + ")"
}

// refused reports whether err is an authorization server's refusal with that code.
func refused(err error, code string) bool {
	var r *refusal
	return errors.As(err, &r) && r.Code == code
}

// tokens are what an authorization server issued. Times are wall clock without a monotonic part, because a token also
// ages while the machine sleeps.
type tokens struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh,omitzero"`
	Scopes  []string  `json:"scopes,omitzero"`
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires,omitzero"` // zero: unknown
	Renewed bool      `json:"renewed,omitzero"` // they come from a refresh, not from a login
}

// maxSkew is how long before its end a token is replaced, at most.
const maxSkew = time.Minute

// due reports whether the token should be replaced before it is used again: a while before its end.
func (t tokens) due(now time.Time) bool {
	return !t.Expires.IsZero() && !now.Before(t.Expires.Add(-min(maxSkew, t.Expires.Sub(t.Issued)/10)))
}

// expired reports whether the token is over.
func (t tokens) expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// freshTime is how long a token counts as just issued, at most.
const freshTime = 30 * time.Second

// fresh reports whether the token was just issued, so that a server that refuses it will refuse the next one too. A token in
// the second half of its life may be over by the server's clock.
func (t tokens) fresh(now time.Time) bool {
	limit := freshTime
	if !t.Expires.IsZero() {
		limit = min(limit, t.Expires.Sub(t.Issued)/2)
	}
	age := now.Sub(t.Issued)
	return t.Access != "" && age >= 0 && age < limit
}

// header returns the Authorization header, "" without a token.
func (t tokens) header() string {
	if t.Access == "" {
		return ""
	}
	return "Bearer " + t.Access
}

// grant is one request to a token endpoint.
func (w *web) grant(ctx context.Context, m *issuerMetadata, c client, form url.Values, now func() time.Time) (tokens, error) {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {"application/json"}}
	c.authenticate(header, form)
	r, err := w.post(ctx, m.token, header, form.Encode())
	if err != nil {
		return tokens{}, err
	}
	return r.tokens(now().Round(0).UTC())
}

// authenticate adds what the client proves itself with.
func (c client) authenticate(header http.Header, form url.Values) {
	switch c.Method {
	case "client_secret_basic":
		req := http.Request{Header: header}
		req.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
	case "client_secret_post":
		form.Set("client_id", c.ID)
		form.Set("client_secret", c.Secret)
	default:
		form.Set("client_id", c.ID)
	}
}

// tokens reads the answer of a token endpoint. Some servers refuse with status 200.
func (r reply) tokens(now time.Time) (tokens, error) {
	var got struct {
		Access   string         `json:"access_token"`
		Type     string         `json:"token_type"`
		Refresh  string         `json:"refresh_token"`
		Lifetime jsontext.Value `json:"expires_in"`
		Scope    *string        `json:"scope"`
		refusal
	}
	if err := r.decode(&got); err != nil {
		return tokens{}, err
	}
	switch {
	case got.Code != "":
		return tokens{}, &got.refusal
	case r.status != http.StatusOK:
		return tokens{}, fmt.Errorf("status %d without a reason", r.status)
	case !strings.EqualFold(got.Type, "Bearer"):
		return tokens{}, fmt.Errorf("it issued a token of type %q, and only Bearer is understood", plain(got.Type))
	case !validToken(got.Access):
		return tokens{}, errors.New("it issued no usable token")
	case got.Refresh != "" && !validToken(got.Refresh):
		return tokens{}, errors.New("it issued an unusable refresh token")
	}
	t := tokens{Access: got.Access, Refresh: got.Refresh, Issued: now}
	if d, ok := lifetime(got.Lifetime); ok {
		t.Expires = now.Add(d)
	}
	if got.Scope != nil {
		t.Scopes = splitScopes(*got.Scope)
	}
	return t, nil
}

// lifetime reads expires_in, which some servers write as a string.
func lifetime(v jsontext.Value) (time.Duration, bool) {
	text := string(v)
	if v.Kind() == '"' {
		if json.Unmarshal(v, &text) != nil {
			return 0, false
		}
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0) {
		return 0, false
	}
	return time.Duration(min(seconds, maxLifetime.Seconds()) * float64(time.Second)), true
}

// validToken reports whether a token can stand in a header: visible ASCII of bounded length.
func validToken(s string) bool {
	if s == "" || len(s) > maxToken {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// revoke asks an authorization server to forget a token (RFC 7009).
func (w *web) revoke(ctx context.Context, m *issuerMetadata, c client, token, hint string) error {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	form := url.Values{"token": {token}, "token_type_hint": {hint}}
	c.authenticate(header, form)
	r, err := w.post(ctx, m.revoke, header, form.Encode())
	if err == nil && r.status != http.StatusOK {
		err = fmt.Errorf("status %d", r.status)
	}
	return err
}
