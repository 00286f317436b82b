package hosttest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// liarTools are what the liar lists: one tool that works, tools whose calls are answered wrongly, and tools that cannot be
// used at all.
const liarTools = `{"tools":[
	{"name":"echo","description":"Says a text back.","inputSchema":{"type":"object","properties":{"text":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"string"}}},"annotations":{"readOnlyHint":true}},
	{"name":"no_json","inputSchema":{"type":"object"}},
	{"name":"number","inputSchema":{"type":"object"}},
	{"name":"result_and_error","inputSchema":{"type":"object"}},
	{"name":"twice","inputSchema":{"type":"object"}},
	{"name":"wrong_id","inputSchema":{"type":"object"}},
	{"name":"wrong_type","inputSchema":{"type":"object"}},
	{"name":"broken list","inputSchema":[]},
	{"name":"broken string","inputSchema":{"type":"string"}},
	{"name":7},
	"no tool",
	{"name":"echo","description":"Another of this name.","inputSchema":{"type":"object"}}
]}`

// lie is a server made by hand. The option "list=FILE" lists what is in a file, "list=wrong_id" and the like answer the list
// itself wrongly.
func lie(in io.Reader, options []string) int {
	list, wrong := liarTools, ""
	for _, o := range options {
		path, ok := strings.CutPrefix(o, "list=")
		if !ok {
			continue
		}
		if text, err := os.ReadFile(path); err == nil {
			list = string(text)
		} else {
			wrong = path
		}
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		m, refused := wire.Parse(lines.Bytes(), wire.Limits{})
		if refused != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case mcp.MethodDiscover:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`+"\n", m.ID)
		case mcp.MethodListTools:
			answerAs(wrong, m.ID, wire.OneLine(jsontext.Value(list)))
		case mcp.MethodCallTool:
			var call mcp.CallToolParams
			if err := json.Unmarshal(m.Params, &call); err != nil {
				return 1
			}
			answerAs(call.Name, m.ID, jsontext.Value(`{"resultType":"complete","content":[{"type":"text","text":"the truth"}]}`))
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
		}
	}
	return 0
}

// answerAs answers a request in a way that is wrong, or rightly when the way is none of those.
func answerAs(way string, id, result jsontext.Value) {
	format := `{"jsonrpc":"2.0","id":%s,"result":%s}` + "\n"
	switch way {
	case "no_json":
		format = `{"jsonrpc":"2.0","id":%s,"result":{"content":[` + "\n%.0s"
	case "number":
		result = jsontext.Value("7")
	case "result_and_error":
		format = `{"jsonrpc":"2.0","id":%s,"result":%s,"error":{"code":1,"message":"x"}}` + "\n"
	case "twice":
		fmt.Printf(format, id, result)
		result = jsontext.Value(`{"content":[{"type":"text","text":"something else"}]}`)
	case "wrong_id":
		id = jsontext.Value(`"another"`)
	case "wrong_type":
		result = jsontext.Value(`{"content":{"text":7},"isError":"no"}`)
	}
	fmt.Printf(format, id, result)
}

// flood writes more than anybody wants to read: a line without end, then messages that mean nothing, again and again.
func flood() {
	long := strings.Repeat("x", 1<<20)
	for range 20 {
		fmt.Print(long)
	}
	fmt.Println()
	many := strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`+"\n"+
		`{"jsonrpc":"2.0","id":99999,"result":{}}`+"\n", 30)
	go func() {
		for {
			fmt.Print(many)
			fmt.Fprint(os.Stderr, strings.Repeat("flood ", 1000))
			time.Sleep(5 * time.Millisecond)
		}
	}()
}
