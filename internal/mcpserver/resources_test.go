package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// shelf offers a resource or a prompt for each way a request can go, under fake:NAME or NAME.
type shelf struct {
	mu      sync.Mutex
	watched map[string][]*Subscription // by URI
	stopped int
	settle  chan struct{} // what "fake:slow" waits for
}

func newShelf() *shelf {
	return &shelf{watched: map[string][]*Subscription{}, settle: make(chan struct{})}
}

func (f *shelf) Resources() []mcp.Resource {
	return []mcp.Resource{{URI: "fake:text", Name: "text", Title: "The text", MIMEType: "text/plain"}}
}

func (f *shelf) ResourceTemplates() []mcp.ResourceTemplate {
	return []mcp.ResourceTemplate{{URITemplate: "fake:{name}", Name: "all", Title: "All"}}
}

func (f *shelf) ReadResource(ctx context.Context, read *Read) ([]mcp.ResourceContents, error) {
	name, ok := strings.CutPrefix(read.URI, "fake:")
	if !ok {
		return nil, &UnknownResource{URI: read.URI, Hint: "; it has another scheme"}
	}
	return answerAs(ctx, name, &read.Exchange, func(text string) []mcp.ResourceContents {
		if name == "bytes" {
			return []mcp.ResourceContents{{URI: read.URI, Blob: []byte{0, 255}}}
		}
		return []mcp.ResourceContents{{URI: read.URI, MIMEType: "text/plain", Text: text}}
	})
}

// answerAs goes the way that name says.
func answerAs[T any](ctx context.Context, name string, x *Exchange, answer func(text string) T) (none T, err error) {
	switch name {
	case "empty":
		return none, nil
	case "fail":
		return none, errors.New("open " + secret)
	case "wrapped":
		return none, fmt.Errorf("another server: %w", wire.Errorf(wire.CodeInvalidRequest, "theirs"))
	case "panic":
		panic("broken at " + secret)
	case "refuse":
		return none, wire.Errorf(wire.CodeInvalidParams, "refused")
	case "wait":
		<-ctx.Done()
		return none, ctx.Err()
	case "count":
		x.Progress(1, 2, "half")
	case "ask":
		text, err := askFor(ctx, x)
		if err != nil {
			return none, err
		}
		return answer(text), nil
	}
	return answer("text of " + name), nil
}

// askFor asks the user in the way of the client's era.
func askFor(ctx context.Context, x *Exchange) (string, error) {
	const schema = `{"type":"object","properties":{}}`
	if x.Modern() {
		if answer := x.InputResponses["sure"]; answer != nil {
			return string(answer) + " " + x.RequestState, nil
		}
		return "", &InputRequired{
			Requests: map[string]mcp.InputRequest{"sure": {Method: mcp.MethodElicit, Params: jsontext.Value(`{"message":"Sure?","requestedSchema":` + schema + `}`)}},
			State:    "s1",
		}
	}
	answer, err := x.Elicit(ctx, mcp.ElicitParams{Message: "Sure?", RequestedSchema: jsontext.Value(schema)})
	return answer.Action, err
}

func (f *shelf) SubscribeResource(s *Subscription) (Watch, error) {
	switch s.URI {
	case "fake:panic":
		panic(secret)
	case "fake:refuse":
		return Watch{}, wire.Errorf(wire.CodeInvalidParams, "refused")
	case "fake:fail":
		return Watch{}, errors.New("open " + secret)
	}
	if !strings.HasPrefix(s.URI, "fake:") {
		return Watch{}, &UnknownResource{URI: s.URI}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watched[s.URI] = append(f.watched[s.URI], s)
	w := Watch{Stop: sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.stopped++
	})}
	if s.URI == "fake:slow" {
		w.Settled = f.settle
	}
	return w, nil
}

// change tells all that ever watched a resource, also those that have stopped.
func (f *shelf) change(uri string) {
	f.mu.Lock()
	list := f.watched[uri]
	f.mu.Unlock()
	for _, s := range list {
		s.Updated()
	}
}

