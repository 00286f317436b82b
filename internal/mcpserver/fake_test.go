package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

// meta is the metadata of a modern request of a client without capabilities.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// secret is what must never reach a client.
const secret = "/home/user/secret.db: password=hunter2"

// fakeCatalog has one tool for each way a call can go.
type fakeCatalog struct {
	release chan struct{} // "wait" returns when it is closed
	mu      sync.Mutex
	names   []string // the tools, sorted
	ended   []error  // the causes of the contexts of "wait" calls that did not return
}

func newFake() *fakeCatalog {
	return &fakeCatalog{
		release: make(chan struct{}),
		names:   []string{"ask", "count", "echo", "fail", "list", "nothing", "panic", "refuse", "wait"},
	}
}

func (f *fakeCatalog) Tools() []mcp.Tool {
	f.mu.Lock()
	defer f.mu.Unlock()
	yes, no := true, false
	var tools []mcp.Tool
	for _, name := range f.names {
		tool := mcp.Tool{Name: name, Title: "The " + name, Description: "Does " + name + ".", InputSchema: jsontext.Value(`{"type":"object"}`)}
		switch name {
		case "echo":
			tool.InputSchema = jsontext.Value("{\n  \"type\": \"object\",\n  \"properties\": {\"x\": {}}\n}")
			tool.OutputSchema = jsontext.Value(`{"type":"object"}`)
			tool.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: &yes, OpenWorldHint: &no}
		case "list":
			tool.OutputSchema = jsontext.Value(`{"type":"array","items":{"type":"integer"}}`)
		}
		tools = append(tools, tool)
	}
	return tools
}

func (f *fakeCatalog) CallTool(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
	switch call.Name {
	case "echo":
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(string(call.Arguments))}, StructuredContent: call.Arguments}, nil
	case "list":
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("[1,2]")}, StructuredContent: jsontext.Value("[\n1,\n2]")}, nil
	case "nothing":
		return nil, nil
	case "fail":
		return nil, errors.New("open " + secret)
	case "panic":
		panic("broken at " + secret)
	case "refuse":
		required := mcp.ClientCapabilities{Elicitation: &mcp.Elicitation{Form: jsontext.Value(`{}`)}}
		return nil, &wire.Error{Code: mcp.CodeMissingCapability, Message: "this needs a confirmation", Data: mcp.MissingCapability{RequiredCapabilities: required}}
	case "count":
		for i := range 4 {
			call.Progress(float64(i), 3, "step")
			call.Progress(float64(i), 3, "again") // does not increase
		}
		return &mcp.CallToolResult{}, nil
	case "wait":
		return f.wait(ctx)
	case "ask":
		return f.ask(ctx, call)
	}
	return nil, wire.Errorf(wire.CodeInvalidParams, "Unknown tool: %s", call.Name)
}

func (f *fakeCatalog) wait(ctx context.Context) (*mcp.CallToolResult, error) {
	select {
	case <-f.release:
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("released")}}, nil
	case <-ctx.Done():
		f.mu.Lock()
		f.ended = append(f.ended, context.Cause(ctx))
		f.mu.Unlock()
		return nil, ctx.Err()
	}
}

func (f *fakeCatalog) ask(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
	question := mcp.ElicitParams{Mode: mcp.ElicitModeForm, Message: "Sure?", RequestedSchema: jsontext.Value("{\n\"type\":\"object\",\"properties\":{}}")}
	if call.Modern() {
		if answer := call.InputResponses["confirm"]; answer != nil {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(string(answer) + " " + call.RequestState)}}, nil
		}
		params, err := json.Marshal(question)
		if err != nil {
			return nil, err
		}
		return nil, &InputRequired{Requests: map[string]mcp.InputRequest{"confirm": {Method: mcp.MethodElicit, Params: params}}, State: "s1"}
	}
	answer, err := call.Elicit(ctx, question)
	if err != nil {
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(err.Error())}, IsError: true}, nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(answer.Action + " " + string(answer.Content))}}, nil
}

// client is the other end of a connection, line by line, within a synctest bubble.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *io.PipeReader
	ended chan error
	stop  context.CancelFunc

	schema *mcpschema.Checker // judges all that the server says

	mu    sync.Mutex
	lines []string
}

// connect serves s on a new connection and reads all it says.
func connect(t *testing.T, s *Server) *client {
	t.Helper()
	c := dial(t, s)
	go c.read()
	return c
}

