package mcpclient

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// FuzzConnect lets a server say anything and then end. Connecting and calling must come to an end too.
func FuzzConnect(f *testing.F) {
	answer := func(id, result string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + "}\n" }
	f.Add([]byte(answer("1", discovered) + answer("2", `{"content":[]}`)))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}` + "\n" + answer("2", `{"protocolVersion":"2025-03-26"}`) + answer("3", `{"content":[]}`)))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2025-06-18"]}}}` + "\n"))
	f.Add([]byte("garbage\n\n[]\n[1,2]\n" + answer("1", `{"supportedVersions":["2026-07-28"]}`) + answer("2", `{"resultType":"input_required","requestState":"s"}`)))
	f.Add([]byte(answer("1", discovered) + `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}` + "\n"))
	f.Fuzz(func(t *testing.T, says []byte) {
		tr := Pipe(func(_ context.Context, r io.Reader, w io.Writer) error {
			var reading sync.WaitGroup
			reading.Go(func() { io.Copy(io.Discard, r) })
			_, err := w.Write(says)
			r.(io.Closer).Close()
			reading.Wait()
			return err
		})
		c, err := Connect(t.Context(), tr, Options{Elicit: accept})
		if err != nil {
			return
		}
		defer c.Close()
		if _, err := c.ListTools(t.Context()); err == nil {
			_, err = c.CallTool(t.Context(), "x", nil, CallOptions{})
			if r, err2 := c.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil && err2 == nil {
				t.Errorf("the connection came back to life: %v, then %+v", err, r)
			}
		}
	})
}

// FuzzReceive feeds single lines to a connection with requests in flight.
func FuzzReceive(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, `[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":1,"result":2}]`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, `{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1e400}}`, `{"id":1,"result":`, `{`, `[`, "\xff",
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.Trim(line, " \t\r\n")
		if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
			return // The reader never hands these on.
		}
		c := &Client{opts: Options{Elicit: accept, Log: slog.New(slog.DiscardHandler), OnNotification: func(string, jsontext.Value) {}}.withDefaults()}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		c.queue.start(c)
		in, _ := io.Pipe()
		l := newLink(struct {
			io.Reader
			io.Writer
			io.Closer
		}{in, io.Discard, in}, c, c.opts.Log, &c.skipped)
		l.initialized.Store(true)
		l.batches.Store(true)
		c.link = l
		var waiting []*pending
		for range 2 {
			p, err := l.begin(t.Context(), "x", func(jsontext.Value) (jsontext.Value, error) { return nil, nil })
			if err != nil {
				t.Fatal(err)
			}
			waiting = append(waiting, p)
		}
		l.receive(line)
		for _, p := range waiting {
			answered := len(p.reply) == 1
			if still := l.drop(p); still == answered {
				t.Errorf("request %s: answered %v, still waiting %v", p.id, answered, still)
			}
		}
		c.Close()
	})
}

// FuzzDecode reads results of every kind from the same bytes.
func FuzzDecode(f *testing.F) {
	for _, result := range []string{
		discovered, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"x","version":"1"}}`, `{"tools":[` + tool("a") + `,7,{"name":"b"}],"nextCursor":"x"}`,
		tool("a"), `{"content":[{"type":"text","text":"x"},{"type":"image","data":"AA=="}],"structuredContent":{"a":1},"isError":true}`,
		`{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m"}}}}`,
		`{"progressToken":"a","progress":1,"total":2,"message":"m"}`, `{"supported":["2025-11-25"],"requested":"x"}`, `{"jsonrpc":"2.0","id":"a","result":`,
	} {
		f.Add([]byte(result))
	}
	c := &Client{opts: Options{Elicit: accept}.withDefaults(), ctx: context.Background()}
	f.Fuzz(func(t *testing.T, b []byte) {
		if id := responseID(b); id != nil && !wire.ValidID(id) {
			t.Errorf("responseID found %q", id)
		}
		raw := jsontext.Value(b)
		if !raw.IsValid(jsontext.AllowDuplicateNames(true)) {
			return // What follows only ever sees values that wire has checked.
		}
		if o, err := decodeOpening(raw); err == nil && len(o.versions) == 0 {
			t.Error("an opening without a version")
		}
		if p, err := decodeProgress(raw); err == nil && !wire.ValidID(p.Token) {
			t.Errorf("progress token %q", p.Token)
		}
		supportedVersions(&wire.Error{Data: raw})
		if r, err := decodeCallResult(raw); err == nil {
			for _, content := range r.Content {
				if content.Type == "" {
					t.Error("content without a type")
				}
			}
		}
		list := toolList{skipped: func(int64, string, error) {}, names: map[string]bool{}}
		if _, err := list.addPage(raw); err == nil {
			for _, tool := range list.tools {
				if _, err := json.Marshal(tool, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil || tool.Name == "" {
					t.Errorf("tool %+v: %v", tool, err)
				}
			}
		}
		if members, err := c.answers(t.Context(), raw); err == nil {
			if line := members.json(); !line.IsValid(jsontext.AllowDuplicateNames(true)) || bytes.IndexByte(line, '\n') >= 0 {
				t.Errorf("answers %q", line)
			}
		}
		if kind, err := resultType(raw); err == nil && kind == mcp.ResultInputRequired && raw.Kind() != '{' {
			t.Errorf("a result of kind %v", raw.Kind())
		}
	})
}
