package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// tokens is an authorizer that counts its tokens up.
type tokens struct {
	mu      sync.Mutex
	n       int
	refused []string
	err     error
}

func (a *tokens) Authorize(context.Context) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return fmt.Sprint("Bearer t", a.n), nil
}

func (a *tokens) Refused(_ context.Context, status int, challenges []string, used string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused = append(a.refused, fmt.Sprint(status, " ", used, " ", strings.Join(challenges, "; ")))
	if used == fmt.Sprint("Bearer t", a.n) { // One that was refused a moment ago has been replaced already.
		a.n++
	}
	return a.err
}

func TestC45_authorizationOnEachRequest(t *testing.T) {
	t.Parallel()
	handle := legacy(mcp.V2025_11_25, func(s *sent) { s.result(called) })
	p := serve(t, func(s *sent) {
		if s.r.Header.Get("Authorization") != "Bearer t0" || s.r.Header.Get("X-Key") != "k" || strings.Contains(s.r.URL.String(), "t0") {
			s.t.Errorf("%s %s has the headers %v", s.r.Method, s.r.URL, s.r.Header)
		}
		if s.Method == mcp.MethodInitialize {
			s.w.Header().Set("Mcp-Session-Id", "s1")
		}
		handle(s)
	})
	c, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL, Auth: &tokens{}, Header: http.Header{"X-Key": {"k"}, "Authorization": {"Basic x"}}}), mcpclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call(t, c, "x", nil); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"POST server/discover", "POST initialize", "POST notifications/initialized", "POST tools/call", "DELETE"} {
		if p.count(want) != 1 {
			t.Errorf("%s came %d times: %s", want, p.count(want), p.requests())
		}
	}
}

// Neither a redirect nor an endpoint makes the token leave its origin.
func TestC45_authorizationStaysAtItsOrigin(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another origin got %s with %v", r.URL, r.Header)
	}))
	defer other.Close()
	for name, handle := range map[string]func(s *sent){
		"redirect": func(s *sent) { http.Redirect(s.w, s.r, other.URL, http.StatusTemporaryRedirect) },
		"endpoint": sse(other.URL+"/messages", func(s *sent) { s.page(404, "", "") }),
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, handle)
			_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL, Auth: &tokens{}}), mcpclient.Options{})
			mention(t, err, "another origin")
		})
	}
}

func TestRefusedAuthorization(t *testing.T) {
	t.Parallel()
	errLogin := errors.New("a login is needed")
	for _, tt := range []struct {
		name    string
		needs   string // the authorization that the server accepts
		status  int
		header  string
		err     error
		refused string
		want    error // nil: the call succeeds
		calls   int
	}{
		{"once", "Bearer t1", 401, `Bearer resource_metadata="x"`, nil, `401 Bearer t0 Bearer resource_metadata="x"`, nil, 2},
		{"twice", "Bearer t2", 401, "Bearer", nil, "401 Bearer t0 Bearer", mcpclient.ErrNotSent, 2},
		{"login needed", "Bearer t2", 401, "Bearer", errLogin, "401 Bearer t0 Bearer", errLogin, 1},
		{"scope", "Bearer t1", 403, `Bearer error="insufficient_scope", scope="a b"`, nil, `403 Bearer t0 Bearer error="insufficient_scope", scope="a b"`, nil, 2},
		{"forbidden", "Bearer t1", 403, "", nil, "", mcpclient.ErrNotSent, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, modern(func(s *sent) {
				if s.r.Header.Get("Authorization") == tt.needs {
					s.result(called)
					return
				}
				if tt.header != "" {
					s.w.Header().Set("WWW-Authenticate", tt.header)
				}
				s.page(tt.status, "application/json", `{"error":"invalid_token"}`)
			}))
			a := &tokens{err: tt.err}
			c := connect(t, Options{URL: p.URL, Auth: a}, mcpclient.Options{})
			_, err := call(t, c, "x", nil)
			if tt.want == nil && err != nil || !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err != nil {
				mention(t, err, fmt.Sprint("HTTP ", tt.status), "invalid_token")
				if !errors.Is(err, mcpclient.ErrNotSent) {
					t.Errorf("%v is not ErrNotSent", err)
				}
			}
			if got := strings.Join(a.refused, ", "); got != tt.refused {
				t.Errorf("refused: %s, want %s", got, tt.refused)
			}
			if n := p.count("POST tools/call"); n != tt.calls {
				t.Errorf("the call was sent %d times, want %d", n, tt.calls)
			}
		})
	}
}