func (f *shelf) Prompts() []mcp.Prompt {
	return []mcp.Prompt{{Name: "text", Title: "A text", Arguments: []mcp.PromptArgument{{Name: "a", Title: "The a", Required: true}}}}
}

func (f *shelf) GetPrompt(ctx context.Context, call *PromptCall) (*mcp.GetPromptResult, error) {
	return answerAs(ctx, call.Name, &call.Exchange, func(text string) *mcp.GetPromptResult {
		link := mcp.Content{Type: mcp.ContentLink, URI: "fake:text", Name: "link"}
		return &mcp.GetPromptResult{Description: "About " + call.Arguments["a"], Messages: []mcp.PromptMessage{
			{Role: mcp.RoleUser, Content: mcp.Text(text)}, {Role: mcp.RoleAssistant, Content: link},
		}}
	})
}

func (f *shelf) Complete(_ context.Context, q *CompletionQuery) ([]string, error) {
	if q.Argument == "many" {
		return make([]string, 250), nil
	}
	if q.Argument == "fail" {
		return nil, errors.New(secret)
	}
	return []string{q.Ref.Name + q.Ref.URI + " " + q.Argument + " " + q.Value + " " + q.Others["x"]}, nil
}

// offering runs a test against a server that offers a shelf.
func offering(t *testing.T, change func(*Options), test func(t *testing.T, s *Server, f *shelf)) {
	t.Helper()
	f := newShelf()
	bubble(t, func(o *Options) {
		o.Resources, o.Prompts, o.Completer = f, f, f
		f.settle = make(chan struct{}) // of the bubble
		if change != nil {
			change(o)
		}
	}, func(t *testing.T, s *Server, _ *fakeCatalog) { test(t, s, f) })
}

// ask is a request in the form of an era: members are the params without braces.
func (c *client) ask(version, id, method, members string) string {
	if !mcp.Modern(version) {
		return c.one(legacy(id, method, "{"+members+"}"))
	}
	if members != "" {
		members = "," + members
	}
	return c.one(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + modernMeta + members + `}}`)
}

// inEachEra runs a test in each revision, on a connection that is open.
func inEachEra(t *testing.T, test func(t *testing.T, version string, s *Server, c *client, f *shelf)) {
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
				c := connect(t, s)
				if !mcp.Modern(version) {
					c.send(initialize(version, `{"elicitation":{}}`), initialized)
				}
				test(t, version, s, c, f)
			})
		})
	}
}

func TestS38_onlyWhatIsOfferedIsDeclared(t *testing.T) {
	const all = `"capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{}}`
	t.Run("all", func(t *testing.T) {
		offering(t, nil, func(t *testing.T, s *Server, _ *shelf) {
			c := connect(t, s)
			for _, line := range []string{initialize(mcp.V2025_11_25, `{}`), `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`} {
				if got := c.one(line); !strings.Contains(got, all) {
					t.Errorf("got %s", got)
				}
			}
		})
	})
	t.Run("nothing", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
			c := connect(t, s)
			c.send(initialize(mcp.V2025_11_25, `{}`), initialized)
			for _, version := range []string{mcp.V2025_11_25, mcp.V2026_07_28} {
				for _, method := range []string{"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete"} {
					expectError(t, c.ask(version, `1`, method, `"uri":"fake:text","name":"text"`), wire.CodeMethodNotFound, "1")
				}
			}
			got := c.ask(mcp.V2026_07_28, `2`, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["fake:text"]}`)
			if !strings.HasSuffix(got, `"notifications":{"toolsListChanged":true}}}`) {
				t.Errorf("acknowledged with %s", got)
			}
			s.ResourcesChanged()
			s.PromptsChanged()
			if got := c.quiet(); len(got) != 0 {
				t.Errorf("told of what is not offered: %s", got)
			}
		})
	})
}

func TestS38_S41_S43_lists(t *testing.T) {
	inEachEra(t, func(t *testing.T, version string, _ *Server, c *client, _ *shelf) {
		modern := mcp.Modern(version)
		for method, member := range map[string]string{"resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"} {
			got := c.ask(version, `1`, method, "")
			if !strings.Contains(got, `"`+member+`":[{`) || strings.Contains(got, `"title":"A`) == (version == mcp.V2025_03_26) && member != "resources" {
				t.Errorf("%s: %s", method, got)
			}
			if strings.Contains(got, `"ttlMs":60000,"cacheScope":"private"`) != modern || strings.Contains(got, "nextCursor") {
				t.Errorf("%s: %s", method, got)
			}
			for _, cursor := range []string{`"x"`, `""`, `5`} {
				expectError(t, c.ask(version, `1`, method, `"cursor":`+cursor), wire.CodeInvalidParams, "1")
			}
		}
	})
}

