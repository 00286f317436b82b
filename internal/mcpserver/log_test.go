package mcpserver

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// logging connects to a server that may log, with one tool: it does what write says.
func logging(t *testing.T, write func(call *Call)) *client {
	t.Helper()
	o, _ := testOptions(catalogFunc(func(_ context.Context, call *Call) (*mcp.CallToolResult, error) {
		write(call)
		return &mcp.CallToolResult{}, nil
	}))
	o.Logging = true
	return connect(t, New(o))
}

// everyLevel writes one message of each level, and two of none.
func everyLevel(call *Call) {
	for _, level := range []string{"", "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "DEBUG"} {
		call.Log(level, "test", map[string]string{"at": level})
	}
}

// atLevel is a modern call that asks for messages of a level, which is given as JSON.
func atLevel(id, level string) string {
	return strings.Replace(call(id, "x", `{}`), `"_meta":{`, `"_meta":{"`+mcp.MetaLogLevel+`":`+level+`,`, 1)
}

// logged returns the levels of the messages among lines, which must come before the answer.
func logged(t *testing.T, lines []string) []string {
	t.Helper()
	levels := []string{}
	for i, line := range lines {
		m, refused := wire.Parse([]byte(line), wire.Limits{})
		if refused != nil || m.Method == "" {
			if i != len(lines)-1 {
				t.Errorf("something follows the answer: %v", lines)
			}
			continue
		}
		var message mcp.LogMessage
		if err := json.Unmarshal(m.Params, &message); err != nil || m.Method != mcp.NotifyMessage || message.Logger != "test" ||
			string(message.Data) != `{"at":"`+message.Level+`"}` {
			t.Errorf("got %s", line)
		}
		levels = append(levels, message.Level)
	}
	return levels
}

func TestS56_aModernRequestAsksForItself(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		c := logging(t, everyLevel)
		if got := c.one(discover(`"d"`)); !strings.Contains(got, `"logging":{}`) {
			t.Errorf("logging is not declared: %s", got)
		}
		tests := []struct {
			line string
			want []string
		}{
			{call(`1`, "x", `{}`), []string{}},
			{atLevel(`2`, `"debug"`), []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}},
			{atLevel(`3`, `"error"`), []string{"error", "critical", "alert", "emergency"}},
			{atLevel(`4`, `"emergency"`), []string{"emergency"}},
			{atLevel(`5`, `null`), []string{}},
			{call(`6`, "x", `{}`), []string{}}, // what an earlier request wanted is over
		}
		for _, test := range tests {
			if got := logged(t, c.send(test.line)); !slices.Equal(got, test.want) {
				t.Errorf("%s: %v, want %v", test.line, got, test.want)
			}
		}
		for _, level := range []string{`"loud"`, `""`, `3`, `{}`} {
			expectError(t, c.one(atLevel(`7`, level)), wire.CodeInvalidParams, "7")
		}
		expectError(t, c.one(strings.Replace(atLevel(`8`, `"loud"`), mcp.V2026_07_28, "2030-01-01", 1)), mcp.CodeUnsupportedVersion, "8")
		setLevel := strings.Replace(discover(`9`), mcp.MethodDiscover, mcp.MethodSetLevel, 1)
		expectError(t, c.one(setLevel), wire.CodeMethodNotFound, "9")
	})
}

func TestS56_aLegacySessionAsksForItself(t *testing.T) {
	for _, version := range []string{mcp.V2025_11_25, mcp.V2025_06_18, mcp.V2025_03_26} {
		t.Run(version, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
				c := logging(t, everyLevel)
				if got := c.one(initialize(version, `{}`)); !strings.Contains(got, `"logging":{}`) {
					t.Errorf("logging is not declared: %s", got)
				}
				calls := func(want ...string) {
					t.Helper()
					if got := logged(t, c.send(legacy(`2`, "tools/call", `{"name":"x"}`))); !slices.Equal(got, append([]string{}, want...)) {
						t.Errorf("got %v, want %v", got, want)
					}
				}
				calls()
				if got := c.one(legacy(`1`, mcp.MethodSetLevel, `{"level":"alert"}`)); got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
					t.Errorf("got %s", got)
				}
				calls("alert", "emergency")
				for _, params := range []string{"", `{}`, `{"level":"loud"}`, `{"level":7}`, `{"level":null}`} {
					expectError(t, c.one(legacy(`3`, mcp.MethodSetLevel, params)), wire.CodeInvalidParams, "3")
				}
				calls("alert", "emergency")
				// A modern request on the same connection has not asked.
				if got := logged(t, c.send(call(`4`, "x", `{}`))); len(got) > 0 {
					t.Errorf("a modern request was told %v", got)
				}
				c.one(initialize(version, `{}`))
				calls() // the new session has not asked either
			})
		})
	}
}

func TestS56_messagesAreLimitedAndNeverLate(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		late := make(chan struct{})
		c := logging(t, func(call *Call) {
			call.Log(mcp.LogInfo, "", func() {}) // has no JSON form
			for range 10 * logBurst {
				call.Log(mcp.LogInfo, "", "line\nline")
			}
			go func() {
				<-late
				call.Log(mcp.LogInfo, "", "the call is over")
			}()
		})
		got := c.send(atLevel(`1`, `"info"`))
		if len(got) != logBurst { // the first took a token although it was not sent
			t.Errorf("%d lines, want %d messages and the answer", len(got), logBurst-1)
		}
		if want := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line\nline"}}`; got[0] != want {
			t.Errorf("got %s, want %s", got[0], want)
		}
		close(late)
		if got := c.quiet(); len(got) > 0 {
			t.Errorf("after the answer came %v", got)
		}
	})
}

func TestS56_anExchangeOfATestLogsNowhere(t *testing.T) {
	t.Parallel()
	var x Exchange
	x.Log(mcp.LogInfo, "", jsontext.Value(`1`))
	if _, err := x.Sample(t.Context(), mcp.SampleParams{}); err != ErrCannotSample {
		t.Errorf("sample: %v", err)
	}
}
