package mcpschema

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func modern(id, method, members string) string {
	return `> {"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + meta + members + `}}`
}

func call(id string) string { return modern(id, "tools/call", `,"name":"echo","arguments":{}`) }

func result(id, members string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":{` + members + `}}`
}

func opening(version string) []string {
	return []string{
		`> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`,
		`> {"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
}

const (
	listTools  = `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	legacyEcho = `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}`
	complete   = `"resultType":"complete"`
	listen     = `,"notifications":{"toolsListChanged":true}`
	acked      = `< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7},"notifications":{"toolsListChanged":true}}}`
	changed    = `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`
)

func progress(value string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":` + value + `}}`
}

func logged(level string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":null}}`
}

// TestConversations plays conversations, "> " from the client and "< " from the server. All lines but
// the last are right; the last is refused for the reason, or right too.
func TestConversations(t *testing.T) {
	t.Parallel()
	withToken := strings.Replace(call(`1`), `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	wantsLog := strings.Replace(call(`1`), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"warning",`, 1)
	toolList := result(`1`, `"tools":[{"name":"echo","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["a"]}}]`)
	for _, tt := range []struct {
		name   string
		before []string
		last   string
		want   string // part of the reason; "" when the last line is right
	}{
		{"a modern call", []string{call(`1`)}, result(`1`, complete+`,"content":[]`), ""},
		{"ids are raw", []string{call(`"1"`)}, result(`1`, complete+`,"content":[]`), "no request in flight"},
		{"two answers", []string{call(`1`), result(`1`, complete+`,"content":[]`)}, result(`1`, complete+`,"content":[]`), "no request in flight"},
		{"the result of another method", []string{call(`1`)}, result(`1`, complete+`,"tools":[]`), "not a CallToolResult of 2026-07-28"},
		{"the place of the mistake", []string{call(`1`)}, result(`1`, complete+`,"content":[{"type":"text"}]`), "at '/content/0"},
		{"a modern result without its type", []string{call(`1`)}, result(`1`, `"content":[]`), "resultType"},
		{"a legacy call", append(opening(mcp.V2025_06_18), legacyEcho), result(`2`, `"content":[]`), ""},
		{"both eras", append(opening(mcp.V2025_06_18), call(`1`)), result(`1`, `"content":[]`), "not a JSONRPCResultResponse of 2026-07-28"},
		{"a request without metadata", nil, listTools, "not a ListToolsRequest of 2026-07-28"},
		{"a modern ping", nil, modern(`1`, "ping", ""), "does not have"},
		{"a ping before the opening", nil, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`, ""},
		{"an unknown notification", nil, `> {"jsonrpc":"2.0","method":"x"}`, "does not have"},
		{"an interim result", []string{call(`1`)}, result(`1`, `"resultType":"input_required","requestState":"s"`), ""},
		{"an empty interim result", []string{call(`1`)}, result(`1`, `"resultType":"input_required"`), "neither requests nor a state"},
		{"an interim result with caching", []string{call(`1`)}, result(`1`, `"resultType":"input_required","requestState":"s","ttlMs":1`), "caching hints"},
		{"an interim list", []string{modern(`1`, "tools/list", "")}, result(`1`, `"resultType":"input_required","requestState":"s"`), "cannot have one"},
		{"a malformed question", []string{call(`1`)}, result(`1`, `"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}`), "not a InputRequiredResult"},
		{"a list without caching", []string{modern(`1`, "tools/list", "")}, result(`1`, complete+`,"tools":[]`), "ttlMs"},
		{"an error", []string{call(`1`)}, `< {"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"m"}}`, ""},
		{"an error with a reserved code", []string{call(`1`)}, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"m"}}`, "reserved code"},
		{"an error without its data", []string{call(`1`)}, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}`, "not a UnsupportedProtocolVersionError"},
		{"an error to nothing", nil, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"m"}}`, "no request in flight"},
		{"an error about an unreadable id", nil, `< {"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`, ""},
		{"an error to a legacy client", append(opening(mcp.V2025_06_18), legacyEcho), `< {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"m"}}`, ""},
		{"a modern question of the server", []string{call(`1`)}, `< {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`, "does not have"},
		{"a legacy question of the server", opening(mcp.V2025_06_18), `< {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`, ""},
		{"before there were questions", opening(mcp.V2025_03_26), `< {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{}}`, "does not have"},
		{"a nested form", opening(mcp.V2025_06_18), `< {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}`, "not a ElicitRequest"},
		{"an answer without an action", append(opening(mcp.V2025_06_18), `< {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`), `> {"jsonrpc":"2.0","id":"a","result":{}}`, "not a ElicitResult"},
		{"progress", []string{withToken, progress(`1`)}, progress(`2`), ""},
		{"progress that stands still", []string{withToken, progress(`1`)}, progress(`1`), "after 1"},
		{"progress after the end", []string{withToken, result(`1`, complete+`,"content":[]`)}, progress(`1`), "no request in flight"},
		{"progress of another", []string{call(`1`)}, progress(`1`), "no request in flight"},
		{"a subscription", []string{modern(`7`, "subscriptions/listen", listen), acked}, changed, ""},
		{"a change before the acknowledgement", []string{modern(`7`, "subscriptions/listen", listen)}, changed, "before its acknowledgement"},
		{"a change for nobody", nil, changed, "not open"},
		{"a change without a subscription", nil, `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "no subscription"},
		{"a message to the log", []string{wantsLog}, logged("error"), ""},
		{"a message below the level", []string{wantsLog}, logged("info"), "no request in flight asks for"},
		{"a message after the end", []string{wantsLog, result(`1`, complete+`,"content":[]`)}, logged("error"), "no request in flight asks for"},
		{"a message that nobody wants", []string{call(`1`)}, logged("emergency"), "no request in flight asks for"},
		{"a message of a legacy server", opening(mcp.V2025_06_18), logged("debug"), ""},
		{"a batch", opening(mcp.V2025_03_26), `> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`, ""},
		{"an empty batch", opening(mcp.V2025_03_26), `> []`, "empty batch"},
		{"a batch later", opening(mcp.V2025_06_18), `> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "a batch"},
		{"a line without end", nil, `> {"jsonrpc":"2.0","id":"` + strings.Repeat("x", 16<<20) + `"}`, "nobody needs to read"},
		{"no JSON", nil, `> hello`, "not valid JSON"},
		{"an id of null", nil, `> {"jsonrpc":"2.0","id":null,"method":"ping"}`, "id of a message"},
		{"a result that keeps its promise", append(opening(mcp.V2025_06_18), listTools, toolList, legacyEcho), result(`2`, `"content":[],"structuredContent":{"a":1}`), ""},
		{"a result that breaks its promise", append(opening(mcp.V2025_06_18), listTools, toolList, legacyEcho), result(`2`, `"content":[],"structuredContent":{}`), "outputSchema does not allow"},
		{"a result without what it promised", append(opening(mcp.V2025_06_18), listTools, toolList, legacyEcho), result(`2`, `"content":[]`), "without the structured content"},
		{"a failure promises nothing", append(opening(mcp.V2025_06_18), listTools, toolList, legacyEcho), result(`2`, `"content":[],"isError":true`), ""},
		{"two tools of one name", append(opening(mcp.V2025_06_18), listTools), result(`1`, `"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"a","inputSchema":{"type":"object"}}]`), "two tools"},
		{"a name with a space", append(opening(mcp.V2025_06_18), listTools), result(`1`, `"tools":[{"name":"a b","inputSchema":{"type":"object"}}]`), "outside the grammar"},
		{"a schema that is none", append(opening(mcp.V2025_06_18), listTools), result(`1`, `"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"txt"}}}}]`), "inputSchema of a"},
		{"a schema that needs the network", append(opening(mcp.V2025_06_18), listTools), result(`1`, `"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"$ref":"https://example.org/s"}}}}]`), "nothing is fetched"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := New()
			for _, line := range tt.before {
				if err := c.CheckLine([]byte(line[2:]), "", line[0] == '<'); err != nil {
					t.Fatalf("before the last line: %v", err)
				}
			}
			err := c.CheckLine([]byte(tt.last[2:]), "", tt.last[0] == '<')
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want a complaint about %q", err, tt.want)
			}
		})
	}
}

