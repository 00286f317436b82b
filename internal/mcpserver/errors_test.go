package mcpserver

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func discover(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"server/discover","params":{` + modernMeta + `}}`
}

func list(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list","params":{` + modernMeta + `}}`
}

func TestS3_theIDComesBackAsItWas(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, id := range []string{`0`, `-0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"1"`, `"é\u00e9\/"`} {
			for _, line := range []string{call(id, "echo", `{}`), discover(id), call(id, "no such tool", `{}`)} {
				if got := c.one(line); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,`) {
					t.Errorf("id %s was answered with %s", id, got)
				}
			}
		}
		// An error without an id says that none could be read. Null is no id.
		for _, line := range []string{`nonsense`, `{}`, strings.Replace(discover(`1`), `"id":1`, `"id":null`, 1), strings.Replace(discover(`1`), `"id":1`, `"id":1,"id":2`, 1)} {
			if got := c.one(line); !strings.HasPrefix(got, `{"jsonrpc":"2.0","error":`) {
				t.Errorf("%s was answered with %s", line, got)
			}
		}
	})
}

// unlisted is a catalog that says something about its tools which cannot be sent.
type unlisted struct{ catalogFunc }

func (unlisted) Tools() []mcp.Tool {
	return []mcp.Tool{{Name: "broken", InputSchema: jsontext.Value(`{"type":`)}}
}

func TestS4_codesOfProtocolFailures(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for line, code := range map[string]int{
			`{"jsonrpc":"2.0","id":1,"method":`:                           wire.CodeParse,
			`{"jsonrpc":"1.0","id":1,"method":"server/discover"}`:         wire.CodeInvalidRequest,
			`{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`:        wire.CodeInvalidRequest,
			`{"jsonrpc":"2.0","id":1}`:                                    wire.CodeInvalidRequest,
			strings.Replace(list(`1`), "tools/list", "no/such", 1):        wire.CodeMethodNotFound,
			strings.Replace(list(`1`), "tools/list", "ping", 1):           wire.CodeMethodNotFound,
			strings.Replace(list(`1`), "tools/list", "", 1):               wire.CodeInvalidRequest,
			call(`1`, "no such tool", `{}`):                               wire.CodeInvalidParams,
			call(`1`, "echo", `[]`):                                       wire.CodeInvalidParams,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`: wire.CodeInvalidParams,
		} {
			got := c.one(line)
			m, _ := wire.Parse([]byte(got), wire.Limits{})
			if m.Error == nil || m.Error.Code != code || m.Error.Message == "" {
				t.Errorf("%s\nwas answered with %s, want code %d and a message", line, got, code)
			}
		}
		o, _ := testOptions(unlisted{})
		expectError(t, connect(t, New(o)).one(list(`1`)), wire.CodeInternal, "1")
	})
}

func TestS5_codesOutsideTheReservedRange(t *testing.T) {
	bubble(t, func(o *Options) { o.MaxInFlight, o.MaxListens = 1, 1 }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		listen := `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{}}}`
		lines := c.send(call(`1`, "wait", `{}`), call(`2`, "wait", `{}`), listen, strings.Replace(listen, `"l"`, `"m"`, 1),
			strings.Replace(call(`3`, "echo", `{}`), "2026-07-28", "2020-01-01", 1),
			`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{`+modernMeta+`,"uri":"x:y"}}`)
		if err := c.end(); err != nil {
			t.Error(err)
		}
		seen := map[int]bool{}
		for _, line := range append(lines, c.quiet()...) {
			m, refused := wire.Parse([]byte(line), wire.Limits{})
			if refused != nil || m.Error == nil {
				continue
			}
			seen[m.Error.Code] = true
			standard := m.Error.Code == wire.CodeMethodNotFound || m.Error.Code == mcp.CodeUnsupportedVersion
			if reserved := m.Error.Code >= -32768 && m.Error.Code <= -32000; reserved && !standard {
				t.Errorf("a reserved code: %s", line)
			}
		}
		for _, code := range []int{mcp.CodeBusy, mcp.CodeUnavailable, mcp.CodeUnsupportedVersion, wire.CodeMethodNotFound} {
			if !seen[code] {
				t.Errorf("code %d was not provoked: %v", code, seen)
			}
		}
	})
}

func TestS53_theEndOfTheServerEndsSubscriptions(t *testing.T) {
	for name, end := range map[string]func(*client) error{
		"end of input": (*client).end,
		"stop":         func(c *client) error { c.stop(); return <-c.ended },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
				c := connect(t, s)
				for _, id := range []string{`"1"`, `2`} {
					c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}`)
				}
				if err := end(c); err != nil && name == "end of input" {
					t.Error(err)
				}
				got := c.quiet()
				if len(got) != 4 {
					t.Fatalf("got %q", got)
				}
				for i, id := range []string{`"1"`, `2`} {
					cancelled, result := got[2*i], got[2*i+1]
					if !strings.Contains(cancelled, `"method":"notifications/cancelled","params":{"requestId":`+id) {
						t.Errorf("subscription %s: first %s", id, cancelled)
					}
					if !strings.Contains(result, `"id":`+id+`,"result":`) || !strings.Contains(result, `"io.modelcontextprotocol/subscriptionId":`+id) {
						t.Errorf("subscription %s: then %s", id, result)
					}
				}
			})
		})
	}
}

func TestS1_S8_aPartialLastLineIsNotLost(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		_ = c.schema.CheckLine([]byte(discover(`1`)), "", false)
		if _, err := io.WriteString(c.in, discover(`1`)); err != nil { // without its line ending
			t.Fatal(err)
		}
		synctest.Wait()
		if err := c.end(); err != nil && !errors.Is(err, io.EOF) {
			t.Error(err)
		}
		if got := c.quiet(); len(got) != 1 || !strings.Contains(got[0], `"id":1,"result"`) {
			t.Errorf("got %q", got)
		}
	})
}
