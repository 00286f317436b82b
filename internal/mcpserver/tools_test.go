package mcpserver

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestS24_toolsAreAskedForOnce(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`
		a, b := connect(t, s), connect(t, s)
		first := a.one(list)
		f.mu.Lock()
		f.names = []string{"echo"}
		f.mu.Unlock()
		if got := b.one(list); got != first {
			t.Error("two connections see different lists before ToolsChanged")
		}
		s.ToolsChanged()
		if got := b.one(list); strings.Count(got, `"inputSchema"`) != 1 {
			t.Errorf("after ToolsChanged: %s", got)
		}
	})
}

func TestS34_legacyClientsGetWhatTheyKnow(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		tests := []struct {
			version                string
			outputSchemas, titles  int
			echo, list             bool // structured content of
			echoSchema, listSchema bool
		}{
			{mcp.V2025_11_25, 1, 9, true, false, true, false},
			{mcp.V2025_06_18, 1, 9, true, false, true, false},
			{mcp.V2025_03_26, 0, 0, false, false, false, false},
		}
		for _, tt := range tests {
			c.one(initialize(tt.version, `{}`))
			tools := c.one(legacy(`1`, "tools/list", ""))
			if n := strings.Count(tools, `"outputSchema"`); n != tt.outputSchemas {
				t.Errorf("%s: %d output schemas", tt.version, n)
			}
			if n := strings.Count(tools, `"title"`); n != tt.titles {
				t.Errorf("%s: %d titles", tt.version, n)
			}
			if strings.Contains(tools, "ttlMs") || strings.Contains(tools, "resultType") {
				t.Errorf("%s: modern fields in %s", tt.version, tools)
			}
			if got := c.one(legacy(`2`, "tools/call", `{"name":"echo","arguments":{"x":1}}`)); strings.Contains(got, "structuredContent") != tt.echo {
				t.Errorf("%s: an object: %s", tt.version, got)
			}
			if got := c.one(legacy(`3`, "tools/call", `{"name":"list"}`)); strings.Contains(got, "structuredContent") != tt.list {
				t.Errorf("%s: an array: %s", tt.version, got)
			}
		}
	})
}

func TestContent_byRevision(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, version string
		block         mcp.Content
		want          string
	}{
		{"text", mcp.V2025_03_26, mcp.Text("a\n\xff"), `{"type":"text","text":"a\n�"}`},
		{"empty text", mcp.V2026_07_28, mcp.Text(""), `{"type":"text","text":""}`},
		{"image", mcp.V2026_07_28, mcp.Content{Type: mcp.ContentImage, Data: []byte{1, 2}, MIMEType: "image/png"}, `{"type":"image","data":"AQI=","mimeType":"image/png"}`},
		{"link", mcp.V2025_06_18, mcp.Content{Type: mcp.ContentLink, URI: "a:b", Name: "n"}, `{"type":"resource_link","uri":"a:b","name":"n"}`},
		{"link before there were links", mcp.V2025_03_26, mcp.Content{Type: mcp.ContentLink, URI: "a:b", Name: "n"}, `{"type":"text","text":"n: a:b"}`},
		{"empty embedded text", mcp.V2025_03_26, mcp.Content{Type: mcp.ContentEmbedded, Resource: &mcp.ResourceContents{URI: "a:b"}}, `{"type":"resource","resource":{"uri":"a:b","text":""}}`},
		{"embedded bytes", mcp.V2025_03_26, mcp.Content{Type: mcp.ContentEmbedded, Resource: &mcp.ResourceContents{URI: "a:b", Blob: []byte{}}}, `{"type":"resource","resource":{"uri":"a:b","blob":""}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := appendContent(nil, tt.version, tt.block)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestResult_brokenStructuredContentIsNotSent(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		o, _ := testOptions(catalogFunc(func(context.Context, *Call) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: jsontext.Value(`{"a":}`)}, nil
		}))
		if got := connect(t, New(o)).one(call(`1`, "x", `{}`)); !strings.Contains(got, `"isError":true`) {
			t.Errorf("got %s", got)
		}
	})
}

func TestS43_unknownCursor(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, cursor := range []string{`"x"`, `""`, `5`} {
			got := c.one(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `,"cursor":` + cursor + `}}`)
			expectError(t, got, wire.CodeInvalidParams, "1")
		}
	})
}