// dial is connect without the reading.
func dial(t *testing.T, s *Server) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := &client{t: t, in: toServer, out: fromServer, ended: make(chan error, 1), stop: stop, schema: mcpschema.New()}
	go func() {
		c.ended <- s.Serve(ctx, fromClient, toClient)
		toClient.Close()
		fromClient.Close()
	}()
	t.Cleanup(stop)
	return c
}

func (c *client) read() {
	lines := bufio.NewScanner(c.out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if err := c.schema.CheckLine(lines.Bytes(), "", true); err != nil {
			c.t.Error(err)
		}
		c.mu.Lock()
		c.lines = append(c.lines, lines.Text())
		c.mu.Unlock()
	}
}

// send writes lines, each as it is, and returns what came back once all is quiet.
func (c *client) send(lines ...string) []string {
	c.t.Helper()
	for _, line := range lines {
		if err := c.write(line); err != nil {
			c.t.Fatalf("send %s: %v", clip(line), err)
		}
	}
	return c.quiet()
}

// write writes a line, which may break every rule.
func (c *client) write(line string) error {
	_ = c.schema.CheckLine([]byte(line), "", false)
	_, err := io.WriteString(c.in, line+"\n")
	return err
}

// quiet waits until nothing moves and returns what came since the last time.
func (c *client) quiet() []string {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.lines
	c.lines = nil
	return lines
}

// one is send for a line that has exactly one answer.
func (c *client) one(line string) string {
	c.t.Helper()
	got := c.send(line)
	if len(got) != 1 {
		c.t.Fatalf("%s\nhas %d answers: %s", clip(line), len(got), strings.Join(got, "\n"))
	}
	return got[0]
}

// end closes the input and returns what Serve returned.
func (c *client) end() error {
	c.t.Helper()
	if err := c.in.Close(); err != nil {
		c.t.Fatal(err)
	}
	return <-c.ended
}

// call is a modern call of a tool.
func call(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + modernMeta + `,"name":"` + tool + `","arguments":` + arguments + `}}`
}

// alive checks that the connection still answers.
func (c *client) alive() {
	c.t.Helper()
	got := c.one(`{"jsonrpc":"2.0","id":"alive","method":"server/discover","params":{` + modernMeta + `}}`)
	if !strings.Contains(got, `"id":"alive"`) || !strings.Contains(got, `"supportedVersions"`) {
		c.t.Fatalf("discover was answered with %s", got)
	}
}

// expect compares a line with a wanted code and id of an error.
func expectError(t *testing.T, line string, code int, id string) {
	t.Helper()
	m, refused := wire.Parse([]byte(line), wire.Limits{})
	if refused != nil {
		t.Fatalf("not a message: %s", line)
	}
	if m.Error == nil || m.Error.Code != code || string(m.ID) != id {
		t.Errorf("want code %d and id %q, got %s", code, id, line)
	}
}

// initialize is the opening of a legacy client.
func initialize(version, capabilities string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"clientInfo":{"name":"old","version":"1"}}}`
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// legacy is a legacy request; params may be empty.
func legacy(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"` + params + `}`
}

// zeros is a source of randomness for tests that compare whole lines.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// testOptions serve f, with a log that goes to the returned buffer.
func testOptions(f Catalog) (Options, *syncBuffer) {
	logged := &syncBuffer{}
	return Options{
		Info: mcp.Implementation{Name: "app", Title: "The App", Version: "1.2.3"}, Instructions: "Be kind.", Catalog: f,
		Log: slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug})), Rand: zeros{}, ToolsTTL: time.Minute,
	}, logged
}

// syncBuffer is a buffer for concurrent use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// bubble runs a test against a server of f in a synctest bubble. Limits may be changed.
func bubble(t *testing.T, change func(*Options), test func(t *testing.T, s *Server, f *fakeCatalog)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o, _ := testOptions(f)
		if change != nil {
			change(&o)
		}
		test(t, New(o), f)
	})
}

// ids returns the ids of lines, sorted.
func ids(t *testing.T, lines []string) []string {
	t.Helper()
	var got []string
	for _, line := range lines {
		m, refused := wire.Parse([]byte(line), wire.Limits{})
		if refused != nil {
			t.Fatalf("not a message: %s", line)
		}
		got = append(got, string(m.ID))
	}
	slices.Sort(got)
	return got
}
