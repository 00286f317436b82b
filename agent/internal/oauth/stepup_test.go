package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestC44_StepUpAsksForTheUnion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge += `, scope="read"`
	s := w.session(interactive)
	if err := s.Refused(t.Context(), 401, headers(w.rs.challenge), ""); err != nil {
		t.Fatal(err)
	}
	all(t, 3, func() error {
		return s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), w.header(s))
	})
	if q := w.as.asked(t); q.Get("scope") != "read write" || w.as.browsers() != 2 {
		t.Errorf("scope %q, %d browsers", q.Get("scope"), w.as.browsers())
	}
	if err := s.Refused(t.Context(), 403, headers(`error=insufficient_scope scope=delete`), w.header(s)); err != nil {
		t.Fatal(err)
	}
	if got := w.as.asked(t).Get("scope"); got != "delete read write" {
		t.Errorf("scope %q", got)
	}
	// All of that was asked for now, by this session and on disk: another login would change nothing.
	for _, s := range []*Session{s, w.session(interactive)} {
		for _, scope := range []string{"write", "read delete"} {
			err := s.Refused(t.Context(), 403, headers(fmt.Sprintf(`error="insufficient_scope", scope=%q`, scope)), w.header(s))
			if err == nil || !strings.Contains(err.Error(), "already tried") || w.as.browsers() != 3 {
				t.Errorf("%s again: %v, %d browsers", scope, err, w.as.browsers())
			}
		}
	}
}

func TestC44_DeniedStepUpIsNotRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(interactive)
	if err := s.Refused(t.Context(), 401, nil, ""); err != nil {
		t.Fatal(err)
	}
	w.as.back = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
	h := w.header(s)
	if err := s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), h); !errors.Is(err, ErrDenied) {
		t.Errorf("first: %v", err)
	}
	if err := s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), h); err == nil || errors.Is(err, ErrDenied) {
		t.Errorf("second: %v", err)
	}
	if w.as.browsers() != 2 || w.header(s) != h {
		t.Errorf("%d browsers; the old token stays: %v", w.as.browsers(), w.header(s) == h)
	}
}

func TestC44_StepUpWithoutAnybodyToAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge += `, scope="read"`
	s := w.session(nil)
	w.login(s)
	var needed *ErrLoginNeeded
	err := s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), w.header(s))
	if !errors.As(err, &needed) || !slices.Equal(needed.Scopes, []string{"read", "write"}) {
		t.Fatalf("error %v", err)
	}
	// A refresh in between changes nothing about that.
	w.clock.move(2 * time.Hour)
	w.header(s)
	// `elyra mcp login` is another process, and knows what to ask for.
	w.login(w.session(nil))
	if got := w.as.asked(t).Get("scope"); got != "read write" {
		t.Errorf("scope %q", got)
	}
	if err := s.Refused(t.Context(), 403, headers(`error="insufficient_scope", scope="write"`), needed.Server); err != nil {
		t.Errorf("after the login: %v", err)
	}
	if r := w.record(s); len(r.Wanted) > 0 {
		t.Errorf("still wanted: %v", r.Wanted)
	}
}

func TestOtherRefusalsAreErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(interactive)
	for status, challenge := range map[int]string{403: `error="forbidden"`, 404: `error="insufficient_scope"`, 407: ""} {
		if err := s.Refused(t.Context(), status, headers(challenge), ""); err == nil || w.as.browsers() > 0 {
			t.Errorf("%d: %v", status, err)
		}
	}
}
