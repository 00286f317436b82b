package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// quietTime is how long the failure to renew an authorization answers for requests that were refused with the same one.
const quietTime = 10 * time.Second

// Authorize returns the value of the Authorization header for the next request to the server, "" for none. It refreshes a
// token that is about to end. Without a token the request goes out bare: the server's refusal says what is needed.
func (s *Session) Authorize(ctx context.Context) (string, error) {
	if s.none != nil {
		return "", nil
	}
	r, err := s.latest()
	if err != nil {
		return "", fmt.Errorf("authorize for server %q: %w", s.o.Name, err)
	}
	t := r.Tokens
	now := s.now()
	switch {
	case !t.due(now):
		return t.header(), nil
	case t.Refresh == "" && t.expired(now):
		return "", nil
	case t.Refresh == "", !t.expired(now) && s.recent(t.header()) != nil:
		return t.header(), nil
	}
	err = s.share(ctx, "renew "+t.header(), func(ctx context.Context) error { return s.renew(ctx, t.header()) })
	var needed *ErrLoginNeeded
	switch {
	case err == nil:
		return s.using().Tokens.header(), nil
	case ctx.Err() == nil && !t.expired(now):
		s.remember(t.header(), err)
		return t.header(), nil
	case errors.As(err, &needed):
		return "", nil
	}
	return "", err
}

// Refused is told that the server answered a request with 401, or with 403 for lack of a scope, the values of
// WWW-Authenticate and the Authorization that was used. Nil means that the request may be sent again, once.
func (s *Session) Refused(ctx context.Context, status int, challenges []string, used string) error {
	if s.none != nil {
		return fmt.Errorf("server %q answered %d: %w", s.o.Name, status, s.none)
	}
	c, _ := bearer(challenges)
	switch {
	case status == http.StatusUnauthorized:
		return s.shareInTurn(ctx, "refused "+used, func(ctx context.Context) error { return s.unauthorized(ctx, c, used) })
	case status == http.StatusForbidden && c.err == "insufficient_scope":
		name := "scopes " + strings.Join(c.scopes, " ") + " " + used
		return s.shareInTurn(ctx, name, func(ctx context.Context) error { return s.insufficient(ctx, c, used) })
	}
	return fmt.Errorf("server %q refused the request with status %d", s.o.Name, status)
}

// unauthorized answers a 401: what another request or process renewed meanwhile, else one refresh, else a login.
func (s *Session) unauthorized(ctx context.Context, c challenge, used string) error {
	r, err := s.reload()
	if err != nil {
		return err
	}
	if h := r.Tokens.header(); h != "" && h != used && !r.Tokens.due(s.now()) {
		return nil
	}
	if err := s.recent(used); err != nil {
		return err
	}
	err = s.recover(ctx, c, r)
	if err != nil && ctx.Err() == nil {
		s.remember(used, err)
	}
	return err
}

// recover renews what was refused.
func (s *Session) recover(ctx context.Context, c challenge, r record) error {
	t := r.Tokens
	fresh := t.fresh(s.now())
	reason := "nobody has logged in yet"
	switch {
	case t.Access != "" && s.moved(ctx, c, r):
		reason = "it has changed its authorization server"
	case fresh && !t.Renewed:
		return fmt.Errorf("server %q: %w", s.o.Name, ErrStillRefused)
	case fresh:
		reason = "it refuses the token that was just refreshed"
	case t.Refresh != "":
		err := s.renew(ctx, t.header())
		var needed *ErrLoginNeeded
		if !errors.As(err, &needed) {
			return err
		}
		reason = needed.Reason
	case r.Issuer != "":
		reason = "its login has ended"
	}
	return s.needLogin(ctx, c, nil, reason)
}

// moved reports whether the server no longer names the authorization server that issued its tokens. The old one is not asked
// for new tokens then, and a login registers with the new one.
func (s *Session) moved(ctx context.Context, c challenge, r record) bool {
	w := s.web(r.Zone)
	defer w.close()
	res, err := w.findResource(ctx, s.server, c.metadata)
	return err == nil && !slices.Contains(res.Servers, r.Issuer)
}

// insufficient answers a 403 for lack of a scope with a login for all that was asked for and what is missing. The same
// set of scopes is asked for once: a server that is not content with it never will be.
func (s *Session) insufficient(ctx context.Context, c challenge, used string) error {
	r, err := s.reload()
	if err != nil {
		return err
	}
	has := scopeSet(r.Asked, r.Tokens.Scopes)
	if h := r.Tokens.header(); h != "" && h != used && covers(has, c.scopes) {
		return nil
	}
	want := scopeSet(has, c.scopes)
	set := strings.Join(want, " ")
	s.mu.Lock()
	again := s.tried[set] || len(c.scopes) > 0 && covers(r.Asked, c.scopes)
	if s.o.Offer != nil {
		s.tried[set] = true
	}
	s.mu.Unlock()
	if again {
		return fmt.Errorf("server %q says that the scopes %q are missing, and a login for them was already tried: it has to be settled with the server",
			s.o.Name, strings.Join(c.scopes, " "))
	}
	err = s.needLogin(ctx, c, want, "a call needs more scopes")
	if ctx.Err() != nil {
		s.mu.Lock()
		delete(s.tried, set)
		s.mu.Unlock()
	}
	return err
}

// needLogin offers a login, or says that one is needed and keeps the scopes that it is for.
func (s *Session) needLogin(ctx context.Context, c challenge, scopes []string, reason string) error {
	if s.o.Offer != nil {
		if o, yes := s.o.Offer(ctx, scopes); yes {
			return s.login(ctx, o, c)
		}
		return s.needed(reason, scopes)
	}
	if len(scopes) > 0 {
		if err := s.want(ctx, scopes); err != nil {
			s.o.Log.Warn("the scopes that a server demands were not kept", "server", s.o.Name, "error", err)
		}
	}
	return s.needed(reason, scopes)
}

// using returns what is in memory.
func (s *Session) using() record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// latest returns what is in memory while it is good, else what is on disk.
func (s *Session) latest() (record, error) {
	if r := s.using(); r.Tokens.Access != "" && !r.Tokens.due(s.now()) {
		return r, nil
	}
	return s.reload()
}

// reload adopts what is on disk. Tokens in memory that could not be written are newer than those on disk and stay.
func (s *Session) reload() (record, error) {
	r, _, err := s.store.load(s.o.Identity, s.name)
	if err != nil {
		return record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unwritten && s.current.Generation > r.Generation {
		return s.current, nil
	}
	s.current, s.unwritten = r, false
	return r, nil
}

// remember keeps a failure for a moment, and drops older ones.
func (s *Session) remember(used string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	for name, f := range s.failed {
		if now.Sub(f.at) > quietTime {
			delete(s.failed, name)
		}
	}
	s.failed[used] = failure{err, now}
}

// recent returns how renewing the same authorization failed a moment ago, nil if it did not.
func (s *Session) recent(used string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.failed[used]
	if age := s.o.Now().Sub(f.at); !ok || age < 0 || age > quietTime {
		return nil
	}
	return f.err
}

// want keeps scopes for the next login.
func (s *Session) want(ctx context.Context, scopes []string) error {
	return s.store.change(ctx, s.o.Identity, s.name, func(old record) *record {
		old.Wanted = scopeSet(old.Wanted, scopes)
		return &old
	})
}
