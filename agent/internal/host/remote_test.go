package host

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// Over HTTP a request may fail alone: its caller hears of it at once, and the connection goes on for the others.
func TestARemoteRequestThatWasNotSentEndsAlone(t *testing.T) {
	t.Parallel()
	var shut atomic.Bool
	server := httptest.NewServer(hosttest.Remote{Tool: "act", Text: "done", Refuse: func(_ *http.Request, method string) int {
		if method == mcp.MethodCallTool && shut.Load() {
			return http.StatusForbidden
		}
		return 0
	}})
	t.Cleanup(server.Close)
	f := newFixture(t)
	f.open(nil, config.Server{Name: "far", Scope: config.User, Transport: config.HTTP, URL: server.URL, Timeout: 5 * time.Second})
	for _, closed := range []bool{false, true, false} {
		shut.Store(closed)
		began := time.Now()
		got, err := f.call("far", "act", `{}`)
		if closed && !errors.Is(err, mcpclient.ErrNotSent) || !closed && got != "done" || time.Since(began) > 3*time.Second {
			t.Errorf("shut %v: %q, %v after %v", closed, got, err, time.Since(began))
		}
	}
}

// slowLogin is a user who takes their time for a login.
type slowLogin struct {
	takes time.Duration
	in    atomic.Bool
}

func (l *slowLogin) Authorize(context.Context) (string, error) {
	if l.in.Load() {
		return "Bearer in", nil
	}
	return "", nil
}

func (l *slowLogin) Refused(ctx context.Context, _ int, _ []string, _ string) error {
	select {
	case <-time.After(l.takes):
		l.in.Store(true)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *slowLogin) Subject() string { return "" }

// A person may take longer for a login than a server may take for its start, or for an answer.
func TestALoginTakesTheTimeThatItNeeds(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(hosttest.Remote{Tool: "act", Text: "done", Refuse: func(r *http.Request, _ string) int {
		if r.Header.Get("Authorization") != "Bearer in" {
			return http.StatusUnauthorized
		}
		return 0
	}})
	t.Cleanup(server.Close)
	f := newFixture(t)
	login := &slowLogin{takes: 1500 * time.Millisecond}
	f.open(func(o *Options) {
		o.StartTime = 500 * time.Millisecond
		o.Authorizer = func(config.Server) Authorizer { return login }
	}, config.Server{Name: "far", Scope: config.User, Transport: config.HTTP, URL: server.URL, Timeout: 500 * time.Millisecond})
	if got, err := f.call("far", "act", `{}`); err != nil || got != "done" {
		t.Errorf("the call that began the login: %q, %v", got, err)
	}
	login.in.Store(false) // Its login ends while it is connected.
	if got, err := f.call("far", "act", `{}`); err != nil || got != "done" {
		t.Errorf("a call that has to log in again: %q, %v", got, err)
	}
	if err := f.Host.Renew("far"); err != nil {
		t.Error(err)
	}
	if got, err := f.call("far", "act", `{}`); err != nil || got != "done" {
		t.Errorf("over another connection: %q, %v", got, err)
	}
}
