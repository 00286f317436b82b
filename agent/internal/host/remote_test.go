package host

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// Over HTTP a request may fail alone: its caller hears of it at once, and the connection goes on for the others.
func TestARemoteRequestThatWasNotSentEndsAlone(t *testing.T) {
	t.Parallel()
	var shut atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		m, refused := wire.Parse(body, wire.Limits{})
		if err != nil || refused != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		result := `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
		switch m.Method {
		case mcp.MethodDiscover:
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		case mcp.MethodListTools:
			result = `{"resultType":"complete","tools":[{"name":"act","inputSchema":{"type":"object"}}]}`
		case mcp.MethodCallTool:
			if shut.Load() {
				w.WriteHeader(http.StatusForbidden)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(wire.AppendResult(nil, m.ID, []byte(result))) //nolint:errcheck // The client is gone then.
	}))
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
