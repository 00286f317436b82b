package oauth

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// graceTime is how long a refresh that was sent may still take when nobody waits for it any more.
const graceTime = 2 * time.Second

// renew replaces the tokens whose header is used by refreshing them, unless somebody else has done so. Among all
// processes one does it at a time: the lock is taken, the file read again, the refresh made and its result written
// before the lock is given up, because many servers accept each refresh token once.
func (s *Session) renew(ctx context.Context, used string) error {
	fail := func(err error) error { return fmt.Errorf("refresh the token of server %q: %w", s.o.Name, err) }
	unlock, err := s.store.lock(ctx, s.o.Identity, s.name)
	if err != nil {
		return fail(err)
	}
	defer unlock()
	r, err := s.reload()
	if err != nil {
		return fail(err)
	}
	if h := r.Tokens.header(); h != "" && h != used && !r.Tokens.due(s.now()) {
		return nil
	}
	if r.Tokens.Refresh == "" {
		return s.needed("its login has ended", nil)
	}
	w := s.web(r.Zone)
	defer w.close()
	m, err := w.issuer(ctx, r.Issuer)
	if err != nil {
		return fail(err)
	}
	c, ok := s.keptClient(r, m)
	if !ok {
		return s.needed("the client of its login is gone", nil)
	}
	// From here on the server may have replaced the refresh token, so the answer is worth waiting for.
	ctx, cancel := patient(ctx)
	defer cancel()
	t, err := w.grant(ctx, m, c, url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {r.Tokens.Refresh}, "resource": {r.Audience},
	}, s.o.Now)
	switch {
	case refused(err, "invalid_grant"):
		err = s.drop(ctx, r.Generation, func(r *record) { r.Tokens = tokens{} })
	case refused(err, "invalid_client"), refused(err, "unauthorized_client"):
		err = s.drop(ctx, r.Generation, func(r *record) { r.Client = client{} })
	case err != nil:
		return fail(err)
	default:
		s.keepRenewed(ctx, r, t)
		return nil
	}
	if err != nil {
		return fail(err)
	}
	return s.needed("its login has ended", nil)
}

// keepRenewed writes refreshed tokens. When that fails they are used from memory: the old ones may be worth nothing now.
func (s *Session) keepRenewed(ctx context.Context, r record, t tokens) {
	t.Renewed = true
	if t.Refresh == "" {
		t.Refresh = r.Tokens.Refresh
	}
	if t.Scopes == nil {
		t.Scopes = r.Tokens.Scopes
	}
	r.Tokens = t
	r.Generation++
	err := s.store.change(ctx, s.o.Identity, s.name, func(old record) *record {
		r.Wanted = old.Wanted
		return &r
	})
	if err != nil {
		s.o.Log.Error("a refreshed token was not written and is lost with this process", "server", s.o.Name, "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.unwritten = r, err != nil
}

// drop takes something off the record, if it is still of that generation, and adopts what is there then.
func (s *Session) drop(ctx context.Context, generation int64, edit func(*record)) error {
	err := s.store.change(ctx, s.o.Identity, s.name, func(old record) *record {
		if old.Generation == generation {
			edit(&old)
		}
		return &old
	})
	if err != nil {
		return err
	}
	_, err = s.reload()
	return err
}

// patient returns a context that outlives ctx by a moment.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		wait := time.NewTimer(graceTime)
		defer wait.Stop()
		select {
		case <-wait.C:
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() {
		stop()
		cancel()
	}
}
