package oauth

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"testing"
	"time"
)

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
