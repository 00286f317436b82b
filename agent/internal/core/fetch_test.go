package core

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/permission"
)

// visited is a server on this machine, and how often it was asked.
func visited(t *testing.T) (server *httptest.Server, visits *int) {
	t.Helper()
	visits = new(int)
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*visits++
		io.WriteString(w, "here")
	}))
	t.Cleanup(server.Close)
	return server, visits
}

// fetches is a script in which the model gets an address some times.
func fetches(address string, times int) string {
	var b strings.Builder
	for i := range times {
		fmt.Fprintf(&b, "-- reply --\ncall c%d fetch {\"url\": %q}\n", i, address)
	}
	return b.String() + "-- reply --\ntext \"Done.\"\n"
}

func TestFetch_asks(t *testing.T) {
	t.Parallel()
	server, visits := visited(t)
	address := server.URL + "/" + strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		choices       []permission.Choice
		asked, visits int
	}{
		"once":    {[]permission.Choice{permission.Once, permission.No, permission.Once}, 3, 2},
		"session": {[]permission.Choice{permission.Session}, 1, 3},
		"no":      {[]permission.Choice{permission.No, permission.No, permission.No}, 3, 0},
	} {
		*visits = 0
		var questions []permission.Question
		a := answers{choices: c.choices}
		agent := newPlace(t, nil).open(fetches(address, 3), func(o *Options) {
			o.Ask = func(ctx context.Context, q permission.Question) (permission.Answer, error) {
				questions = append(questions, q)
				return a.ask(ctx, q)
			}
		})
		prompt(t, agent, "get it")
		if len(questions) != c.asked || *visits != c.visits {
			t.Errorf("%s: %d questions, %d visits", name, len(questions), *visits)
		}
		want := []string{"host: 127.0.0.1", address, "the host is on this machine"}
		if q := questions[0]; q.Host != "127.0.0.1" || !slices.Equal(q.Lines, want) || fmt.Sprint(q.Rules) != "[fetch:127.0.0.1]" {
			t.Errorf("%s: %q %q %v", name, q.Host, q.Lines, q.Rules)
		}
	}
}

func TestFetch_rules(t *testing.T) {
	t.Parallel()
	server, visits := visited(t)
	for settings, want := range map[string]int{
		`{"permissions": {"allow": ["fetch:127.0.0.1"]}}`:                                 1,
		`{"permissions": {"allow": ["fetch"]}}`:                                           0,
		`{"permissions": {"allow": ["*"]}}`:                                               0,
		`{"permissions": {"allow": ["fetch:*"]}}`:                                         0,
		`{"permissions": {"allow": ["fetch:127.0.0.1"], "deny": ["fetch:127.0.0.1"]}}`:    0,
		`{"permissions": {"allow": ["fetch", "fetch:10.0.0.1", "fetch:127.0.0.1"]}}`:      1,
		`{"permissions": {"allow": ["fetch:example.com", "bash:fetch:127.0.0.1 --all"]}}`: 0,
	} {
		*visits = 0
		agent := newPlace(t, map[string]string{"home/.elyra/agent/settings.json": settings}).open(fetches(server.URL, 1), nil)
		prompt(t, agent, "get it")
		if *visits != want {
			t.Errorf("%s: %d visits, want %d", settings, *visits, want)
		}
	}
}

// A yes to a name is none to what it turns out to be.
func TestFetch_names(t *testing.T) {
	t.Parallel()
	a := answers{choices: []permission.Choice{permission.Once}}
	agent := newPlace(t, nil).open(`
-- reply --
text "Done."
`, func(o *Options) { o.Ask = a.ask })
	prompt(t, agent, "hello")
	for _, host := range []string{"example.com", "localhost"} {
		a.choices = []permission.Choice{permission.Session}
		if _, err := agent.asker()(t.Context(), permission.Question{Request: permission.Request{Kind: permission.Network, Host: host}}); err != nil {
			t.Fatal(err)
		}
	}
	if agent.hosts.has("example.com") || !agent.hosts.has("localhost") {
		t.Error("what the question showed does not count, or what it did not does")
	}
}
