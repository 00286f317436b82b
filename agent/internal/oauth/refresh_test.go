package oauth

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

func TestRefreshBeforeTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge += `, scope="read"`
	s := w.session(nil)
	w.login(s)
	first := w.record(s)
	for _, step := range []struct {
		after   time.Duration
		refresh int
	}{{58 * time.Minute, 0}, {90 * time.Second, 1}, {time.Minute, 1}, {time.Hour, 2}} {
		w.clock.move(step.after)
		if h := w.header(s); h == "" || w.as.grants("refresh_token") != step.refresh {
			t.Errorf("%v later: header %q, %d refreshes, want %d", step.after, h, w.as.grants("refresh_token"), step.refresh)
		}
	}
	r := w.record(s)
	if r.Generation != first.Generation+2 || r.Tokens.Refresh == first.Tokens.Refresh || r.Subject != first.Subject || !r.Tokens.Renewed || !slices.Equal(r.Tokens.Scopes, []string{"read"}) {
		t.Errorf("generation %d, subject kept: %v", r.Generation, r.Subject == first.Subject)
	}
	if w.as.reused > 0 {
		t.Error("a refresh token was used twice")
	}
}

func TestShortLivedTokensAreUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.as.life = 10
	s := w.session(nil)
	w.login(s)
	w.clock.move(8 * time.Second)
	w.header(s)
	if n := w.as.grants("refresh_token"); n != 0 {
		t.Errorf("%d refreshes after 8 of 10 seconds", n)
	}
	w.clock.move(time.Second)
	w.header(s)
	if n := w.as.grants("refresh_token"); n != 1 {
		t.Errorf("%d refreshes after 9 of 10 seconds", n)
	}
}

func TestClockThatJumped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	h := w.header(s)
	w.clock.move(8 * time.Hour) // The machine slept.
	if got := w.header(s); got == h || got == "" {
		t.Errorf("header %q after the night", got)
	}
	// The clock was wrong and is set back: the token looks young, but the server knows better.
	h = w.header(s)
	w.clock.move(-20 * time.Hour)
	if got := w.header(s); got != h {
		t.Errorf("header %q with the clock set back", got)
	}
	if err := s.Refused(t.Context(), 401, nil, h); err != nil {
		t.Fatal(err)
	}
	if got := w.header(s); got == h {
		t.Error("the refused token is used again")
	}
}

func TestServerThatRefreshesWithoutRotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	kept := w.record(s).Tokens.Refresh
	w.as.token = func(form map[string][]string, answer map[string]any) {
		delete(w.as.refresh, answer["refresh_token"].(string))
		delete(answer, "refresh_token")
		w.as.refresh[kept] = ""
	}
	for range 3 {
		w.clock.move(2 * time.Hour)
		if h := w.header(s); h == "" {
			t.Fatal("no header")
		}
	}
	if got := w.record(s).Tokens.Refresh; got != kept {
		t.Errorf("refresh token %q, want %q", got, kept)
	}
}

func TestManyProcessesRefreshOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.login(w.session(nil))
	w.clock.move(2 * time.Hour)
	var sessions []*Session
	for range 4 {
		// Each has its own store and folder handle, as another process has.
		dir, err := home.Open(w.dir.Path())
		if err != nil {
			t.Fatal(err)
		}
		w.store = New(dir)
		sessions = append(sessions, w.session(nil))
	}
	var mu sync.Mutex
	got := map[string]bool{}
	var group sync.WaitGroup
	for _, s := range sessions {
		group.Go(func() {
			h, err := s.Authorize(t.Context())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[h] = true
		})
	}
	group.Wait()
	if w.as.grants("refresh_token") != 1 || w.as.reused != 0 || len(got) != 1 || got[""] {
		t.Errorf("%d refreshes, %d refused, headers %v", w.as.grants("refresh_token"), w.as.reused, got)
	}
}

func TestLoginOfAnotherProcessIsSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.session(nil), w.session(nil)
	if h := w.header(a); h != "" {
		t.Fatal(h)
	}
	if err := a.Refused(t.Context(), 401, nil, ""); err == nil {
		t.Fatal("authorized by nobody")
	}
	w.login(b)
	if err := a.Refused(t.Context(), 401, nil, ""); err != nil {
		t.Errorf("a late refusal after the login: %v", err)
	}
	if h := w.header(a); h == "" {
		t.Error("no header after the login")
	}
}

func TestServerThatRefusesEveryToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(interactive)
	if err := s.Refused(t.Context(), 401, nil, ""); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := s.Refused(t.Context(), 401, nil, w.header(s)); !errors.Is(err, ErrStillRefused) {
			t.Errorf("error %v", err)
		}
	}
	if w.as.browsers() != 1 || w.as.grants("refresh_token") != 0 {
		t.Errorf("%d browsers, %d refreshes", w.as.browsers(), w.as.grants("refresh_token"))
	}

	quiet := w.session(func(o *Options) { o.Offer = nil })
	w.clock.move(time.Minute)
	if err := quiet.Refused(t.Context(), 401, nil, w.header(quiet)); err != nil {
		t.Fatal(err)
	}
	var needed *ErrLoginNeeded
	if err := quiet.Refused(t.Context(), 401, nil, w.header(quiet)); !errors.As(err, &needed) || w.as.grants("refresh_token") != 1 {
		t.Errorf("one refresh, then a login: %v", err)
	}
}

func TestRefusedTokenNearItsEndIsRefreshed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.as.life = 20
	s := w.session(nil)
	w.login(s)
	for range 3 {
		h := w.header(s)
		w.clock.move(11 * time.Second) // By the server's clock the token is over.
		if err := s.Refused(t.Context(), 401, nil, h); err != nil || w.header(s) == h {
			t.Errorf("%v", err)
		}
	}
}
