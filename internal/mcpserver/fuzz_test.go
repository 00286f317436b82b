package mcpserver

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// lastLine is the request that follows whatever the fuzzer comes up with.
const lastLine = `{"jsonrpc":"2.0","id":"the last one","method":"server/discover","params":{` + modernMeta + `}}`

// serveGarbage feeds a server lines, followed by a good request, and returns the server's. Serving must
// end well, and the good request must be answered.
func serveGarbage(t *testing.T, garbage []byte) []wire.Message {
	t.Helper()
	fake := newFake()
	close(fake.release)
	o, _ := testOptions(fake)
	books := newShelf()
	close(books.settle)
	o.Resources, o.Prompts, o.Completer = books, books, books
	o.Limits.MaxLine, o.DrainTimeout = 8<<10, 10*time.Second // fuzzing stops the process now and then
	var out bytes.Buffer
	judged := judgeable(garbage)
	in, w := mcpschema.New().Tap(io.MultiReader(bytes.NewReader(garbage), strings.NewReader("\n"+lastLine+"\n")), &out, func(fromServer bool, err error) {
		if fromServer && judged {
			t.Errorf("%v\nafter %q", err, garbage)
		}
	})
	if err := New(o).Serve(t.Context(), in, w); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	var all []wire.Message
	for line := range bytes.Lines(out.Bytes()) {
		elements, ok := wire.ParseBatch(line, wire.Limits{})
		if !ok {
			elements = []jsontext.Value{line}
		}
		for _, element := range elements {
			m, refused := wire.Parse(element, wire.Limits{MaxDepth: 200})
			if refused != nil {
				t.Fatalf("the server wrote %q: %s", line, refused.Message)
			}
			all = append(all, m)
		}
	}
	if !slices.ContainsFunc(all, func(m wire.Message) bool {
		return string(m.ID) == `"the last one"` && bytes.Contains(m.Result, []byte("supportedVersions"))
	}) {
		t.Fatalf("after %q the server no longer answered", garbage)
	}
	return all
}

// judgeable reports whether it is certain to which line, and in which revision, each answer belongs. The
// checker reads ahead of the server, so that is so when no id is used twice and at most one line opens a
// session, and that one is good.
func judgeable(garbage []byte) bool {
	opened, ids := 0, map[string]bool{}
	for line := range bytes.Lines(garbage) {
		elements, ok := wire.ParseBatch(line, wire.Limits{})
		if !ok {
			elements = []jsontext.Value{line}
		}
		for _, element := range elements {
			if m, _ := wire.Parse(element, wire.Limits{}); m.ID != nil {
				if ids[string(m.ID)] {
					return false
				}
				ids[string(m.ID)] = true
			}
		}
		if !bytes.Contains(line, []byte("init")) && !bytes.Contains(line, []byte(`\u`)) {
			continue
		}
		opened++
		good := false
		for _, version := range []string{mcp.V2025_03_26, mcp.V2025_06_18, mcp.V2025_11_25} {
			good = good || string(bytes.TrimSpace(line)) == initialize(version, `{}`)
		}
		if opened > 1 || !good {
			return false
		}
	}
	return true
}

// FuzzServe feeds the server whatever the fuzzer comes up with.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize(mcp.V2025_03_26, `{}`) + "\n" + `[{"jsonrpc":"2.0","id":1,"method":"ping"},{}]`,
		initialize(mcp.V2025_11_25, `{"elicitation":{}}`) + "\n" + initialized + "\n" + legacy(`1`, "tools/call", `{"name":"ask"}`) + "\n" + `{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","result":{"action":"accept"}}`,
		initialize(mcp.V2025_06_18, `{}`) + "\n" + legacy(`1`, "tools/list", "") + "\n" + legacy(`2`, "tools/call", `{"name":"list"}`) + "\n" + list(`3`),
		call(`1`, "echo", `{"a":[1,2,{"b":null}]}`), call(`"x"`, "panic", `{}`), call(`2`, "ask", `{}`), call(`3`, "count", `{}`),
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		"\xff\n{}\n[]\n\"\n\x00", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":{}}}}`, strings.Repeat("[", 100),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, garbage []byte) { serveGarbage(t, garbage) })
}

