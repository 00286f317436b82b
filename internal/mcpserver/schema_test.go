package mcpserver

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// checker holds each line of the server against the schema of the revision it belongs to.
type checker struct {
	t       *testing.T
	schemas *schemas
	session string // negotiated legacy revision
	asked   map[string]question
}

// question is a request the server has still to answer.
type question struct{ method, version string }

func newChecker(t *testing.T, s *schemas) *checker {
	return &checker{t: t, schemas: s, asked: map[string]question{}}
}

// sent remembers the requests in a line of the client.
func (c *checker) sent(line string) {
	elements, ok := wire.ParseBatch([]byte(line), wire.Limits{})
	if !ok {
		elements = []jsontext.Value{jsontext.Value(line)}
	}
	for _, element := range elements {
		m, refused := wire.Parse(element, wire.Limits{})
		if refused != nil || m.ID == nil || m.Method == "" {
			continue
		}
		version := c.session
		if strings.Contains(string(m.Params), mcp.MetaProtocolVersion) || version == "" {
			version = mcp.V2026_07_28
		}
		if m.Method == mcp.MethodPing && c.session == "" {
			version = mcp.V2025_11_25
		}
		c.asked[string(m.ID)] = question{m.Method, version}
	}
}

// received checks a line of the server.
func (c *checker) received(line string) {
	c.t.Helper()
	if elements, ok := wire.ParseBatch([]byte(line), wire.Limits{}); ok {
		for _, element := range elements {
			c.received(string(element))
		}
		return
	}
	m, refused := wire.Parse([]byte(line), wire.Limits{})
	if refused != nil {
		c.t.Errorf("the server wrote what is no message: %s", line)
		return
	}
	version := c.session
	if version == "" || strings.Contains(line, mcp.MetaSubscriptionID) {
		version = mcp.V2026_07_28
	}
	switch q := c.asked[string(m.ID)]; {
	case m.Method != "" && m.ID == nil:
		c.valid(version, jsontext.Value(line), "ServerNotification")
	case m.Method != "":
		c.valid(version, jsontext.Value(line), "ServerRequest")
	case m.Error != nil:
		// No revision before 2025-11-25 has a form for an error to an unreadable id.
		if m.ID != nil || mcp.AtLeast(version, mcp.V2025_11_25) {
			c.valid(version, jsontext.Value(line), "JSONRPCErrorResponse", "JSONRPCError")
		}
	default:
		if q.method == mcp.MethodInitialize {
			c.session = agreed(c.t, m.Result)
			q.version = c.session
		}
		c.valid(q.version, jsontext.Value(line), "JSONRPCResultResponse", "JSONRPCResponse")
		c.result(q, m.Result)
	}
}

// result checks a result by the method it answers.
func (c *checker) result(q question, result jsontext.Value) {
	c.t.Helper()
	name := map[string]string{
		mcp.MethodInitialize: "InitializeResult", mcp.MethodPing: "EmptyResult", mcp.MethodListTools: "ListToolsResult",
		mcp.MethodCallTool: "CallToolResult", mcp.MethodDiscover: "DiscoverResult", mcp.MethodListen: "SubscriptionsListenResult",
	}[q.method]
	if strings.Contains(string(result), `"resultType":"input_required"`) {
		name = "InputRequiredResult"
	}
	if name == "" {
		c.t.Errorf("a result answers %q", q.method)
		return
	}
	c.valid(q.version, result, name)
	if isModern := strings.Contains(string(result), mcp.MetaServerInfo); isModern != (q.version == mcp.V2026_07_28) {
		c.t.Errorf("a result for %s is of the wrong era: %s", q.version, result)
	}
}

func agreed(t *testing.T, result jsontext.Value) string {
	t.Helper()
	var r mcp.InitializeResult
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	return r.ProtocolVersion
}

// valid checks v against the first of the definitions that the revision has.
func (c *checker) valid(version string, v jsontext.Value, definitions ...string) {
	c.t.Helper()
	schema, name, err := c.schemas.find(version, definitions)
	if err != nil {
		c.t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(v))
	if err != nil {
		c.t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		c.t.Errorf("not a %s of %s: %v\n%s", name, version, err, v)
	}
}

// schemas compiles the definitions of the revisions as they are needed.
type schemas struct {
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by revision and name
}

func (s *schemas) find(version string, definitions []string) (*jsonschema.Schema, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range definitions {
		if schema := s.compiled[version+name]; schema != nil {
			return schema, name, nil
		}
	}
	text, err := os.ReadFile("testdata/schema/" + version + ".json")
	if err != nil {
		return nil, "", err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, "", err
	}
	root := "definitions"
	if _, ok := doc.(map[string]any)["$defs"]; ok {
		root = "$defs"
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mcp.json", doc); err != nil {
		return nil, "", err
	}
	for _, name := range definitions {
		if doc.(map[string]any)[root].(map[string]any)[name] != nil {
			schema, err := compiler.Compile("mcp.json#/" + root + "/" + name)
			s.compiled[version+name] = schema
			return schema, name, err
		}
	}
	return nil, "", fmt.Errorf("%s defines none of %v", version, definitions)
}