func TestS44_inputRequiredNeedsAModernClientAndSomethingToAsk(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		o, _ := testOptions(catalogFunc(func(_ context.Context, call *Call) (*mcp.CallToolResult, error) {
			return nil, &InputRequired{State: call.Name}
		}))
		c := connect(t, New(o))
		if got := c.one(call(`1`, "s", `{}`)); !strings.Contains(got, `"requestState":"s"`) || strings.Contains(got, "inputRequests") {
			t.Errorf("state only: %s", got)
		}
		c.one(initialize(mcp.V2025_11_25, `{"elicitation":{}}`))
		if got := c.one(legacy(`2`, "tools/call", `{"name":"s"}`)); !strings.Contains(got, `"isError":true`) || strings.Contains(got, "requestState") {
			t.Errorf("legacy: %s", got)
		}
	})
}

func TestS54_nothingIsSentAfterACancel(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := connect(t, s)
		cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1\u0032"}}`
		c.send(strings.Replace(call(`"1\u0032"`, "wait", `{}`), `_meta":{`, `_meta":{"progressToken":1,`, 1))
		if got := c.send(cancel, cancel); len(got) != 0 {
			t.Errorf("got %q", got)
		}
		if len(f.ended) != 1 || f.ended[0] != errCancelled {
			t.Errorf("the call's context ended with %v", f.ended)
		}
		close(f.release)
		if got := c.one(call(`"1\u0032"`, "wait", `{}`)); !strings.Contains(got, "released") {
			t.Errorf("the id is not free again: %s", got)
		}
		if err := c.end(); err != nil {
			t.Error(err)
		}
		if got := c.quiet(); len(got) != 0 {
			t.Errorf("late: %q", got)
		}
	})
}

func TestS54_aCancelReachesAnAnswerThatWaitsForRoom(t *testing.T) {
	bubble(t, func(o *Options) { o.Queue = 1 }, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := dial(t, s)
		synctest.Wait()
		// The writer is stuck with the first answer, the second waits in the queue, and the
		// third waits for room.
		for _, id := range []string{`1`, `2`, `3`} {
			c.send(call(id, "wait", `{}`))
		}
		close(f.release)
		synctest.Wait()
		s.mu.Lock()
		var open []string
		for conn := range s.conns {
			conn.mu.Lock()
			for id := range conn.flights {
				open = append(open, id)
			}
			conn.mu.Unlock()
		}
		s.mu.Unlock()
		if len(open) != 1 {
			t.Fatalf("%v wait for room", open)
		}
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + open[0] + `}}`)
		go c.read()
		if got := c.quiet(); len(got) != 2 || strings.Contains(strings.Join(got, ""), `"id":`+open[0]) {
			t.Errorf("got %q", got)
		}
	})
}

func TestS55_progress(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		var late func(float64, float64, string)
		o, _ := testOptions(catalogFunc(func(_ context.Context, call *Call) (*mcp.CallToolResult, error) {
			late = call.Progress
			for _, done := range []float64{math.NaN(), math.Inf(1), -1, -1, 0.5, 0.25, 1e20} {
				call.Progress(done, 0, "")
			}
			return &mcp.CallToolResult{}, nil
		}))
		c := connect(t, New(o))
		got := c.send(strings.Replace(call(`1`, "x", `{}`), `_meta":{`, `_meta":{"progressToken":"t",`, 1))
		var seen []string
		for _, line := range got {
			if _, rest, ok := strings.Cut(line, `"progressToken":"t","progress":`); ok {
				seen = append(seen, strings.TrimRight(rest, "}"))
			}
		}
		if strings.Join(seen, " ") != "-1 0.5 1e+20" || len(got) != 4 {
			t.Errorf("got %q", got)
		}
		late(1e21, 0, "")
		if got := c.quiet(); len(got) != 0 {
			t.Errorf("after the end: %q", got)
		}
	})
}

func TestS55_progressIsLimited(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		const steps = 10_000
		o, _ := testOptions(catalogFunc(func(_ context.Context, call *Call) (*mcp.CallToolResult, error) {
			for i := range steps {
				call.Progress(float64(i+1), steps, "")
				if i == steps/2 {
					time.Sleep(time.Second)
				}
			}
			return &mcp.CallToolResult{}, nil
		}))
		c := connect(t, New(o))
		got := c.send(strings.Replace(call(`1`, "x", `{}`), `_meta":{`, `_meta":{"progressToken":1,`, 1))
		time.Sleep(2 * time.Second)
		got = append(got, c.quiet()...)
		if n := len(got); n < 60 || n > 110 {
			t.Errorf("%d lines", n)
		}
		if last := got[len(got)-2]; !strings.Contains(last, `"progress":10000,"total":10000`) {
			t.Errorf("the last report is %s", last)
		}
	})
}
