package streamable

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestC16_versionAndMethodInHeaders(t *testing.T) {
	t.Parallel()
	p := serve(t, func(s *sent) {
		version := `"` + s.r.Header.Get("MCP-Protocol-Version") + `"`
		if got := s.meta(mcp.MetaProtocolVersion); got != version || s.r.Header.Get("Mcp-Method") != s.Method || s.r.Header.Get("Mcp-Session-Id") != "" {
			s.t.Errorf("%s with the version %s has the headers %v", s.Method, got, s.r.Header)
		}
		modern(func(s *sent) { s.result(noTool) })(s)
	})
	c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Error(err)
	}
	if got := p.requests(); got != "POST server/discover, POST tools/list" {
		t.Errorf("requests: %s", got)
	}
}

func TestC17_nameInAHeader(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, member, name, want string }{
		{mcp.MethodCallTool, "name", "get_weather", "get_weather"},
		{mcp.MethodCallTool, "name", "a b", "a b"},
		{mcp.MethodCallTool, "name", " padded ", "=?base64?IHBhZGRlZCA=?="},
		{mcp.MethodCallTool, "name", "line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
		{mcp.MethodCallTool, "name", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{"prompts/get", "name", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"prompts/get", "name", "=?base64?only the beginning", "=?base64?only the beginning"},
		{"resources/read", "uri", "file:///a/b.json", "file:///a/b.json"},
		{"tools/list", "", "", ""},
	} {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan []string, 1)
			p := serve(t, modern(func(s *sent) {
				got <- s.r.Header.Values("Mcp-Name")
				s.refuse(http.StatusBadRequest, wire.CodeInvalidParams, "enough")
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			var params map[string]string
			if tt.member != "" {
				params = map[string]string{tt.member: tt.name}
			}
			if _, err := c.Request(t.Context(), tt.method, params); err == nil {
				t.Error("no error")
			}
			want := []string{tt.want}
			if tt.member == "" {
				want = nil
			}
			if header := within(t, got, "the request"); !slices.Equal(header, want) {
				t.Errorf("Mcp-Name is %q, want %q", header, want)
			}
		})
	}
}

// annotated is a tool with parameters in headers.
const annotated = `{"name":"query","inputSchema":{"type":"object","properties":{` +
	`"region":{"type":"string","x-mcp-header":"Region"},` +
	`"limit":{"type":["integer","null"],"x-mcp-header":"limit"},` +
	`"dry":{"type":"boolean","x-mcp-header":"Dry"},` +
	`"where":{"type":"object","properties":{"x-mcp-header":{"type":"string","x-mcp-header":"Deep"}}},` +
	`"free":{"type":"string","default":{"x-mcp-header":"no annotation"},"enum":["x-mcp-header"]}}}}`

// page is a result of tools/list.
func page(next string, tools ...string) string {
	if next != "" {
		next = fmt.Sprintf(`,"nextCursor":%q`, next)
	}
	return `{"resultType":"complete","ttlMs":0,"cacheScope":"private"` + next + `,"tools":[` + strings.Join(tools, ",") + `]}`
}

func TestC18_parametersInHeaders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, args string
		want       map[string]string
		refused    string
	}{
		{"all", `{"region":"eu","limit":7,"dry":true,"where":{"x-mcp-header":"x"},"free":"f"}`, map[string]string{"Region": "eu", "Limit": "7", "Dry": "true", "Deep": "x"}, ""},
		{"none", `{}`, nil, ""},
		{"null", `{"region":null,"limit":null}`, nil, ""},
		{"encoded", `{"region":"größer"}`, map[string]string{"Region": "=?base64?Z3LDtsOfZXI=?="}, ""},
		{"empty", `{"region":""}`, map[string]string{"Region": ""}, ""},
		{"escaped", `{"region":"a\u0062\r\nHost: evil"}`, map[string]string{"Region": "=?base64?" + base64.StdEncoding.EncodeToString([]byte("ab\r\nHost: evil")) + "?="}, ""},
		{"numbers", `{"limit":-12e2}`, map[string]string{"Limit": "-1200"}, ""},
		{"a whole fraction", `{"limit":42.0}`, map[string]string{"Limit": "42"}, ""},
		{"a fraction", `{"limit":4.5}`, map[string]string{"Limit": "4.5"}, ""},
		{"the largest", `{"limit":9007199254740991}`, map[string]string{"Limit": "9007199254740991"}, ""},
		{"too large", `{"limit":9007199254740992}`, nil, "2^53-1"},
		{"far too large", `{"limit":1e999999999}`, nil, "cannot be carried"},
		{"no primitive", `{"region":["eu"],"where":"x"}`, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan http.Header, 1)
			p := serve(t, modern(func(s *sent) {
				if s.Method == mcp.MethodListTools {
					s.result(page("", annotated))
					return
				}
				got <- s.r.Header
				s.result(called)
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
				t.Fatalf("%d tools, %v", len(tools), err)
			}
			_, err := call(t, c, "query", jsontext.Value(tt.args))
			if tt.refused != "" {
				mention(t, err, tt.refused, "limit")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			header := within(t, got, "the call")
			for name := range header {
				if short, ok := strings.CutPrefix(name, "Mcp-Param-"); ok && !slices.Contains(keys(tt.want), short) {
					t.Errorf("unexpected header %s: %q", name, header[name])
				}
			}
			for name, want := range tt.want {
				if v := header["Mcp-Param-"+name]; !slices.Equal(v, []string{want}) {
					t.Errorf("Mcp-Param-%s is %q, want %q", name, v, want)
				}
			}
		})
	}
}