func TestANamedRevisionWins(t *testing.T) {
	t.Parallel()
	line := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if err := New().CheckLine(line, mcp.V2025_11_25, false); err != nil {
		t.Error(err)
	}
	if err := New().CheckLine(line, "2024-01-01", false); err == nil || !strings.Contains(err.Error(), "no schema of the revision") {
		t.Errorf("an unknown revision: %v", err)
	}
}

func TestARefusedRequestMayBeAnswered(t *testing.T) {
	t.Parallel()
	c := New()
	if err := c.CheckLine([]byte(`{"jsonrpc":"2.0","id":1,"method":"no/such"}`), "", false); err == nil {
		t.Error("an unknown method is let pass")
	}
	if err := c.CheckLine([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}`), "", true); err != nil {
		t.Error(err)
	}
}

func TestTap(t *testing.T) {
	t.Parallel()
	var found []string
	in := strings.NewReader(call(`1`)[2:] + "\r\n\n" + "nonsense\n" + `{"unfinished`)
	var out strings.Builder
	r, w := New().Tap(in, &out, func(_ bool, err error) { found = append(found, err.Error()) })
	if passed, err := io.ReadAll(r); err != nil || len(passed) != int(in.Size()) {
		t.Errorf("%d of %d bytes passed: %v", len(passed), in.Size(), err)
	}
	answer := result(`1`, complete+`,"content":[]`)[2:] + "\n"
	for _, part := range []string{answer[:9], answer[9:], `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"} {
		if _, err := io.WriteString(w, part); err != nil {
			t.Error(err)
		}
	}
	if len(found) != 2 || !strings.Contains(found[0], "the client wrote") || !strings.Contains(found[1], "the server wrote") {
		t.Errorf("reported %q", found)
	}
	if err := r.(io.Closer).Close(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Close of what cannot be closed: %v", err)
	}
}

// loop is a connection to a server that says everything at once.
type loop struct {
	io.Reader
	io.Writer
	closed *bool
}

func (l loop) Close() error { *l.closed = true; return nil }

func TestTapConn(t *testing.T) {
	t.Parallel()
	var found []string
	closed := false
	says := result(`1`, complete+`,"content":[]`)[2:] + "\n" + result(`1`, complete)[2:] + "\n"
	conn := New().TapConn(loop{strings.NewReader(says), io.Discard, &closed}, func(fromServer bool, err error) {
		found = append(found, fmt.Sprint(fromServer, " ", err))
	})
	if _, err := io.WriteString(conn, call(`1`)[2:]+"\nnonsense\n"); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(conn); err != nil {
		t.Error(err)
	}
	if err := conn.Close(); err != nil || !closed {
		t.Errorf("Close: %v", err)
	}
	if len(found) != 2 || !strings.HasPrefix(found[0], "false the client wrote") || !strings.HasPrefix(found[1], "true the server wrote: an answer to 1") {
		t.Errorf("reported %q", found)
	}
}