// FuzzRequest lets the fuzzer choose the parts of one request. It is answered exactly once, under its
// own id, by a message that its revision's schema allows.
func FuzzRequest(f *testing.F) {
	for _, method := range []string{mcp.MethodListTools, mcp.MethodCallTool, mcp.MethodDiscover, mcp.MethodListen, mcp.MethodPing, "resources/read", "prompts/get", "completion/complete", ""} {
		f.Add(method, `1`, `{`+modernMeta+`,"name":"echo","arguments":{},"notifications":{}}`)
	}
	for method, members := range map[string]string{
		"resources/list": ``, "resources/templates/list": `,"cursor":null`, "resources/read": `,"uri":"fake:ask"`, "prompts/list": ``, "prompts/get": `,"name":"text","arguments":{"a":"b"}`,
		"completion/complete": `,"ref":{"type":"ref/resource","uri":"fake:{name}"},"argument":{"name":"name","value":"t"}`, mcp.MethodListen: `,"notifications":{"resourceSubscriptions":["fake:a","x"],"promptsListChanged":true}`,
	} {
		f.Add(method, `"i"`, `{`+modernMeta+members+`}`)
	}
	f.Add(mcp.MethodCallTool, `"\ud800"`, `{`+modernMeta+`,"name":"ask","inputResponses":{"confirm":{}},"requestState":"s1"}`)
	f.Add(mcp.MethodCallTool, `-0`, `{"name":"count","_meta":{"progressToken":1}}`)
	f.Add(mcp.MethodListTools, `9007199254740993`, `{"cursor":"","_meta":[]}`)
	f.Fuzz(func(t *testing.T, method, id, params string) {
		line := wire.AppendRequest(nil, jsontext.Value(id), method, jsontext.Value(params))
		m, refused := wire.Parse(line, wire.Limits{})
		if refused != nil || method == mcp.MethodInitialize || string(m.ID) == `"the last one"` || len(line) > 8<<10 || bytes.ContainsAny(line, "\r\n") {
			return // the other target covers what is no request
		}
		answers := 0
		for _, got := range serveGarbage(t, line) {
			if got.Method == "" && string(got.ID) == string(m.ID) {
				answers++
			}
		}
		if answers != 1 {
			t.Errorf("%q was answered %d times", line, answers)
		}
	})
}

// FuzzS10_S12_S18_metadata lets the fuzzer write the metadata of a request. What comes of it is either
// refused, with a code for that, or the same list that any client gets.
func FuzzS10_S12_S18_metadata(f *testing.F) {
	const version, caps = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	for _, meta := range []string{
		`{}`, `[]`, `null`, `{` + version + `}`, `{` + caps + `}`, `{` + version + `,` + caps + `}`, `{` + version + `,` + caps + `,"progressToken":1}`,
		`{` + version + `,` + caps + `,` + version + `}`, `{"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + caps + `}`,
		`{` + version + `,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{}}}`,
		`{` + version + `,` + caps + `,"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1","icons":[]}}`,
		`{` + version + `,` + caps + `,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1","io.modelcontextprotocol/logLevel":"debug"}`,
	} {
		f.Add(meta)
	}
	f.Fuzz(func(t *testing.T, meta string) {
		line := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + meta + `}}`)
		if _, refused := wire.Parse(line, wire.Limits{}); refused != nil || len(line) > 8<<10 || bytes.ContainsAny(line, "\r\n") {
			return
		}
		for _, m := range serveGarbage(t, line) {
			switch {
			case string(m.ID) == `1` && m.Error != nil && m.Error.Code != wire.CodeInvalidParams && m.Error.Code != mcp.CodeUnsupportedVersion:
				t.Errorf("%s gave code %d", meta, m.Error.Code)
			case string(m.ID) == `1` && m.Error == nil && (!strings.ContainsAny(meta, `\`) && !strings.Contains(meta, mcp.V2026_07_28) || !bytes.Contains(m.Result, []byte(`"name":"echo"`))):
				t.Errorf("%s gave %s", meta, m.Result)
			}
		}
	})
}
