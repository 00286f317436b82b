package mcpserver

import (
	"context"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestS10_metadataIsRequired(t *testing.T) {
	const version, caps = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, meta := range []string{
			version, caps, `"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}`,
			version + `,"io.modelcontextprotocol/clientCapabilities":[]`, `"io.modelcontextprotocol/protocolVersion":5,` + caps,
		} {
			for _, method := range []string{"tools/list", "tools/call", "server/discover", "subscriptions/listen"} {
				got := c.one(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"_meta":{` + meta + `},"name":"echo","notifications":{}}}`)
				expectError(t, got, wire.CodeInvalidParams, "1")
			}
		}
		if got := c.one(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` + version + `,` + caps + `}}}`); !strings.Contains(got, `"tools"`) {
			t.Errorf("without clientInfo: %s", got)
		}
	})
}

func TestRule2_noMetadataBeforeInitialize(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, method := range []string{"tools/list", "tools/call", "server/discover", "no/such"} {
			got := c.one(legacy(`1`, method, ""))
			expectError(t, got, wire.CodeInvalidParams, "1")
			if !strings.Contains(got, mcp.MetaProtocolVersion) || !strings.Contains(got, "initialize") {
				t.Errorf("%s: the answer does not name both ways to open: %s", method, got)
			}
		}
	})
}

func TestS11_unsupportedVersion(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, version := range []string{"1900-01-01", "2099-12-31", mcp.V2025_11_25, ""} {
			got := c.one(strings.Replace(call(`1`, "echo", `{}`), mcp.V2026_07_28, version, 1))
			expectError(t, got, mcp.CodeUnsupportedVersion, "1")
			if !strings.Contains(got, `"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"`+version+`"}`) {
				t.Errorf("got %s", got)
			}
		}
	})
}

func TestS12_eachRequestSpeaksForItself(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		var seen []Peer
		o, _ := testOptions(catalogFunc(func(_ context.Context, call *Call) (*mcp.CallToolResult, error) {
			seen = append(seen, call.Peer)
			return &mcp.CallToolResult{}, nil
		}))
		c := connect(t, New(o))
		modern := call(`1`, "x", `{}`)
		for _, line := range []string{
			modern, strings.Replace(modern, `"test"`, `"other"`, 1),
			strings.Replace(modern, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`, 1),
			initialize(mcp.V2025_06_18, `{"elicitation":{}}`), legacy(`2`, "tools/call", `{"name":"x"}`), modern,
			initialize(mcp.V2025_03_26, `{}`), legacy(`3`, "tools/call", `{"name":"x"}`),
			// A request without clientInfo has none, whoever came before it.
			strings.Replace(modern, `"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`, "", 1),
		} {
			c.one(line)
		}
		want := []struct {
			version, name string
			elicits       bool
		}{
			{mcp.V2026_07_28, "test", false},
			{mcp.V2026_07_28, "other", false},
			{mcp.V2026_07_28, "test", true},
			{mcp.V2025_06_18, "old", true},
			{mcp.V2026_07_28, "test", false},
			{mcp.V2025_03_26, "old", false},
			{mcp.V2026_07_28, "", false},
		}
		if len(seen) != len(want) {
			t.Fatalf("%d calls arrived", len(seen))
		}
		for i, w := range want {
			p := seen[i]
			if p.Version != w.version || p.Client.Name != w.name || p.Capabilities.ElicitsForm() != w.elicits || p.Modern() != (w.version == mcp.V2026_07_28) {
				t.Errorf("call %d came from %+v, want %+v", i, p, w)
			}
			if p.Connection != seen[0].Connection || p.Connection == "" {
				t.Errorf("call %d came over %q", i, p.Connection)
			}
		}
	})
}

