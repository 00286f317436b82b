package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// TestS9_socketsAreFramedLikeStdio speaks over a real Unix socket: the same lines, each request with
// its metadata, and nothing that one connection says counts for the other.
func TestS9_socketsAreFramedLikeStdio(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "s9") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o, _ := testOptions(newFake())
	s := New(o)
	ended := make(chan error, 2)
	go func() {
		for range 2 {
			conn, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			go func() {
				defer conn.Close()
				ended <- s.Serve(t.Context(), conn, conn)
			}()
		}
	}()
	dial := func() func(line string) string {
		conn, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		schema, lines := mcpschema.New(), bufio.NewReader(conn)
		return func(line string) string {
			_ = schema.CheckLine([]byte(line), "", false)
			if _, err := fmt.Fprintf(conn, "%s\r\n", line); err != nil {
				t.Fatal(err)
			}
			got, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			got = strings.TrimSuffix(got, "\n")
			if err := schema.CheckLine([]byte(got), "", true); err != nil {
				t.Error(err)
			}
			return got
		}
	}
	legacyEnd, modernEnd := dial(), dial()
	legacyEnd(initialize(mcp.V2025_06_18, `{}`))
	if got := legacyEnd(legacy(`1`, "tools/call", `{"name":"echo","arguments":{"a":1}}`)); !strings.Contains(got, `"structuredContent":{"a":1}`) {
		t.Errorf("legacy: %s", got)
	}
	expectError(t, modernEnd(legacy(`1`, "tools/list", "")), wire.CodeInvalidParams, "1")
	if got := modernEnd(call(`2`, "echo", `{"a":1}`)); !strings.Contains(got, `"resultType":"complete"`) {
		t.Errorf("modern: %s", got)
	}
}

// TestS13_stateIsAHandle continues a call on another connection than the one it began on, while other
// calls of both are under way.
func TestS13_stateIsAHandle(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		a, b := connect(t, s), connect(t, s)
		a.send(call(`1`, "wait", `{}`))
		b.send(call(`1`, "wait", `{}`))
		if got := a.one(call(`2`, "ask", `{}`)); !strings.Contains(got, `"requestState":"s1"`) {
			t.Fatalf("the question is %s", got)
		}
		if err := a.end(); err != nil {
			t.Error(err)
		}
		again := strings.Replace(call(`2`, "ask", `{}`), `"name":"ask"`, `"name":"ask","requestState":"s1","inputResponses":{"confirm":{"action":"accept"}}`, 1)
		if got := b.one(again); !strings.Contains(got, `"resultType":"complete"`) || !strings.Contains(got, `accept\"} s1`) {
			t.Errorf("on the other connection: %s", got)
		}
		close(f.release)
		if got := b.quiet(); len(got) != 1 || !strings.Contains(got[0], "released") {
			t.Errorf("the call beside it: %q", got)
		}
	})
}

func TestS14_namesDecideNothing(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, info := range []string{`{"name":"admin","version":"1"}`, `{"name":"app","title":"The App","version":"1.2.3"}`, `{"name":"Claude\u202e","version":""}`, `{"name":"` + strings.Repeat("x", 10_000) + `","version":"1"}`} {
			for _, line := range []string{list(`1`), call(`1`, "echo", `{"a":1}`), call(`1`, "refuse", `{}`), call(`1`, "no such tool", `{}`)} {
				want := c.one(line)
				if got := c.one(strings.Replace(line, `{"name":"test","version":"1"}`, info, 1)); got != want {
					t.Errorf("as %.40s: %s\nwant %s", info, got, want)
				}
			}
		}
	})
}

func TestS18_foreignMetadataIsLeftAlone(t *testing.T) {
	const parent, state = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1"
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		want := c.one(call(`1`, "echo", `{}`))
		for _, meta := range []string{
			`"com.example/x":{"a":[1]}`, `"x":1`, `"":null`, `"a/b/c":1`, `"io.modelcontextprotocol/future":{}`, `"mcp.dev/x":1`, `"Protocol Version":"2020-01-01"`,
			`"traceparent":"` + parent + `","tracestate":"` + state + `","baggage":"k=v"`, `"traceparent":7`, `"traceparent":"nonsense","tracestate":{}`,
		} {
			got := c.one(strings.Replace(call(`1`, "echo", `{}`), `"_meta":{`, `"_meta":{`+meta+`,`, 1))
			if got != want {
				t.Errorf("with %s: %s\nwant %s", meta, got, want)
			}
		}
		// What the protocol itself defines is not to be read out of anything that resembles it.
		near := strings.ReplaceAll(list(`2`), "io.modelcontextprotocol/", "IO.modelcontextprotocol/")
		expectError(t, c.one(near), wire.CodeInvalidParams, "2")
	})
}

