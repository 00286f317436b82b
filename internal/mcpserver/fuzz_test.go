package mcpserver

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// FuzzServe feeds the server whatever the fuzzer comes up with. It must stay alive, answer
// the valid request that follows, and write nothing but messages.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize(mcp.V2025_03_26, `{}`) + "\n" + `[{"jsonrpc":"2.0","id":1,"method":"ping"},{}]`,
		initialize(mcp.V2025_11_25, `{"elicitation":{}}`) + "\n" + initialized + "\n" + legacy(`1`, "tools/call", `{"name":"ask"}`) + "\n" + `{"jsonrpc":"2.0","id":"ask-AAAAAAAA-1","result":{"action":"accept"}}`,
		call(`1`, "echo", `{"a":[1,2,{"b":null}]}`), call(`"x"`, "panic", `{}`), call(`2`, "ask", `{}`), call(`3`, "count", `{}`),
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		"\xff\n{}\n[]\n\"\n\x00", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":{}}}}`, strings.Repeat("[", 100),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, garbage []byte) {
		fake := newFake()
		close(fake.release)
		o, _ := testOptions(fake)
		o.Limits.MaxLine = 8 << 10
		var out bytes.Buffer
		in := io.MultiReader(bytes.NewReader(garbage), strings.NewReader("\n"+`{"jsonrpc":"2.0","id":"the last one","method":"server/discover","params":{`+modernMeta+`}}`+"\n"))
		if err := New(o).Serve(t.Context(), in, &out); err != nil {
			t.Fatalf("Serve: %v", err)
		}
		answered := 0
		lines := bufio.NewScanner(&out)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			line := lines.Bytes()
			if elements, ok := wire.ParseBatch(line, wire.Limits{}); ok && len(elements) > 0 {
				continue
			}
			m, refused := wire.Parse(line, wire.Limits{MaxDepth: 200})
			if refused != nil {
				t.Fatalf("the server wrote %q: %s", line, refused.Message)
			}
			if string(m.ID) == `"the last one"` && bytes.Contains(m.Result, []byte("supportedVersions")) {
				answered++
			}
		}
		if answered < 1 {
			t.Fatalf("after %q the server no longer answered", garbage)
		}
	})
}
