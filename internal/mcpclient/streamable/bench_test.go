package streamable

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// BenchmarkCall is a call of a tool over loopback, with the server in the same process.
func BenchmarkCall(b *testing.B) {
	for _, kind := range []string{"application/json", "text/event-stream"} {
		b.Run(kind, func(b *testing.B) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				m, _ := wire.Parse(body, limits)
				result := called
				if m.Method == "server/discover" {
					result = discovered
				}
				w.Header().Set("Content-Type", kind)
				if kind == acceptEvents {
					fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", m.ID, result)
					return
				}
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}))
			defer server.Close()
			tr, err := New(Options{URL: server.URL})
			if err != nil {
				b.Fatal(err)
			}
			c, err := mcpclient.Connect(b.Context(), tr, mcpclient.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.CallTool(b.Context(), "x", nil, mcpclient.CallOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
