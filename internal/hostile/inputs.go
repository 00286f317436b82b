package hostile

import (
	"strings"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Input is what a server has to survive, with the answers that it owes.
type Input struct {
	Name  string
	Lines []string
	Wants []Want
}

// Want is one answer: an error of that code, or a result when Code is 0. The ID "" is that of an error
// about a line whose id cannot be read.
type Want struct {
	ID   string
	Code int
}

// unreadable is the answer to a line of which not even the id is known.
var unreadable = []Want{{Code: wire.CodeInvalidRequest}}

// Inputs returns the list. It is meant for a connection without a legacy session, and leaves none.
func Inputs() []Input {
	big := strings.Repeat("x", 20<<20)
	return append(framing(big), append(ids(), requests()...)...)
}

func framing(big string) []Input {
	deep := strings.Repeat(`{"a":`, 10_000) + `1` + strings.Repeat(`}`, 10_000)
	list := Request(`"t"`, "tools/list", "")
	return []Input{
		{"blank lines", []string{"", "  ", "\t", "\r", ""}, nil},
		{"an empty object", []string{`{}`}, unreadable},
		{"an empty array", []string{`[]`}, unreadable},
		{"arrays of nonsense", []string{`[1,2]`, `[[]]`, `[null]`}, append(append(unreadable, unreadable...), unreadable...)},
		{"a batch", []string{`[` + list + `]`}, unreadable},
		{"other JSON", []string{`7`, `"x"`, `null`, `true`}, append(append(append(unreadable, unreadable...), unreadable...), unreadable...)},
		{"no JSON", []string{`hello`, `{"jsonrpc"`, `{"jsonrpc":"2.0",}`, `{'a':1}`}, []Want{{Code: wire.CodeParse}, {Code: wire.CodeParse}, {Code: wire.CodeParse}, {Code: wire.CodeParse}}},
		{"headers of another framing", []string{"Content-Length: 2\r", "\r", "{}"}, []Want{{Code: wire.CodeParse}, {Code: wire.CodeInvalidRequest}}},
		{"bytes that are not UTF-8", []string{"\xff\xfe\x00", `{"jsonrpc":"2.0","id":"u","method":"` + "\xc3\x28" + `"}`}, []Want{{Code: wire.CodeParse}, {Code: wire.CodeParse}}},
		{"white space around", []string{"  " + list + " \t \r"}, []Want{{ID: `"t"`}}},
		{"a line of 20 MiB", []string{Call(`"big"`, "no_such_tool", `{"x":"`+big+`"}`)}, []Want{{`"big"`, wire.CodeInvalidRequest}}},
		{"a line of 20 MiB without an end in sight", []string{`{"jsonrpc":"2.0","id":"` + big + `"}`, big}, append(unreadable, unreadable...)},
		{"10,000 levels", []string{Call(`"d"`, "no_such_tool", deep), deep, strings.Repeat("[", 10_000)}, []Want{{`"d"`, wire.CodeInvalidRequest}, {Code: wire.CodeInvalidRequest}, {Code: wire.CodeParse}}},
	}
}

func ids() []Input {
	probe := func(id string) string { return Request(id, "tools/list", "") }
	return []Input{
		{"ids that are none", []string{probe(`true`), probe(`null`), probe(`1.5`), probe(`1e3`), probe(`{}`), probe(`[1]`)}, append(append(append(append(append(unreadable, unreadable...), unreadable...), unreadable...), unreadable...), unreadable...)},
		{"ids above 2^53", []string{probe(`9007199254740993`), probe(`-170141183460469231731687303715884105728`)}, []Want{{ID: `9007199254740993`}, {ID: `-170141183460469231731687303715884105728`}}},
		{"odd ids", []string{probe(`""`), probe(`"\ud800"`), probe(`0`), probe(`-0`)}, []Want{{ID: `""`}, {ID: `"\ud800"`}, {ID: `0`}, {ID: `-0`}}},
		{"answers to nothing", []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}`, `{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`}, nil},
		{"cancels of nothing", []string{Cancel(`1`), Cancel(`null`), Cancel(`{}`), `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`}, nil},
		{"unknown notifications", []string{`{"jsonrpc":"2.0","method":"x"}`, `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`}, nil},
	}
}

func requests() []Input {
	const id = `"r"`
	one := func(code int) []Want { return []Want{{id, code}} }
	meta := func(meta string) string { return strings.Replace(Request(id, "tools/list", ""), Meta, meta, 1) }
	version := func(v string) string {
		return strings.Replace(Request(id, "tools/list", ""), mcp.V2026_07_28, v, 1)
	}
	return []Input{
		{"an unknown method", []string{Request(id, "no/such", "")}, one(wire.CodeMethodNotFound)},
		{"an empty method", []string{Request(id, "", "")}, one(wire.CodeInvalidRequest)},
		{"an unknown tool", []string{Call(id, "no_such_tool", `{}`)}, one(wire.CodeInvalidParams)},
		{"a tool with a name of 1 MiB", []string{Call(id, strings.Repeat("n", 1<<20), `{}`)}, one(wire.CodeInvalidParams)},
		{"no tool", []string{Request(id, "tools/call", "")}, one(wire.CodeInvalidParams)},
		{"arguments that are a list", []string{Call(id, "no_such_tool", `[1]`)}, one(wire.CodeInvalidParams)},
		{"params that are a list", []string{`{"jsonrpc":"2.0","id":"r","method":"tools/list","params":[1]}`}, one(wire.CodeInvalidParams)},
		{"params that are a text", []string{`{"jsonrpc":"2.0","id":"r","method":"tools/list","params":"x"}`}, one(wire.CodeInvalidRequest)},
		{"no metadata", []string{Legacy(id, "tools/list", "")}, one(wire.CodeInvalidParams)},
		{"empty metadata", []string{meta(`"_meta":{}`)}, one(wire.CodeInvalidParams)},
		{"metadata that is a list", []string{meta(`"_meta":[]`)}, one(wire.CodeInvalidParams)},
		{"metadata without capabilities", []string{meta(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`)}, one(wire.CodeInvalidParams)},
		{"metadata of wrong types", []string{meta(`"_meta":{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":"all","progressToken":{}}`)}, one(wire.CodeInvalidParams)},
		{"an old version in the metadata", []string{version(mcp.V2025_11_25)}, one(mcp.CodeUnsupportedVersion)},
		{"a version of the future", []string{version("2099-01-01")}, one(mcp.CodeUnsupportedVersion)},
		{"an unknown cursor", []string{Request(id, "tools/list", `,"cursor":"x"`)}, one(wire.CodeInvalidParams)},
		{"1,000 members of params", []string{Request(id, "tools/list", strings.Repeat(`,"a":1`, 1000))}, one(wire.CodeInvalidParams)},
		{"a forged state", []string{Request(id, "tools/call", `,"name":"no_such_tool","requestState":"e30","inputResponses":{"confirm":{"action":"accept"}}`)}, one(wire.CodeInvalidParams)},
		{"a listen without a filter", []string{Request(id, "subscriptions/listen", "")}, one(wire.CodeInvalidParams)},
	}
}

// Survive sends the input and checks the answers, in any order, and that the connection lives on.
func (c *Client) Survive(in Input) {
	c.t.Helper()
	c.Write(in.Lines...)
	open := map[Want]int{}
	for _, w := range in.Wants {
		open[w]++
	}
	for range in.Wants {
		m, ok := c.Next()
		if !ok {
			c.t.Fatalf("%s: the stream ended", in.Name)
		}
		got := Want{ID: string(m.ID)}
		if m.Error != nil {
			got.Code = m.Error.Code
		}
		if open[got]--; open[got] < 0 || m.Method != "" {
			c.t.Errorf("%s: got an answer to %q with code %d, want %v", in.Name, got.ID, got.Code, in.Wants)
		}
	}
	c.Alive()
}
