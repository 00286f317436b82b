package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxServers is how many of the authorization servers that a resource names are tried.
const maxServers = 4

// issuerMetadata is what is used of RFC 8414 and OpenID Connect Discovery. Its addresses were checked.
type issuerMetadata struct {
	Issuer      string   `json:"issuer"`
	Authorize   string   `json:"authorization_endpoint"`
	Token       string   `json:"token_endpoint"`
	Register    string   `json:"registration_endpoint"`
	Revoke      string   `json:"revocation_endpoint"`
	Scopes      []string `json:"scopes_supported"`
	Challenges  []string `json:"code_challenge_methods_supported"`
	Grants      []string `json:"grant_types_supported"`
	TokenAuth   []string `json:"token_endpoint_auth_methods_supported"`
	Documents   bool     `json:"client_id_metadata_document_supported"`
	NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
	authorize   *url.URL
	token       *url.URL
	register    *url.URL // nil when there is none
	revoke      *url.URL // nil when there is none
}

// chooseIssuer returns the metadata of the authorization server to use: the one that was used before, if it is still
// named, else the first that has valid metadata.
func (w *web) chooseIssuer(ctx context.Context, named []string, before string) (*issuerMetadata, error) {
	if slices.Contains(named, before) {
		return w.issuer(ctx, before)
	}
	var first error
	for i, issuer := range named {
		if i == maxServers || ctx.Err() != nil {
			break
		}
		m, err := w.issuer(ctx, issuer)
		if err == nil {
			return m, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// issuer fetches the metadata of one authorization server. The first failure is the one that is told.
func (w *web) issuer(ctx context.Context, issuer string) (*issuerMetadata, error) {
	u, err := w.parse("the authorization server", issuer)
	if err != nil {
		return nil, err
	}
	if u.RawQuery != "" {
		return nil, fmt.Errorf("the authorization server %q has a query, which an issuer cannot have", plain(issuer))
	}
	var first error
	for _, at := range wellKnownIssuer(u) {
		m, err := w.issuerAt(ctx, at, issuer)
		if err == nil {
			return m, nil
		}
		if first == nil || errors.Is(first, errAbsent) && !errors.Is(err, errAbsent) {
			first = fmt.Errorf("authorization server metadata at %s: %w", plain(at.String()), err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// wellKnownIssuer lists where an issuer's metadata may be, in the order of the MCP specification.
func wellKnownIssuer(issuer *url.URL) []*url.URL {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	base := *issuer
	base.Path = strings.TrimSuffix(base.Path, "/")
	base.RawPath = strings.TrimSuffix(base.RawPath, "/")
	list := []*url.URL{insertPath(&base, oauth), insertPath(&base, openID)}
	if base.Path == "" {
		return list
	}
	appended := base
	appended.Path += openID
	if base.RawPath != "" {
		appended.RawPath += openID
	}
	return append(list, &appended)
}

func (w *web) issuerAt(ctx context.Context, at *url.URL, issuer string) (*issuerMetadata, error) {
	r, err := w.get(ctx, at)
	if err != nil {
		return nil, err
	}
	if r.status >= 400 && r.status < 500 {
		return nil, fmt.Errorf("status %d: %w", r.status, errAbsent)
	}
	if r.status != http.StatusOK {
		return nil, fmt.Errorf("status %d", r.status)
	}
	m := new(issuerMetadata)
	if err := r.decode(m); err != nil {
		return nil, err
	}
	if m.Issuer != issuer {
		return nil, fmt.Errorf("it is that of the issuer %q, not of %q", plain(m.Issuer), plain(issuer))
	}
	return m, m.check(w)
}

// check refuses an authorization server whose addresses are unsafe or that cannot do S256.
func (m *issuerMetadata) check(w *web) (err error) {
	if m.authorize, err = w.parse("its authorization endpoint", m.Authorize); err != nil {
		return err
	}
	if m.token, err = w.parse("its token endpoint", m.Token); err != nil {
		return err
	}
	if m.Register != "" {
		if m.register, err = w.parse("its registration endpoint", m.Register); err != nil {
			return err
		}
	}
	if m.Revoke != "" {
		if m.revoke, err = w.parse("its revocation endpoint", m.Revoke); err != nil {
			return err
		}
	}
	if !slices.Contains(m.Challenges, "S256") {
		return errors.New("it does not offer PKCE with S256, without which a login is not safe")
	}
	return nil
}

// refreshes reports whether the server may issue refresh tokens. Most that do not list their grants do.
func (m *issuerMetadata) refreshes() bool {
	return len(m.Grants) == 0 || slices.Contains(m.Grants, "refresh_token")
}
