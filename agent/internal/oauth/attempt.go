package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// DefaultPort is the port of the redirect address.
const DefaultPort = 53687

// callbackPath is the path of the redirect address.
const callbackPath = "/mcp/callback"

func redirectURL(port int) string { return fmt.Sprintf("http://127.0.0.1:%d%s", port, callbackPath) }

// ErrDenied is wrapped by the error of a login that the user or the authorization server refused.
var ErrDenied = errors.New("the login was not granted")

// attempt is one authorization request. It records the issuer before the browser leaves, so that an answer of another one
// is recognised.
type attempt struct {
	meta     *issuerMetadata
	client   client
	resource string
	scopes   []string
	state    string
	verifier string
}

// newAttempt makes state and PKCE verifier of 256 random bits each.
func newAttempt(random io.Reader, m *issuerMetadata, c client, resource string, scopes []string) (*attempt, error) {
	a := &attempt{meta: m, client: c, resource: resource, scopes: scopes}
	for _, secret := range []*string{&a.state, &a.verifier} {
		b := make([]byte, 32)
		if _, err := io.ReadFull(random, b); err != nil {
			return nil, fmt.Errorf("make secrets of a login: %w", err)
		}
		*secret = base64.RawURLEncoding.EncodeToString(b)
	}
	return a, nil
}

// url returns the address that the browser opens.
func (a *attempt) url() string {
	sum := sha256.Sum256([]byte(a.verifier))
	u := *a.meta.authorize
	q := u.Query()
	q.Set("response_type", "code")
	q.Set("client_id", a.client.ID)
	q.Set("redirect_uri", a.client.Redirect)
	q.Set("state", a.state)
	q.Set("code_challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
	q.Set("code_challenge_method", "S256")
	q.Set("resource", a.resource)
	if len(a.scopes) > 0 {
		q.Set("scope", strings.Join(a.scopes, " "))
	}
	if slices.Contains(a.scopes, offline) {
		q.Set("prompt", "consent") // OpenID Connect servers ignore the scope without it.
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// exchange returns the form that turns a code into tokens.
func (a *attempt) exchange(code string) url.Values {
	return url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {code},
		"redirect_uri":  {a.client.Redirect},
		"code_verifier": {a.verifier},
		"resource":      {a.resource},
	}
}

// answer is what the browser brings back.
type answer struct {
	code, state, issuer, err, description string
	hasIssuer                             bool
}

// maxAnswer bounds the query of a redirect.
const maxAnswer = 8 << 10

// parseAnswer reads the query of a redirect. A parameter that comes twice makes it worthless (RFC 6749, section 3.1).
func parseAnswer(query string) (answer, error) {
	if len(query) > maxAnswer {
		return answer{}, fmt.Errorf("it is longer than %d bytes", maxAnswer)
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		return answer{}, errors.New("it is no query of a web address")
	}
	var a answer
	for name, into := range map[string]*string{
		"code": &a.code, "state": &a.state, "iss": &a.issuer, "error": &a.err, "error_description": &a.description,
	} {
		values := q[name]
		if len(values) > 1 {
			return answer{}, fmt.Errorf("it has the parameter %s twice", name)
		}
		if len(values) == 1 {
			*into = values[0]
		}
	}
	a.hasIssuer = q.Has("iss")
	if a.state == "" {
		return answer{}, errors.New("it has no state")
	}
	return a, nil
}

// mine reports whether an answer belongs to this attempt.
func (a *attempt) mine(got answer) bool {
	return subtle.ConstantTimeCompare([]byte(got.state), []byte(a.state)) == 1
}

// code validates an answer that is mine, first its issuer (RFC 9207, section 2.4): before that is known to be right,
// nothing else of it is looked at or shown.
func (a *attempt) code(got answer) (string, error) {
	switch {
	case got.hasIssuer && got.issuer != a.meta.Issuer:
		return "", errors.New("the browser came back from another authorization server than it was sent to: this may be an attack, so nothing was used")
	case !got.hasIssuer && a.meta.NamesItself:
		return "", errors.New("the answer does not say from which authorization server it is, although that one always does: nothing was used")
	case got.err != "":
		return "", fmt.Errorf("%w: %w", ErrDenied, &refusal{Code: got.err, Description: got.description})
	case got.code == "":
		return "", errors.New("the answer has neither a code nor an error")
	}
	return got.code, nil
}

// randomID returns 16 characters that are nobody else's.
func randomID(random io.Reader) (string, error) {
	b := make([]byte, 12)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}
