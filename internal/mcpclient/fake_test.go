package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpschema"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestMain(m *testing.M) {
	// The process tests start this binary again as a server; the variable says as which.
	if behaviour := os.Getenv(childVariable); behaviour != "" {
		os.Exit(child(behaviour))
	}
	os.Exit(m.Run())
}

// fake is a server that a test writes as a script of what it expects and says.
type fake struct {
	t       *testing.T
	in      *bufio.Reader
	w       io.Writer
	checker *mcpschema.Checker
}

// scripted returns a transport whose n-th connection runs the n-th script; more connections are an error.
func scripted(t *testing.T, scripts ...func(f *fake)) Transport {
	t.Helper()
	var mu sync.Mutex
	next := 0
	return Pipe(func(_ context.Context, r io.Reader, w io.Writer) error {
		mu.Lock()
		i := next
		next++
		mu.Unlock()
		if i >= len(scripts) {
			t.Errorf("connection %d was opened, the test expects %d", i+1, len(scripts))
			return nil
		}
		scripts[i](&fake{t: t, in: bufio.NewReader(r), w: w, checker: mcpschema.New()})
		return nil
	})
}

// message is what the client sent.
type message struct {
	wire.Message
	line string
}

// next returns the client's next message, held against the schema, and false at the end of input.
func (f *fake) next() (message, bool) {
	line, err := f.in.ReadBytes('\n')
	if err != nil {
		return message{}, false
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	m, refused := wire.Parse(line, wire.Limits{})
	if refused != nil {
		f.t.Errorf("the client sent %q: %v", line, refused)
		runtime.Goexit()
	}
	sent := message{m, string(line)}
	if err := f.checker.CheckLine(line, revisionOf(line), false); err != nil {
		f.t.Error(err)
	}
	return sent, true
}

// expect returns the next message, which must have the method ("" for a response).
func (f *fake) expect(method string) message {
	m, ok := f.next()
	if !ok || m.Method != method {
		f.t.Errorf("the client sent %q (more: %v), want method %q", m.line, ok, method)
		runtime.Goexit()
	}
	return m
}

// end waits for the end of input and complains about messages before it.
func (f *fake) end() {
	for {
		m, ok := f.next()
		if !ok {
			return
		}
		f.t.Errorf("unexpected message %q", m.line)
	}
}

// send writes a line.
func (f *fake) send(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	// The checker has to follow the conversation. That the server breaks the rules is what many tests are about.
	_ = f.checker.CheckLine([]byte(line), "", true)
	fmt.Fprintln(f.w, line)
}

// result answers m.
func (f *fake) result(m message, result string) {
	f.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// refuse answers m with an error; data may be empty.
func (f *fake) refuse(m message, code int, text, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q%s}}`, m.ID, code, text, data)
}

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},` +
	`"instructions":"be kind","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}}}`

// openModern answers the probe.
func (f *fake) openModern() { f.result(f.expect(mcp.MethodDiscover), discovered) }

// openLegacy refuses the probe and answers initialize in a version.
func (f *fake) openLegacy(version string) {
	f.refuse(f.expect(mcp.MethodDiscover), wire.CodeMethodNotFound, "no such method", "")
	f.initialize(version)
}

// initialize answers initialize in a version and takes the notification after it.
func (f *fake) initialize(version string) message {
	m := f.expect(mcp.MethodInitialize)
	f.result(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"2"},"instructions":"hi"}`, version))
	f.expect(mcp.NotifyInitialized)
	return m
}

// connect opens a client that is closed with the test.
func connect(t *testing.T, tr Transport, o Options) *Client {
	t.Helper()
	c, err := Connect(t.Context(), tr, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// connected opens a client whose server answers the probe and then follows the script. The client must be closed by the
// test when it runs in a bubble.
func connected(t *testing.T, o Options, script func(f *fake)) *Client {
	t.Helper()
	return connect(t, scripted(t, func(f *fake) {
		f.openModern()
		script(f)
	}), o)
}

// logTo returns a logger and what it has written.
func logTo() (*slog.Logger, func() string) {
	var b syncBuffer
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})), b.String
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// mention fails the test when err is nil or leaves out one of the texts.
func mention(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that mentions %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not mention %q", err, text)
		}
	}
}

// revisionOf returns the revision whose schema stands in for the oldest one, which has no JSON Schema of its own: its
// successor changed nothing in what is sent here. For all other messages the checker knows the revision.
func revisionOf(line []byte) string {
	if bytes.Contains(line, []byte(`"protocolVersion":"`+v2024_11_05)) {
		return mcp.V2025_03_26
	}
	return ""
}

// paramsOf reads the parameters of a message.
func paramsOf(t *testing.T, m message) map[string]jsontext.Value {
	t.Helper()
	var p map[string]jsontext.Value
	if err := unmarshal(m.Params, &p); err != nil {
		t.Errorf("params of %q: %v", m.line, err)
	}
	return p
}
