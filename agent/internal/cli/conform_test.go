package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/internal/wire"
)

// suite is a server as the conformance suite has them. It remembers the parameters of each call.
type suite struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string
}

func newSuite(t *testing.T) *suite {
	t.Helper()
	s := &suite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		m, refused := wire.Parse(body, wire.Limits{})
		if err != nil || refused != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		result := `{"resultType":"complete","content":[]}`
		switch m.Method {
		case mcp.MethodDiscover:
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		case mcp.MethodListTools:
			result = `{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"}}}}]}`
		case mcp.MethodCallTool:
			s.mu.Lock()
			s.calls = append(s.calls, string(m.Params))
			s.mu.Unlock()
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(wire.AppendResult(nil, m.ID, []byte(result))) //nolint:errcheck // The client is gone then.
	}))
	t.Cleanup(s.Close)
	return s
}

func TestTheConformanceClient(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		environ []string
		code    int
		call    string // in the parameters of the only call
		says    string
	}{
		"what the schema allows": {nil, exitOK, `"arguments":{"a":7}`, ""},
		"what the suite says":    {[]string{`MCP_CONFORMANCE_CONTEXT={"toolCalls":[{"name":"add","arguments":{"a":null}}]}`}, exitOK, `"arguments":{"a":null}`, ""},
		"another version":        {[]string{"MCP_CONFORMANCE_PROTOCOL_VERSION=2025-11-25"}, exitFailed, `"add"`, "the protocol version is 2026-07-28, want 2025-11-25"},
		"nonsense of the suite":  {[]string{"MCP_CONFORMANCE_CONTEXT={"}, exitUsage, "", "MCP_CONFORMANCE_CONTEXT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t)
			var said bytes.Buffer
			env := Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said, Environ: tt.environ, Dir: t.TempDir(), UserHome: t.TempDir()}
			code := Run(t.Context(), []string{"conformance-client", s.URL}, env)
			calls := strings.Join(s.calls, "\n")
			if code != tt.code || !strings.Contains(said.String(), tt.says) {
				t.Errorf("exit %d: %s", code, &said)
			}
			if tt.call == "" && calls != "" || !strings.Contains(calls, tt.call) || len(s.calls) > 1 {
				t.Errorf("the calls: %s", calls)
			}
		})
	}
}

// The suite sees in which form a schema arrived when a tool for any object gets the schema of another tool.
func TestSampleArguments(t *testing.T) {
	t.Parallel()
	first := catalog.Tool{Name: "first", InputSchema: jsontext.Value(`{"type":"object","$defs":{"x":{}}}`)}
	for schema, want := range map[string]string{
		`{"properties":{"s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"l":{"type":"array"}}}`: `{"b":true,"n":7,"s":"text"}`,
		`{"properties":{"schema":{"type":"object"}}}`:                                                               `{"schema":{"type":"object","$defs":{"x":{}}}}`,
		`{}`:                `{}`,
		`{"properties":7}`:  `{}`,
		`{"properties":{}}`: `{}`,
	} {
		tool := catalog.Tool{Name: "second", InputSchema: jsontext.Value(schema)}
		if got := string(sample(tool, []catalog.Tool{first, tool})); got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}

func TestSomebodyWhoAgrees(t *testing.T) {
	t.Parallel()
	asker := &terminal.Asker{Program: "elyra", Open: agreeing, Notices: io.Discard}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{}}`: `{}`,
		`{"type":"object","properties":{"a":{"type":"integer","default":30},"b":{"type":"string"}}}`: `{"a":30}`,
	} {
		got, err := asker.Ask(t.Context(), "suite", mcp.ElicitParams{Message: "?", RequestedSchema: jsontext.Value(schema)})
		if err != nil || got.Action != mcp.ElicitAccept || string(got.Content) != want {
			t.Errorf("%s: %+v, %v", schema, got, err)
		}
	}
}