func TestS15_S16_everyModernResultSaysWhatAndWhose(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		got := c.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+modernMeta+`}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+modernMeta+`}}`,
			call(`3`, "echo", `{}`), call(`4`, "fail", `{}`), call(`5`, "ask", `{}`),
			`{"jsonrpc":"2.0","id":6,"method":"subscriptions/listen","params":{`+modernMeta+`,"notifications":{}}}`)
		if err := c.end(); err != nil {
			t.Fatal(err)
		}
		results := 0
		for _, line := range append(got, c.quiet()...) {
			if !strings.Contains(line, `"result"`) {
				continue
			}
			results++
			if !strings.Contains(line, `"resultType":"`) || !strings.Contains(line, `"io.modelcontextprotocol/serverInfo":{"name":"app","title":"The App","version":"1.2.3"}`) {
				t.Errorf("got %s", line)
			}
		}
		if results != 6 {
			t.Errorf("saw %d results", results)
		}
	})
}

func TestS17_aMissingCapabilityIsPassedOn(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		got := connect(t, s).one(call(`1`, "refuse", `{}`))
		expectError(t, got, mcp.CodeMissingCapability, "1")
		if !strings.Contains(got, `"data":{"requiredCapabilities":{"elicitation":{"form":{}}}}`) {
			t.Errorf("got %s", got)
		}
	})
}

func TestS20_bothErasOnOneConnection(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := connect(t, s)
		c.alive() // the probe
		c.one(initialize(mcp.V2025_11_25, `{"elicitation":{}}`))
		c.alive()
		got := c.send(call(`1`, "wait", `{}`), legacy(`2`, "tools/call", `{"name":"wait"}`), legacy(`3`, "tools/call", `{"name":"ask"}`))
		if len(got) != 1 || !strings.Contains(got[0], `"method":"elicitation/create"`) {
			t.Fatalf("got %q", got)
		}
		close(f.release)
		answers := map[string]string{}
		for _, line := range c.send(`{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","result":{"action":"decline"}}`) {
			m, _ := wire.Parse([]byte(line), wire.Limits{})
			answers[string(m.ID)] = line
		}
		if len(answers) != 3 || !strings.Contains(answers["1"], "resultType") || strings.Contains(answers["2"], "resultType") || !strings.Contains(answers["3"], "decline") {
			t.Errorf("got %q", answers)
		}
	})
}

func TestS21_initializeAtAnyTime(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for asked, want := range map[string]string{
			mcp.V2025_03_26: mcp.V2025_03_26, mcp.V2025_06_18: mcp.V2025_06_18, mcp.V2025_11_25: mcp.V2025_11_25,
			mcp.V2026_07_28: mcp.V2025_11_25, "2024-11-05": mcp.V2025_11_25, "x": mcp.V2025_11_25,
		} {
			if got := c.one(initialize(asked, `{}`)); !strings.Contains(got, `"protocolVersion":"`+want+`"`) {
				t.Errorf("%s was answered with %s", asked, got)
			}
			c.alive()
		}
	})
}

func TestRule1_initializeIsNoModernMethod(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		expectError(t, c.one(legacy(`1`, mcp.MethodInitialize, `{`+meta+`}`)), wire.CodeMethodNotFound, "1")
		expectError(t, c.one(legacy(`2`, "tools/list", ``)), wire.CodeInvalidParams, "2") // so it opened nothing
		expectError(t, c.one(legacy(`3`, mcp.MethodInitialize, `{}`)), wire.CodeInvalidParams, "3")
		// One that is a proper legacy request in all but its metadata still opens.
		if got := c.one(legacy(`4`, mcp.MethodInitialize, `{"protocolVersion":"2025-11-25","capabilities":{},`+meta+`}`)); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
			t.Errorf("got %s", got)
		}
		c.alive()
	})
}

func TestS22_batchesFollowTheSession(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		expectError(t, c.one(batch), wire.CodeInvalidRequest, "")
		c.one(initialize(mcp.V2025_03_26, `{}`))
		if got := c.one(batch); got != `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]` {
			t.Errorf("got %s", got)
		}
		expectError(t, c.one("["+strings.Repeat("1,", maxBatch)+"1]"), wire.CodeInvalidRequest, "")
		c.one(initialize(mcp.V2025_06_18, `{}`))
		expectError(t, c.one(batch), wire.CodeInvalidRequest, "")
	})
}