func TestS19_extensionsAreRefusedOrIgnored(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		declared := func(line string) string {
			return strings.Replace(line, `clientCapabilities":{}`, `clientCapabilities":{"extensions":{"com.example/charts":{"v":2}},"experimental":{"x":{}}}`, 1)
		}
		if got, want := c.one(declared(list(`1`))), c.one(list(`1`)); got != want {
			t.Errorf("a client with an extension gets %s", got)
		}
		if got := c.one(declared(discover(`1`))); strings.Contains(got, "extensions") || strings.Contains(got, "com.example") {
			t.Errorf("the server offers extensions: %s", got)
		}
		expectError(t, c.one(declared(strings.Replace(list(`1`), "tools/list", "com.example/charts/draw", 1))), wire.CodeMethodNotFound, "1")
		c.one(initialize(mcp.V2025_11_25, `{"extensions":{"com.example/charts":{}},"tasks":{}}`))
		expectError(t, c.one(legacy(`2`, "tasks/list", "")), wire.CodeMethodNotFound, "2")
	})
}

func TestS45_onlyWhatWasDeclaredIsAskedFor(t *testing.T) {
	forms := map[string]bool{
		`{}`: false, `{"elicitation":null}`: false, `{"elicitation":{"url":{}}}`: false, `{"sampling":{}}`: false,
		`{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true, `{"elicitation":{"form":{},"url":{}}}`: true,
	}
	for capabilities, may := range forms {
		t.Run(capabilities, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
				var peer Peer
				modes := map[string]error{}
				o, _ := testOptions(catalogFunc(func(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
					peer = call.Peer
					for _, mode := range []string{mcp.ElicitModeURL, mcp.ElicitModeForm} {
						_, modes[mode] = call.Elicit(ctx, mcp.ElicitParams{Mode: mode, Message: "m", URL: "https://example.org", RequestedSchema: []byte(`{"type":"object","properties":{}}`)})
					}
					return &mcp.CallToolResult{}, nil
				}))
				c := connect(t, New(o))
				c.one(initialize(mcp.V2025_11_25, capabilities))
				got := c.one(legacy(`1`, "tools/call", `{"name":"x"}`))
				if asked := strings.Contains(got, `"elicitation/create"`); asked != may {
					t.Errorf("legacy: got %s, want a question: %v", got, may)
				}
				if modes[mcp.ElicitModeURL] != ErrCannotElicit {
					t.Errorf("a mode that this server does not use was asked for: %v", modes)
				}
				if may {
					c.send(`{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","result":{"action":"cancel"}}`)
				}
				// The catalog of a modern server asks by its result; it is told what it may ask for.
				c.one(strings.Replace(call(`2`, "x", `{}`), `clientCapabilities":{}`, `clientCapabilities":`+capabilities, 1))
				if peer.Capabilities.ElicitsForm() != may || !peer.Modern() {
					t.Errorf("modern: the catalog was told %+v", peer)
				}
			})
		})
	}
}

func TestS56_thereAreNoLogMessages(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		if got := c.one(discover(`1`)); strings.Contains(got, "logging") {
			t.Errorf("logging is declared: %s", got)
		}
		asking := func(line string) string {
			return strings.Replace(line, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"debug",`, 1)
		}
		for _, tool := range []string{"echo", "fail", "panic", "count"} {
			if got := c.one(asking(call(`2`, tool, `{}`))); strings.Contains(got, "notifications/message") {
				t.Errorf("%s: %s", tool, got)
			}
		}
		if got := c.one(initialize(mcp.V2025_06_18, `{}`)); strings.Contains(got, "logging") {
			t.Errorf("logging is declared: %s", got)
		}
		expectError(t, c.one(legacy(`3`, "logging/setLevel", `{"level":"debug"}`)), wire.CodeMethodNotFound, "3")
		if got := c.one(legacy(`4`, "tools/call", `{"name":"fail"}`)); strings.Contains(got, "notifications/message") {
			t.Errorf("legacy: %s", got)
		}
	})
}