func TestS39_S40_reads(t *testing.T) {
	inEachEra(t, func(t *testing.T, version string, _ *Server, c *client, _ *shelf) {
		modern := mcp.Modern(version)
		unknown := mcp.CodeLegacyResourceNotFound
		if modern {
			unknown = wire.CodeInvalidParams
		}
		for uri, want := range map[string]string{
			"fake:text": `"contents":[{"uri":"fake:text","mimeType":"text/plain","text":"text of text"}]`, "fake:bytes": `"contents":[{"uri":"fake:bytes","blob":"AP8="}]`,
		} {
			got := c.ask(version, `1`, "resources/read", `"uri":"`+uri+`"`)
			if !strings.Contains(got, want) || strings.Contains(got, `"ttlMs":0,"cacheScope":"private"`) != modern {
				t.Errorf("%s: %s", uri, got)
			}
		}
		for params, code := range map[string]int{
			`"uri":"other:x"`: unknown, `"uri":"../../etc/passwd"`: unknown, `"uri":"fake:refuse"`: wire.CodeInvalidParams,
			``: wire.CodeInvalidParams, `"uri":""`: wire.CodeInvalidParams, `"uri":7`: wire.CodeInvalidParams, `"uri":["fake:text"]`: wire.CodeInvalidParams,
			`"uri":"fake:fail"`: wire.CodeInternal, `"uri":"fake:panic"`: wire.CodeInternal, `"uri":"fake:empty"`: wire.CodeInternal, `"uri":"fake:wrapped"`: wire.CodeInternal,
		} {
			got := c.ask(version, `1`, "resources/read", params)
			expectError(t, got, code, "1")
			if strings.Contains(got, "hunter2") || code == wire.CodeInternal && !strings.Contains(got, "under the incident") {
				t.Errorf("%s: %s", params, got)
			}
			if code == unknown && strings.Contains(params, "other") && !strings.Contains(got, `"data":{"uri":"other:x"}`) {
				t.Errorf("%s: %s", params, got)
			}
		}
		if got := c.send(legacyOrModern(version, "resources/read", `"_meta":{`, `"progressToken":"p"`, `"uri":"fake:count"`)); len(got) != 2 || !strings.Contains(got[0], `"progressToken":"p"`) {
			t.Errorf("a read with progress: %s", got)
		}
	})
}

// legacyOrModern is a request with more metadata.
func legacyOrModern(version, method, open, extra, members string) string {
	if mcp.Modern(version) {
		return `{"jsonrpc":"2.0","id":9,"method":"` + method + `","params":{` + strings.Replace(modernMeta, open, open+extra+",", 1) + `,` + members + `}}`
	}
	return legacy(`9`, method, `{`+open+extra+`},`+members+`}`)
}

func TestS44_S45_resourcesAndPromptsAsk(t *testing.T) {
	inEachEra(t, func(t *testing.T, version string, _ *Server, c *client, _ *shelf) {
		for method, params := range map[string]string{"resources/read": `"uri":"fake:ask"`, "prompts/get": `"name":"ask"`} {
			got := c.ask(version, `1`, method, params)
			switch {
			case mcp.Modern(version):
				if !strings.Contains(got, `"resultType":"input_required"`) || !strings.Contains(got, `"sure":{"method":"elicitation/create"`) || strings.Contains(got, "ttlMs") {
					t.Errorf("%s: %s", method, got)
				}
				got = c.ask(version, `2`, method, params+`,"requestState":"s1","inputResponses":{"sure":{"action":"accept"}}`)
			case version == mcp.V2025_03_26:
				expectError(t, got, wire.CodeInternal, "1") // it cannot be asked
				continue
			default:
				question, _ := wire.Parse([]byte(got), wire.Limits{})
				got = c.one(`{"jsonrpc":"2.0","id":` + string(question.ID) + `,"result":{"action":"accept"}}`)
			}
			if !strings.Contains(got, "accept") || strings.Contains(got, `"error"`) {
				t.Errorf("%s after the answer: %s", method, got)
			}
		}
	})
}