func keys(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func TestC19_invalidAnnotations(t *testing.T) {
	t.Parallel()
	property := func(v string) string { return `{"type":"object","properties":{"a":` + v + `}}` }
	for name, tt := range map[string]struct{ schema, problem string }{
		"good":          {property(`{"type":"string","x-mcp-header":"A"}`), ""},
		"token":         {property(`{"type":"string","x-mcp-header":"!#$%&'*+-.^_|~1z"}`), ""},
		"empty":         {property(`{"type":"string","x-mcp-header":""}`), "header's name"},
		"line break":    {property(`{"type":"string","x-mcp-header":"A\r\nB"}`), "header's name"},
		"space":         {property(`{"type":"string","x-mcp-header":"A B"}`), "header's name"},
		"no text":       {property(`{"type":"string","x-mcp-header":1}`), "no string"},
		"number":        {property(`{"type":"number","x-mcp-header":"A"}`), "type"},
		"object":        {property(`{"type":"object","x-mcp-header":"A"}`), "type"},
		"no type":       {property(`{"x-mcp-header":"A"}`), "type"},
		"two types":     {property(`{"type":["string","integer"],"x-mcp-header":"A"}`), "type"},
		"root":          {`{"type":"object","x-mcp-header":"A"}`, "properties alone"},
		"items":         {property(`{"type":"array","items":{"type":"string","x-mcp-header":"A"}}`), "properties alone"},
		"composition":   {property(`{"allOf":[{"type":"string","x-mcp-header":"A"}]}`), "properties alone"},
		"definition":    {`{"type":"object","$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "properties alone"},
		"condition":     {`{"type":"object","if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "properties alone"},
		"twice":         {`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Same"},"b":{"type":"string","x-mcp-header":"sAME"}}}`, "twice"},
		"deep":          {property(`{"properties":{"b":{"type":"boolean","x-mcp-header":"B"}}}`), ""},
		"not a keyword": {property(`{"type":"string","const":{"x-mcp-header":1},"examples":[{"x-mcp-header":1}]}`), ""},
		"a property":    {`{"type":"object","properties":{"x-mcp-header":{"type":"object"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, modern(func(s *sent) {
				s.result(page("", `{"name":"before","inputSchema":{"type":"object"}}`, `{"name":"judged","inputSchema":`+tt.schema+`}`, `"no tool"`, annotated))
			}))
			log, logged := logTo()
			c := connect(t, Options{URL: p.URL, Log: log}, mcpclient.Options{})
			tools, err := c.ListTools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			want := []string{"before", "judged", "query"}
			if tt.problem != "" {
				want = []string{"before", "query"}
			}
			if !slices.Equal(names, want) {
				t.Errorf("tools %q, want %q", names, want)
			}
			if warned := strings.Contains(logged(), "tool=judged"); warned != (tt.problem != "") || !strings.Contains(logged(), tt.problem) {
				t.Errorf("logged %q", logged())
			}
		})
	}
}

func TestC20_refreshAfterAMismatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		tools    []string // the pages that are listed after the mismatch
		want     string
		requests string
	}{
		{"learned", []string{annotated}, "done", "POST tools/call, POST tools/list, POST tools/call"},
		{"on the second page", []string{`{"name":"x","inputSchema":{"type":"object"}}`, annotated}, "done", "POST tools/call, POST tools/list, POST tools/list, POST tools/call"},
		{"still wrong", []string{`{"name":"query","inputSchema":{"type":"object"}}`}, "", "POST tools/call, POST tools/list, POST tools/call"},
		{"no list", nil, "", "POST tools/call, POST tools/list"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var ids, tokens []string
			p := serve(t, modern(func(s *sent) {
				switch {
				case s.Method == mcp.MethodListTools && tt.tools == nil:
					s.page(500, "text/plain", "no")
				case s.Method == mcp.MethodListTools:
					var params struct {
						Cursor string `json:"cursor"`
					}
					if err := unmarshal(s.Params, &params); err != nil || s.meta("progressToken") != "" || s.meta(mcp.MetaClientInfo) == "" {
						s.t.Errorf("listed with %s", s.Params)
					}
					if params.Cursor == "" && len(tt.tools) > 1 {
						s.result(page("2", tt.tools[0]))
						return
					}
					s.result(page("", tt.tools[len(tt.tools)-1]))
				case s.r.Header.Get("Mcp-Param-Region") != "eu":
					ids, tokens = append(ids, string(s.ID)), append(tokens, s.meta("progressToken"))
					s.refuse(http.StatusBadRequest, mcp.CodeHeaderMismatch, "a header is missing")
				default:
					ids, tokens = append(ids, string(s.ID)), append(tokens, s.meta("progressToken"))
					s.stream()
					s.event("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1}}\n\n", s.meta("progressToken"))
					s.answerEvent(called)
				}
			}))
			c := connect(t, Options{URL: p.URL}, mcpclient.Options{})
			progress := 0
			r, err := c.CallTool(t.Context(), "query", map[string]string{"region": "eu"}, mcpclient.CallOptions{Progress: func(_, _ float64, _ string) { progress++ }})
			switch {
			case tt.want == "":
				mention(t, err, "a header is missing", "-32020")
			case err != nil || r.Content[0].Text != tt.want || progress != 1:
				t.Errorf("got %+v, %v, %d reports", r, err, progress)
			}
			if got := p.requests(); got != "POST server/discover, "+tt.requests {
				t.Errorf("requests: %s", got)
			}
			if len(ids) == 2 && (ids[0] == ids[1] || tokens[0] != tokens[1]) {
				t.Errorf("the call was repeated with ids %q and tokens %q", ids, tokens)
			}
		})
	}
}

// FuzzHeaderEncoding decodes what was encoded, by the rules of the other side.
func FuzzHeaderEncoding(f *testing.F) {
	for _, s := range []string{"", "a", " a", "a\t", "=?base64?x?=", "=?base64??=", "ä", "\x00", "a\r\nb", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		h := encodeHeader(value)
		for i := range len(h) {
			if c := h[i]; c != '\t' && (c < ' ' || c > '~') {
				t.Fatalf("%q became %q", value, h)
			}
		}
		got := textproto.TrimString(h)
		if inner, ok := strings.CutPrefix(got, "=?base64?"); ok && strings.HasSuffix(inner, "?=") {
			decoded, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
			if err != nil {
				t.Fatalf("%q became %q: %v", value, h, err)
			}
			got = string(decoded)
		}
		if got != value {
			t.Errorf("%q became %q, which is read as %q", value, h, got)
		}
	})
}

// FuzzAnnotations walks through any schema, and mirrors any arguments.
func FuzzAnnotations(f *testing.F) {
	f.Add(`{"tools":[`+annotated+`]}`, `{"name":"query","arguments":{"region":"eu","limit":1e3}}`)
	f.Add(`{"tools":[1,{"name":2},{"name":"a","inputSchema":[[{"x-mcp-header":{}}]]}]}`, `[]`)
	f.Fuzz(func(t *testing.T, result, params string) {
		if !wire.Valid(jsontext.Value(result)) || !wire.Valid(jsontext.Value(params)) {
			return
		}
		log, _ := logTo()
		var p parameters
		if changed, ok := p.learn(jsontext.Value(result), log); ok {
			if !wire.Valid(changed) {
				t.Fatalf("%q became %q", result, changed)
			}
			if _, again := (&parameters{}).learn(changed, log); again {
				t.Errorf("%q became %q, which is not good yet", result, changed)
			}
		}
		headers, err := p.headers(wire.Message{Method: mcp.MethodCallTool, Params: jsontext.Value(params)})
		if err != nil {
			return
		}
		for name, values := range headers {
			if !strings.HasPrefix(name, "Mcp-Param-") || !headerSafe(values[0]) {
				t.Errorf("header %q: %q", name, values)
			}
		}
	})
}