// First the token has expired, then the new one lacks a scope: both are put right within one request.
func TestRefusedForTwoReasons(t *testing.T) {
	t.Parallel()
	p := serve(t, modern(func(s *sent) {
		switch s.r.Header.Get("Authorization") {
		case "Bearer t0":
			s.page(401, "", "")
		case "Bearer t1":
			s.w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope"`)
			s.page(403, "", "")
		default:
			s.result(called)
		}
	}))
	c := connect(t, Options{URL: p.URL, Auth: &tokens{}}, mcpclient.Options{})
	if got, err := call(t, c, "x", nil); err != nil || got != "done" {
		t.Errorf("got %q, %v", got, err)
	}
}

// An error of the authorizer reaches the caller of Connect, whichever way the server is asked first.
func TestRefusedWhileConnecting(t *testing.T) {
	t.Parallel()
	errLogin := errors.New("a login is needed")
	for _, path := range []string{"/mcp", "/sse"} {
		p := serve(t, func(s *sent) { s.page(401, "", "") })
		_, err := mcpclient.Connect(t.Context(), open(t, Options{URL: p.URL + path, Auth: &tokens{err: errLogin}}), mcpclient.Options{})
		if !errors.Is(err, errLogin) {
			t.Errorf("%s: got %v", path, err)
		}
		if got := strings.Count(p.requests(), ",") + 1; got != 1 {
			t.Errorf("%s: requests: %s", path, p.requests())
		}
	}
}

func TestFiveRefusedAtOnce(t *testing.T) {
	t.Parallel()
	const calls = 5
	var all sync.WaitGroup
	all.Add(calls)
	p := serve(t, modern(func(s *sent) {
		if s.r.Header.Get("Authorization") == "Bearer t0" {
			all.Done()
			all.Wait()
			s.page(401, "", "")
			return
		}
		s.result(called)
	}))
	a := &tokens{}
	c := connect(t, Options{URL: p.URL, Auth: a}, mcpclient.Options{})
	var wg sync.WaitGroup
	for range calls {
		wg.Go(func() {
			if _, err := call(t, c, "x", nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(a.refused) != calls || a.n != 1 {
		t.Errorf("refused %d times, %d new tokens", len(a.refused), a.n)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, header string
		status       int
		busy         int // how often
		wait         time.Duration
		fails        bool
		calls        int
	}{
		{"seconds", "1", 429, 1, time.Second, false, 2},
		{"at once", "0", 503, 2, 2 * minWait, false, 3},
		{"a date", "soon", 503, 1, 0, false, 2},
		{"for ever", "0", 429, 99, 3 * minWait, true, 4},
		{"too long", "3600", 429, 1, 0, true, 1},
		{"not said", "", 503, 1, 0, true, 1},
		{"nonsense", "later", 503, 1, 0, true, 1},
		{"another status", "0", 500, 1, 0, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var n int
			p := serve(t, modern(func(s *sent) {
				if n++; n > tt.busy {
					s.result(called)
					return
				}
				if tt.header == "soon" {
					s.w.Header().Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
				} else if tt.header != "" {
					s.w.Header().Set("Retry-After", tt.header)
				}
				s.page(tt.status, "text/plain", "busy")
			}))
			c := connect(t, Options{URL: p.URL, MaxWait: 5 * time.Second}, mcpclient.Options{})
			begin := time.Now()
			_, err := call(t, c, "x", nil)
			if (err != nil) != tt.fails {
				t.Errorf("got %v", err)
			}
			if tt.fails {
				mention(t, err, fmt.Sprint("HTTP ", tt.status), "busy")
			}
			if tt.header == "3600" {
				mention(t, err, "try again in 1h0m0s")
			}
			if d := time.Since(begin); d < tt.wait {
				t.Errorf("it took %v, want at least %v", d, tt.wait)
			}
			if got := p.count("POST tools/call"); got != tt.calls {
				t.Errorf("the call was sent %d times, want %d", got, tt.calls)
			}
		})
	}
}

// The caller's client is used without its cookies, timeout and handling of redirects.
func TestClientOfTheCaller(t *testing.T) {
	t.Parallel()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := serve(t, modern(func(s *sent) {
		if s.r.Header.Get("Cookie") != "" || s.r.Header.Get("X-Through") != "yes" {
			s.t.Errorf("headers %v", s.r.Header)
		}
		http.SetCookie(s.w, &http.Cookie{Name: "a", Value: "b"})
		time.Sleep(50 * time.Millisecond)
		s.result(called)
	}))
	client := &http.Client{Jar: jar, Timeout: 20 * time.Millisecond, Transport: through{p.Client().Transport}}
	c := connect(t, Options{URL: p.URL, Client: client}, mcpclient.Options{})
	for range 2 {
		if got, err := call(t, c, "x", nil); err != nil || got != "done" {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

type through struct{ http.RoundTripper }

func (tr through) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Through", "yes")
	return tr.RoundTripper.RoundTrip(r)
}
