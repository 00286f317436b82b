package mcpserver

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// hints are the caching hints of a result, and what its pages say.
type hints struct {
	TTL    *int64  `json:"ttlMs"`
	Scope  string  `json:"cacheScope"`
	Cursor *string `json:"nextCursor"`
}

func hintsOf(t *testing.T, line string) hints {
	t.Helper()
	m, refused := wire.Parse([]byte(line), wire.Limits{})
	if refused != nil || m.Result == nil {
		t.Fatalf("no result: %s", line)
	}
	var h hints
	if err := json.Unmarshal(m.Result, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestS23_discover(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		m, _ := wire.Parse([]byte(connect(t, s).one(discover(`1`))), wire.Limits{})
		want := `{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"app","title":"The App","version":"1.2.3"}},` +
			`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Be kind.","ttlMs":60000,"cacheScope":"private"}`
		if string(m.Result) != want {
			t.Errorf("got  %s\nwant %s", m.Result, want)
		}
	})
}

func TestS41_cachingHintsOnCompleteResultsOnly(t *testing.T) {
	for _, ttl := range []time.Duration{time.Nanosecond, time.Minute, 1000 * time.Hour} {
		t.Run(ttl.String(), func(t *testing.T) {
			bubble(t, func(o *Options) { o.ToolsTTL = ttl }, func(t *testing.T, s *Server, _ *fakeCatalog) {
				c := connect(t, s)
				for _, line := range []string{discover(`1`), list(`2`)} {
					if h := hintsOf(t, c.one(line)); h.TTL == nil || *h.TTL != ttl.Milliseconds() || h.Scope != "private" {
						t.Errorf("%s: hints %+v", line, h)
					}
				}
				for _, line := range []string{call(`3`, "echo", `{}`), call(`4`, "ask", `{}`)} {
					if h := hintsOf(t, c.one(line)); h.TTL != nil || h.Scope != "" {
						t.Errorf("%s: hints %+v", line, h)
					}
				}
				c.one(initialize(mcp.V2025_11_25, `{}`))
				if h := hintsOf(t, c.one(legacy(`5`, "tools/list", ""))); h.TTL != nil || h.Scope != "" {
					t.Errorf("a legacy client was given hints %+v", h)
				}
			})
		})
	}
}

func TestS42_oneScopeAndNoAccessControlByIt(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := connect(t, s)
		for _, line := range []string{list(`1`), strings.Replace(list(`1`), `"test"`, `"somebody else"`, 1)} {
			h := hintsOf(t, c.one(line))
			if h.Scope != mcp.CacheScopePrivate || h.Cursor != nil {
				t.Errorf("%s: hints %+v, want one page", line, h)
			}
		}
		// A tool that is gone is refused, however long a client may keep the list.
		f.mu.Lock()
		f.names = nil
		f.mu.Unlock()
		s.ToolsChanged()
		if got := c.one(list(`2`)); !strings.Contains(got, `"tools":[]`) || hintsOf(t, got).Scope != mcp.CacheScopePrivate {
			t.Errorf("after the change: %s", got)
		}
	})
}