func TestPrompts(t *testing.T) {
	inEachEra(t, func(t *testing.T, version string, _ *Server, c *client, _ *shelf) {
		got := c.ask(version, `1`, "prompts/get", `"name":"text","arguments":{"a":"b"}`)
		want := `"description":"About b","messages":[{"role":"user","content":{"type":"text","text":"text of text"}},{"role":"assistant","content":{"type":"resource_link"`
		if version == mcp.V2025_03_26 {
			want = `{"role":"assistant","content":{"type":"text","text":"link: fake:text"}}]`
		}
		if !strings.Contains(got, want) {
			t.Errorf("got %s", got)
		}
		for params, code := range map[string]int{
			``: wire.CodeInvalidParams, `"name":"refuse"`: wire.CodeInvalidParams, `"name":"text","arguments":{"a":1}`: wire.CodeInvalidParams,
			`"name":"text","arguments":[]`: wire.CodeInvalidParams, `"name":"panic"`: wire.CodeInternal, `"name":"empty"`: wire.CodeInternal, `"name":"fail"`: wire.CodeInternal,
		} {
			expectError(t, c.ask(version, `1`, "prompts/get", params), code, "1")
		}
	})
}

func TestCompletions(t *testing.T) {
	inEachEra(t, func(t *testing.T, version string, _ *Server, c *client, _ *shelf) {
		const argument = `,"argument":{"name":"a","value":"v"}`
		for params, want := range map[string]string{
			`"ref":{"type":"ref/prompt","name":"p"}` + argument:                                   `"completion":{"values":["p a v "],"total":1}`,
			`"ref":{"type":"ref/resource","uri":"fake:{x}"}` + argument:                           `"values":["fake:{x} a v "]`,
			`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"many","value":""}`:        `"total":250,"hasMore":true}`,
			`"ref":{"type":"ref/prompt","name":"p"},"context":{"arguments":{"x":"y"}}` + argument: `p a v y`,
		} {
			got := c.ask(version, `1`, "completion/complete", params)
			if !strings.Contains(got, want) || strings.Count(got, `,""`) > 100 {
				t.Errorf("%s: %s", params, clip(got))
			}
		}
		for params, code := range map[string]int{
			``: wire.CodeInvalidParams, argument[1:]: wire.CodeInvalidParams, `"ref":{"type":"ref/prompt","name":"p"}`: wire.CodeInvalidParams,
			`"ref":{"type":"ref/other","name":"p"}` + argument: wire.CodeInvalidParams, `"ref":"p"` + argument: wire.CodeInvalidParams,
			`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a"}`:                              wire.CodeInvalidParams,
			`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"fail","value":""}`:                wire.CodeInternal,
			`"ref":{"type":"ref/prompt","name":"p"},"context":{"arguments":{"x":1}}` + argument:           wire.CodeInvalidParams,
			`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":["v"]},"context":null`: wire.CodeInvalidParams,
		} {
			expectError(t, c.ask(version, `1`, "completion/complete", params), code, "1")
		}
	})
}

func TestACancelledReadIsNotAnswered(t *testing.T) {
	offering(t, nil, func(t *testing.T, s *Server, _ *shelf) {
		c := connect(t, s)
		read := `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{` + modernMeta + `,"uri":"fake:wait"}}`
		if got := c.send(read, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`); len(got) != 0 {
			t.Errorf("answered with %s", got)
		}
		c.alive()
		synctest.Wait()
		c.send(read)
		time.Sleep(time.Second)
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
}
