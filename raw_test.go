package elyra_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/elyra-go/elyra/elyratest"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// rawClient speaks the modern revision by hand: what a hostile client may send, no SDK would.
type rawClient struct {
	t            testing.TB
	name         string
	capabilities string
	hangUp       func() // and waits until the app has noticed

	mu    sync.Mutex
	id    int
	to    io.Writer
	lines *bufio.Reader
}

// reply is the answer to a raw request, of either kind.
type reply struct {
	Result struct {
		ResultType    string
		IsError       bool
		Content       []struct{ Text string }
		RequestState  string
		InputRequests map[string]struct {
			Params struct {
				Message, Mode, URL string
				RequestedSchema    json.RawMessage
			}
		}
	}
	Error struct {
		Code    int
		Message string
	}
}

// text is what the model would read.
func (r reply) text() string {
	if r.Error.Code != 0 {
		return r.Error.Message
	}
	var b strings.Builder
	for _, c := range r.Result.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// ran reports that the tool ran and succeeded.
func (r reply) ran() bool {
	return r.Error.Code == 0 && !r.Result.IsError && r.Result.ResultType == "complete"
}

// question is what the user is asked, "" when the reply is no question.
func (r reply) question() string { return r.Result.InputRequests["confirm"].Params.Message }

const (
	canAsk    = `{"elicitation":{}}`
	cannotAsk = `{}`
)

func rawAgent(t testing.TB, app *elyratest.App, name, capabilities string) *rawClient {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	in, out := mcpschema.New().Tap(fromClient, toClient, func(fromServer bool, err error) {
		if fromServer { // the client may break every rule
			t.Error(err)
		}
	})
	var serving sync.WaitGroup
	serving.Go(func() { app.Instance.ServeMCP(t.Context(), in, out) })
	hangUp := func() {
		toServer.Close()
		fromServer.Close()
		serving.Wait()
	}
	t.Cleanup(hangUp)
	return &rawClient{t: t, name: name, capabilities: capabilities, hangUp: hangUp, to: toServer, lines: bufio.NewReaderSize(fromServer, 1<<20)}
}

// request sends params, an object without its braces, and returns the answer.
func (c *rawClient) request(method, params string) (r reply) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id++
	info, err := json.Marshal(map[string]string{"name": c.name, "version": "1"})
	if err != nil {
		c.t.Error(err)
	}
	if params != "" {
		params = "," + params
	}
	fmt.Fprintf(c.to, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":%s,"io.modelcontextprotocol/clientCapabilities":%s}%s}}`+"\n",
		c.id, method, info, c.capabilities, params)
	line, err := c.lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
	return r
}

// call calls a tool, with a state and the JSON of the answer to the question when state is not "".
func (c *rawClient) call(tool, args, state, answer string) reply {
	c.t.Helper()
	params := fmt.Sprintf(`"name":%q,"arguments":%s`, tool, args)
	if state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, state)
	}
	if answer != "" {
		params += fmt.Sprintf(`,"inputResponses":%s`, answer)
	}
	return c.request("tools/call", params)
}

const (
	accept  = `{"confirm":{"action":"accept"}}`
	decline = `{"confirm":{"action":"decline"}}`
)
