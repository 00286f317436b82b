package oauth

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

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
