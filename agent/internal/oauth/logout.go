package oauth

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// revokeTime bounds telling the authorization server about a logout.
const revokeTime = 10 * time.Second

// Logout forgets the server's tokens and client, and then asks the authorization server to do the same, if it has a place
// for that. Only what fails on this machine is an error.
func (s *Session) Logout(ctx context.Context) error {
	if s.none != nil {
		return fmt.Errorf("log out of server %q: %w", s.o.Name, s.none)
	}
	return s.shareInTurn(ctx, "logout", s.logout)
}

func (s *Session) logout(ctx context.Context) error {
	r, err := s.forget(ctx)
	if err != nil {
		return fmt.Errorf("log out of server %q: %w", s.o.Name, err)
	}
	if r.Tokens.Access == "" && r.Tokens.Refresh == "" {
		return nil
	}
	if err := s.revoke(ctx, r); err != nil {
		s.o.Log.Warn("the authorization server was not told of a logout", "server", s.o.Name, "error", err)
	}
	return nil
}

// forget removes the record and returns it.
func (s *Session) forget(ctx context.Context) (record, error) {
	unlock, err := s.store.lock(ctx, s.o.Identity, s.name)
	if err != nil {
		return record{}, err
	}
	defer unlock()
	r, _, err := s.store.load(s.o.Identity, s.name)
	if err != nil {
		return record{}, err
	}
	if err := s.store.change(ctx, s.o.Identity, s.name, func(record) *record { return nil }); err != nil {
		return record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.unwritten = record{}, false
	clear(s.failed)
	clear(s.tried)
	return r, nil
}

func (s *Session) revoke(ctx context.Context, r record) error {
	ctx, cancel := context.WithTimeout(ctx, revokeTime)
	defer cancel()
	w := s.web(r.Zone)
	defer w.close()
	m, err := w.issuer(ctx, r.Issuer)
	if err != nil || m.revoke == nil {
		return err
	}
	c, ok := s.keptClient(r, m)
	if !ok {
		return errors.New("the client that the tokens were issued to is gone")
	}
	if r.Tokens.Refresh != "" {
		if err := w.revoke(ctx, m, c, r.Tokens.Refresh, "refresh_token"); err != nil {
			return err
		}
	}
	return w.revoke(ctx, m, c, r.Tokens.Access, "access_token")
}
