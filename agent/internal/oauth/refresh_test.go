package oauth

import (
	"context"
	"errors"
	"net/http"
	"reflect"
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

func TestInvalidGrantEndsTheLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	h := w.header(s)
	w.as.mu.Lock()
	clear(w.as.refresh)
	w.as.mu.Unlock()
	w.clock.move(2 * time.Hour)
	if got := w.header(s); got != "" {
		t.Errorf("header %q", got)
	}
	var needed *ErrLoginNeeded
	if err := s.Refused(t.Context(), 401, nil, h); !errors.As(err, &needed) || needed.Reason != "its login has ended" {
		t.Errorf("error %v", err)
	}
	r := w.record(s)
	if r.Tokens.Access != "" || r.Client.ID == "" {
		t.Errorf("token kept: %v, client kept: %v", r.Tokens.Access != "", r.Client.ID != "")
	}
	w.login(s)
	if len(w.as.clients) != 1 {
		t.Error("the client was registered again")
	}
}

func TestClientThatIsGoneEndsTheLogin(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"invalid_client", "unauthorized_client"} {
		w := newWorld(t)
		s := w.session(nil)
		w.login(s)
		h := w.header(s)
		w.as.token = func(_ map[string][]string, answer map[string]any) { clear(answer); answer["error"] = code }
		w.clock.move(2 * time.Hour)
		if got := w.header(s); got != "" {
			t.Errorf("%s: header %q", code, got)
		}
		var needed *ErrLoginNeeded
		if err := s.Refused(t.Context(), 401, nil, h); !errors.As(err, &needed) {
			t.Errorf("%s: %v", code, err)
		}
		if r := w.record(s); r.Client.ID != "" || r.Tokens.Refresh == "" {
			t.Errorf("%s: client kept: %v, tokens kept: %v", code, r.Client.ID != "", r.Tokens.Refresh != "")
		}
		w.as.token = nil
		w.login(s)
		if n := len(w.as.clients); n != 2 {
			t.Errorf("%s: %d registrations", code, n)
		}
	}
}

func TestInvalidGrantDeletesOnlyItsGeneration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	// Somebody without our lock, such as an older version, writes newer tokens while the refresh is under way.
	w.as.token = func(_ map[string][]string, answer map[string]any) {
		err := w.store.change(t.Context(), "user", s.name, func(old record) *record {
			old.Generation++
			old.Tokens = tokens{Access: "newer", Refresh: "newer", Issued: w.clock.now()}
			return &old
		})
		if err != nil {
			t.Error(err)
		}
		clear(answer)
		answer["error"] = "invalid_grant"
	}
	w.clock.move(2 * time.Hour)
	w.header(s)
	if got := w.record(s).Tokens.Access; got != "newer" {
		t.Errorf("on disk is %q", got)
	}
	if got := w.header(s); got != "Bearer newer" {
		t.Errorf("header %q", got)
	}
}

func TestOtherFailuresKeepTheTokens(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]http.HandlerFunc{
		"a page": func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(502); rw.Write([]byte("<html>")) },
		"unavailable": func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, 503, map[string]any{"error": "temporarily_unavailable"})
		},
		"a cut answer":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"too many times": func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(429) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := w.session(nil)
			w.login(s)
			before := w.record(s)
			w.as.serve["/token"] = serve
			w.clock.move(time.Hour - time.Second) // Due, but not over.
			for range 3 {
				if h := w.header(s); h != before.Tokens.header() {
					t.Errorf("header %q while the token is still good", h)
				}
			}
			if n := len(w.as.requests("POST /token")); n != 2 {
				t.Errorf("%d token requests: a failing server is asked with each request", n)
			}
			w.clock.move(time.Minute)
			var needed *ErrLoginNeeded
			if _, err := s.Authorize(t.Context()); err == nil || errors.As(err, &needed) {
				t.Errorf("error %v", err)
			}
			if r := w.record(s); !reflect.DeepEqual(r, before) {
				t.Error("the tokens on disk changed")
			}
			w.as.mend("/token")
			if h := w.header(s); h == "" || h == before.Tokens.header() {
				t.Errorf("header %q when the server is well again", h)
			}
		})
	}
}

func TestFiveRefusalsShareOneRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	h := w.header(s)
	w.clock.move(time.Minute)
	all(t, 5, func() error { return s.Refused(t.Context(), 401, headers(`error="invalid_token"`), h) })
	if n := w.as.grants("refresh_token"); n != 1 || w.as.reused > 0 {
		t.Errorf("%d refreshes, %d tokens used twice", n, w.as.reused)
	}
	// A late one, and one that already used the new token's predecessor.
	if err := s.Refused(t.Context(), 401, nil, h); err != nil || w.as.grants("refresh_token") != 1 {
		t.Errorf("late: %v", err)
	}
}

func TestFiveRefusalsOpenOneBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(interactive)
	all(t, 5, func() error { return s.Refused(t.Context(), 401, headers(w.rs.challenge), "") })
	if err := s.Refused(t.Context(), 401, nil, ""); err != nil {
		t.Errorf("late: %v", err)
	}
	if n := w.as.browsers(); n != 1 {
		t.Errorf("%d browsers", n)
	}
	if h := w.header(s); h == "" {
		t.Error("no header")
	}
}

func TestServersTakeTurnsAtTheRedirectAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var sessions []*Session
	for range 3 {
		rs := newResourceServer(t, w.as.issuer())
		sessions = append(sessions, w.session(func(o *Options) { interactive(o); o.URL = rs.url() }))
	}
	var group sync.WaitGroup
	for _, s := range sessions {
		group.Go(func() {
			if err := s.Refused(t.Context(), 401, nil, ""); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if w.as.browsers() != 3 {
		t.Errorf("%d browsers", w.as.browsers())
	}
}

func TestFiveRefusalsAskOnceWhenTheAnswerIsNo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mu sync.Mutex
	asked := 0
	s := w.session(func(o *Options) {
		o.Offer = func(context.Context, []string) (LoginOptions, bool) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			return LoginOptions{}, false
		}
	})
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			var needed *ErrLoginNeeded
			if err := s.Refused(t.Context(), 401, nil, ""); !errors.As(err, &needed) {
				t.Errorf("error %v", err)
			}
		})
	}
	group.Wait()
	s.Refused(t.Context(), 401, nil, "")
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	w.clock.move(time.Minute)
	s.Refused(t.Context(), 401, nil, "")
	if asked != 2 {
		t.Errorf("asked %d times after a minute", asked)
	}
}

func TestLoginGoesOnForThoseWhoStillWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	opened, proceed := make(chan struct{}), make(chan struct{})
	s := w.session(func(o *Options) {
		o.Offer = func(context.Context, []string) (LoginOptions, bool) {
			return LoginOptions{Open: func(address string) error { close(opened); <-proceed; return browse(address) }}, true
		}
	})
	impatient, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- s.Refused(impatient, 401, nil, "") }()
	<-opened
	go func() { second <- s.Refused(t.Context(), 401, nil, "") }()
	for waiting := 0; waiting < 2; {
		s.mu.Lock()
		waiting = s.flights["refused "].waiters
		s.mu.Unlock()
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the one who left: %v", err)
	}
	close(proceed)
	if err := <-second; err != nil {
		t.Errorf("the one who stayed: %v", err)
	}
}

func TestRefreshDoesNotWaitForAHuman(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked, decide := make(chan struct{}), make(chan bool)
	s := w.session(func(o *Options) {
		o.Offer = func(context.Context, []string) (LoginOptions, bool) {
			close(asked)
			<-decide
			return LoginOptions{}, false
		}
	})
	w.login(s)
	h := w.header(s)
	done := make(chan error, 1)
	go func() { done <- s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), h) }()
	<-asked
	w.clock.move(2 * time.Hour)
	if got := w.header(s); got == "" || got == h {
		t.Errorf("header %q", got)
	}
	close(decide)
	if err := <-done; err == nil {
		t.Error("nobody logged in")
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

func TestRefreshThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := &brokenFiles{Files: w.dir}
	w.store = New(files)
	s := w.session(nil)
	w.login(s)
	files.broken = errors.New("no space left")
	for range 3 {
		w.clock.move(2 * time.Hour)
		if h := w.header(s); h == "" {
			t.Fatal("no header")
		}
	}
	if n := w.as.grants("refresh_token"); n != 3 || w.as.reused > 0 {
		t.Errorf("%d refreshes, %d tokens used twice", n, w.as.reused)
	}
	files.broken = nil
	w.clock.move(2 * time.Hour)
	if h := w.header(s); h == "" || w.record(s).Tokens.header() != h {
		t.Error("not written when it was possible again")
	}
}

// brokenFiles fails to write when broken is set.
type brokenFiles struct {
	Files
	broken error
}

func (f *brokenFiles) Update(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	if f.broken != nil {
		return f.broken
	}
	return f.Files.Update(ctx, name, change)
}

func TestCloseEndsALogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	opened := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- s.Login(t.Context(), LoginOptions{Open: func(string) error { close(opened); return nil }})
	}()
	<-opened
	s.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("the login: %v", err)
	}
	if err := s.Login(t.Context(), LoginOptions{Open: browse}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	r, err := listen(w.port, "")
	if err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	r.close()
}

// all runs f n times at once and fails for each error.
func all(t *testing.T, n int, f func() error) {
	t.Helper()
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			if err := f(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
