package oauth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// offline is the scope that asks for a refresh token where the authorization server lists it.
const offline = "offline_access"

// LoginOptions say how one login reaches its user.
type LoginOptions struct {
	// Open opens an address in the browser, see [Browser]. Nil is like NoBrowser. When it fails, the login goes on as with
	// NoBrowser.
	Open func(address string) error
	// NoBrowser leaves opening the address to the user.
	NoBrowser bool
	// Show is called before the browser is opened, with the host whose page will ask for a password, the issuer, and the
	// whole address. Nil: nothing is shown.
	Show func(host, issuer, address string)
	// Paste returns a line that the user pasted: the address where the browser ended up, or its code and state. It is called
	// when no browser was opened, again with the problem if the line was of no use, and must return when ctx ends. Nil: the
	// answer can only come from a browser on this machine.
	Paste func(ctx context.Context, problem string) (string, error)
	// Client asks for a client that was registered by hand, where the authorization server has no other way. Nil: that is an
	// error.
	Client func(ctx context.Context, issuer, redirect string) (id, secret string, err error)
	// Timeout is how long the browser is waited for. Zero: five minutes.
	Timeout time.Duration
}

// Login logs in to the server, also when there are tokens already. Other requests of the session that need a login
// meanwhile use its result.
func (s *Session) Login(ctx context.Context, o LoginOptions) error {
	if s.none != nil {
		return fmt.Errorf("log in to server %q: %w", s.o.Name, s.none)
	}
	return s.shareInTurn(ctx, "login", func(ctx context.Context) error { return s.login(ctx, o, challenge{}) })
}

func (s *Session) login(ctx context.Context, o LoginOptions, c challenge) error {
	if err := s.tryLogin(ctx, o, c); err != nil {
		return fmt.Errorf("log in to server %q: %w", s.o.Name, err)
	}
	return nil
}

func (s *Session) tryLogin(ctx context.Context, o LoginOptions, c challenge) error {
	select {
	case s.store.login <- struct{}{}:
		defer func() { <-s.store.login }()
	case <-ctx.Done():
		return ctx.Err()
	}
	byHand := o.NoBrowser || o.Open == nil
	r, err := listen(s.o.CallbackPort, s.o.ProcRoot)
	switch {
	case err == nil:
		defer r.close()
	case byHand && o.Paste != nil:
		r = nil // The answer is pasted.
	default:
		return err
	}
	p, err := s.plan(ctx, o, c)
	if err != nil {
		return err
	}
	defer p.web.close()
	code, err := s.letUserDecide(ctx, o, r, p.attempt)
	if errors.Is(err, errLate) && p.kept {
		// Maybe the authorization server no longer knows the client and said so to the user alone.
		return errors.Join(err, s.forgetClient(ctx, p.attempt.client.ID))
	}
	if err != nil {
		return err
	}
	ctx, cancel := patient(ctx)
	defer cancel()
	t, err := p.web.grant(ctx, p.attempt.meta, p.attempt.client, p.attempt.exchange(code), s.o.Now)
	if refused(err, "invalid_client") && p.kept {
		return errors.Join(fmt.Errorf("get a token from %s: %w; try again", plain(p.attempt.meta.Issuer), err), s.forgetClient(ctx, p.attempt.client.ID))
	}
	if err != nil {
		return fmt.Errorf("get a token from %s: %w", plain(p.attempt.meta.Issuer), err)
	}
	return s.keepLogin(ctx, p, t)
}

// plan is what a login has found out before the user is asked.
type plan struct {
	web     *web
	attempt *attempt
	kept    bool // the client comes from an earlier login
}

// plan finds the server's metadata and its authorization server, gets a client and chooses the scopes.
func (s *Session) plan(ctx context.Context, o LoginOptions, c challenge) (_ plan, err error) {
	here, err := s.ask(ctx)
	if err != nil {
		return plan{}, err
	}
	if c.metadata == "" {
		c.metadata = here.challenge.metadata
	}
	if len(c.scopes) == 0 && here.challenge.err != "insufficient_scope" {
		c.scopes = here.challenge.scopes
	}
	w := s.web(here.zone)
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	res, err := w.resource(ctx, s.server, c.metadata)
	if err != nil {
		return plan{}, err
	}
	old, _, err := s.store.load(s.o.Identity, s.name)
	if err != nil {
		return plan{}, err
	}
	m, err := w.chooseIssuer(ctx, res.Servers, old.Issuer)
	if err != nil {
		return plan{}, err
	}
	cl, err := s.clientFor(ctx, w, m, old, o.Client)
	if err != nil {
		return plan{}, err
	}
	a, err := newAttempt(s.o.Random, m, cl, res.Resource, s.scopesFor(m, res, c, old))
	if err != nil {
		return plan{}, err
	}
	return plan{web: w, attempt: a, kept: cl == old.Client && cl.Source != fromConfig}, nil
}

// scopesFor chooses what a login asks for: what the server demands, else what is configured, else what it lists; with
// that what earlier logins asked for, so that nobody loses a permission, and offline_access where it is known.
func (s *Session) scopesFor(m *issuerMetadata, res resourceMetadata, c challenge, old record) []string {
	base := scopeSet(c.scopes, s.o.Scopes)
	if len(base) == 0 {
		base = res.Scopes
	}
	var before []string
	if old.Issuer == m.Issuer {
		before = scopeSet(old.Asked, old.Tokens.Scopes)
	}
	all := scopeSet(base, old.Wanted, before)
	if slices.Contains(m.Scopes, offline) && m.refreshes() {
		all = scopeSet([]string{offline}, all)
	}
	return all
}

// keepLogin writes what a login gave in place of what was there, and uses it.
func (s *Session) keepLogin(ctx context.Context, p plan, t tokens) error {
	subject, err := randomID(s.o.Random)
	if err != nil {
		return err
	}
	if t.Scopes == nil {
		t.Scopes = p.attempt.scopes
	}
	r := record{
		Audience: p.attempt.resource, Zone: p.web.zone, Issuer: p.attempt.meta.Issuer, Client: p.attempt.client,
		Tokens: t, Asked: p.attempt.scopes, Subject: subject,
	}
	if r.Client.Source == fromConfig {
		r.Client.Secret = "" // It stays in the configuration.
	}
	unlock, err := s.store.lock(ctx, s.o.Identity, s.name)
	if err != nil {
		return err
	}
	defer unlock()
	err = s.store.change(ctx, s.o.Identity, s.name, func(old record) *record {
		r.Generation = old.Generation + 1
		return &r
	})
	if err != nil {
		return fmt.Errorf("keep the tokens: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.unwritten = r, false
	clear(s.failed)
	return nil
}

// forgetClient drops a kept client, so that the next login gets a new one.
func (s *Session) forgetClient(ctx context.Context, id string) error {
	return s.store.change(context.WithoutCancel(ctx), s.o.Identity, s.name, func(old record) *record {
		if old.Client.ID == id {
			old.Client = client{}
		}
		return &old
	})
}
