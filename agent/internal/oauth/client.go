package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

// clientName is what authorization servers show to users.
const clientName = "Elyra"

// Where a client came from.
const (
	fromConfig   = "config"
	fromDocument = "document"
	fromDynamic  = "dynamic"
	fromUser     = "user"
)

// client is a registration at one authorization server. It is kept in a record beside the issuer that it belongs to.
type client struct {
	ID       string    `json:"id"`
	Secret   string    `json:"secret,omitzero"`
	Method   string    `json:"method"` // how it authenticates at the token endpoint: none, client_secret_basic, client_secret_post
	Redirect string    `json:"redirect"`
	Source   string    `json:"source"`
	Expires  time.Time `json:"expires,omitzero"` // when the secret ends; zero: never
}

// usable reports whether a kept client can be used again with a redirect.
func (c client) usable(redirect string, now time.Time) bool {
	return c.ID != "" && c.Redirect == redirect && (c.Expires.IsZero() || now.Before(c.Expires))
}

// errNoClient says that there is no way left to get a client.
var errNoClient = errors.New("it accepts neither client metadata documents nor dynamic registration: " +
	"register a client there with the redirect address, and put its id in the server's configuration as oauth.clientId")

// clientFor returns the client to use at an issuer, in the order of the specification: the configured one, a metadata
// document, a dynamic registration (the kept one if it is still good), and what the user is asked for.
func (s *Session) clientFor(ctx context.Context, w *web, m *issuerMetadata, old record, ask askClient) (client, error) {
	redirect := s.redirect()
	kept := old.Client
	if old.Issuer != m.Issuer {
		kept = client{} // It is another server's.
	}
	switch {
	case s.o.ClientID != "":
		if known := s.o.ClientIssuer; known != "" && known != m.Issuer {
			return client{}, fmt.Errorf("the configured client belongs to %s, and the server now names %s: check which is right", plain(known), plain(m.Issuer))
		}
		if old.Client.Source == fromConfig && old.Client.ID == s.o.ClientID && old.Issuer != m.Issuer {
			return client{}, fmt.Errorf("the configured client was used with %s, and the server now names %s: if that is right, log out first",
				plain(old.Issuer), plain(m.Issuer))
		}
		return client{ID: s.o.ClientID, Secret: s.o.ClientSecret, Redirect: redirect, Source: fromConfig, Method: m.method(s.o.ClientSecret)}, nil
	case s.o.ClientDocument != "" && m.Documents:
		return client{ID: s.o.ClientDocument, Redirect: redirect, Source: fromDocument, Method: "none"}, nil
	case (kept.Source == fromDynamic || kept.Source == fromUser) && kept.usable(redirect, s.o.Now()):
		return kept, nil
	case m.register != nil:
		return w.registerClient(ctx, m, redirect)
	case ask != nil:
		id, secret, err := ask(ctx, m.Issuer, redirect)
		if err == nil && id == "" {
			err = errNoClient
		}
		return client{ID: id, Secret: secret, Redirect: redirect, Source: fromUser, Method: m.method(secret)}, err
	}
	return client{}, fmt.Errorf("authorization server %s: %w (the redirect address is %s)", plain(m.Issuer), errNoClient, redirect)
}

// keptClient returns the client that a record's tokens were issued to, false if there is none any more. The secret of a
// configured one is in the configuration alone.
func (s *Session) keptClient(r record, m *issuerMetadata) (client, bool) {
	c := r.Client
	if c.Source == fromConfig {
		if c.ID != s.o.ClientID {
			return client{}, false
		}
		c.Secret, c.Method = s.o.ClientSecret, m.method(s.o.ClientSecret)
	}
	return c, c.ID != ""
}

// askClient asks the user for a client that was registered by hand.
type askClient func(ctx context.Context, issuer, redirect string) (id, secret string, err error)

// method chooses how a client with or without a secret authenticates.
func (m *issuerMetadata) method(secret string) string {
	switch {
	case secret == "":
		return "none"
	case len(m.TokenAuth) == 0 || slices.Contains(m.TokenAuth, "client_secret_basic"):
		return "client_secret_basic"
	}
	return "client_secret_post"
}

// registration is the client's metadata, for RFC 7591 and for a document.
type registration struct {
	ID        string   `json:"client_id,omitzero"`
	Name      string   `json:"client_name"`
	Redirects []string `json:"redirect_uris"`
	Grants    []string `json:"grant_types"`
	Responses []string `json:"response_types"`
	Method    string   `json:"token_endpoint_auth_method"`
	Kind      string   `json:"application_type"`
}

func newRegistration(redirect string) registration {
	return registration{
		Name: clientName, Redirects: []string{redirect}, Grants: []string{"authorization_code", "refresh_token"},
		Responses: []string{"code"}, Method: "none", Kind: "native",
	}
}

// Document returns the client metadata document that has to be served at address, an https URL with a path, before that
// address can be [Options].ClientDocument.
func Document(address string) ([]byte, error) {
	if err := checkDocument(address); err != nil {
		return nil, err
	}
	r := newRegistration(redirectURL(DefaultPort))
	r.ID = address
	return json.Marshal(r, json.Deterministic(true))
}

func checkDocument(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "" || u.Path == "/" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("the address %q of the client metadata document is not https with a path", plain(address))
	}
	return nil
}

// registerClient registers a client at an authorization server (RFC 7591).
func (w *web) registerClient(ctx context.Context, m *issuerMetadata, redirect string) (client, error) {
	c, err := w.tryRegister(ctx, m, redirect)
	if err != nil {
		return client{}, fmt.Errorf("register at %s: %w", plain(m.Issuer), err)
	}
	return c, nil
}

func (w *web) tryRegister(ctx context.Context, m *issuerMetadata, redirect string) (client, error) {
	asked := newRegistration(redirect)
	if !m.refreshes() {
		asked.Grants = []string{"authorization_code"}
	}
	if len(m.TokenAuth) > 0 && !slices.Contains(m.TokenAuth, "none") {
		asked.Method = m.method("secret")
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return client{}, err
	}
	r, err := w.post(ctx, m.register, http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}, string(body))
	if err != nil {
		return client{}, err
	}
	var got struct {
		ID      string  `json:"client_id"`
		Secret  string  `json:"client_secret"`
		Expires float64 `json:"client_secret_expires_at"`
		Method  string  `json:"token_endpoint_auth_method"`
		refusal
	}
	err = r.decode(&got)
	switch {
	case r.status >= 400 && err == nil && got.Code != "":
		return client{}, fmt.Errorf("it refused: %w; a client registered by hand can be configured as oauth.clientId", &got.refusal)
	case r.status != http.StatusCreated && r.status != http.StatusOK:
		return client{}, fmt.Errorf("it refused with status %d; a client registered by hand can be configured as oauth.clientId", r.status)
	case err != nil:
		return client{}, err
	case got.ID == "" || len(got.ID) > maxURL || len(got.Secret) > maxURL:
		return client{}, errors.New("its answer has no usable client id")
	}
	c := client{ID: got.ID, Secret: got.Secret, Redirect: redirect, Source: fromDynamic, Method: got.Method}
	if c.Secret == "" {
		c.Method = "none"
	} else if c.Method != "client_secret_basic" && c.Method != "client_secret_post" {
		c.Method = m.method(c.Secret)
	}
	if got.Expires > 0 && got.Expires < 1<<40 {
		c.Expires = time.Unix(int64(got.Expires), 0).UTC()
	}
	return c, nil
}
