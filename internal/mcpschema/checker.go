// Package mcpschema holds MCP messages against the published JSON Schemas of the four revisions. A
// [Checker] follows one connection: it knows which revision and which definition each message has to
// satisfy, because it remembers the requests that are still to be answered, and it complains about
// what no schema can say, such as an answer to nothing or progress that does not increase.
//
// It is the judge of the tests of this module and of package elyratest, and must not be linked by
// apps. It knows neither the server nor the client that it judges: it may import internal/wire and
// internal/mcp and nothing else of this module.
package mcpschema

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Checker judges the lines of one connection. It is safe for concurrent use, as long as a request is
// checked before its answer.
type Checker struct {
	mu      sync.Mutex
	session string // the negotiated legacy revision, or the one that initialize asks for; "" before it
	asked   [2]requests
	tools   map[string]*outputSchema // by revision and name
}

// The two sides, as indexes of Checker.asked.
const (
	client = iota
	server
)

// requests are those of one side that are not answered yet, by their raw id. A client that breaks the
// rules may use an id twice.
type requests map[string][]*request

// request is one that is still to be answered.
type request struct {
	method, version string
	tool            string         // of tools/call
	token           jsontext.Value // for progress
	progress        *float64       // the last that was reported
	level           int            // severity from which on it wants messages to the log; 0: none
	cancelled       bool           // by its sender: the answer may be on its way all the same
	acknowledged    bool           // of subscriptions/listen
	before          string         // of initialize: the session to return to when it fails
}

// New returns a Checker for a connection that is about to begin.
func New() *Checker {
	return &Checker{asked: [2]requests{{}, {}}, tools: map[string]*outputSchema{}}
}

// CheckLine judges one line, without its line ending, that the server or the client has written. The
// revision "" is the one that the line itself or the connection so far implies. The error says what
// is wrong, quotes the line and names the definition and the place in it.
//
// A request that is refused is remembered all the same if its id can be read, so that a test which
// sends nonsense can judge the answer to it.
func (c *Checker) CheckLine(line []byte, revision string, fromServer bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.line(line, revision, fromServer); err != nil {
		side := "the client"
		if fromServer {
			side = "the server"
		}
		return fmt.Errorf("%s wrote: %w\n%s", side, err, quoted(line))
	}
	return nil
}

// quoted shortens a line for a message.
func quoted(line []byte) []byte {
	const most = 4 << 10
	if len(line) > most {
		return fmt.Appendf(nil, "%s… (%d bytes)", line[:most], len(line))
	}
	return line
}

func (c *Checker) line(line []byte, revision string, fromServer bool) error {
	switch {
	case len(line) > wire.DefaultMaxLine:
		if id := wire.RequestID(line[:4<<10]); id != nil {
			c.remember(wire.Message{ID: id}, line, revision, fromServer)
		}
		return fmt.Errorf("a line of %d bytes, which nobody needs to read", len(line))
	case bytes.IndexByte(line, '\n') >= 0:
		return errors.New("a line break within a message")
	case !utf8.Valid(line):
		if m, _ := wire.Parse(line, wire.Limits{MaxDepth: 1000}); m.ID != nil {
			c.remember(m, line, revision, fromServer)
		}
		return errors.New("bytes that are not UTF-8")
	}
	limits := wire.Limits{MaxDepth: 1000}
	elements, isBatch := wire.ParseBatch(line, limits)
	if !isBatch {
		return c.message(line, revision, fromServer)
	}
	if len(elements) == 0 {
		return errors.New("an empty batch")
	}
	// A client's batch in another revision is refused as a whole. As for the server, the session may
	// have changed since the requests that it answers.
	if v := c.or(revision); v != mcp.V2025_03_26 && !fromServer {
		return fmt.Errorf("a batch, which %s does not have", v)
	}
	var errs []error
	for _, element := range elements {
		if err := c.batched(element, fromServer); err != nil {
			errs = append(errs, err)
		}
		errs = append(errs, c.message(element, revision, fromServer))
	}
	return errors.Join(errs...)
}

// batched refuses an answer within a batch of the server to a request of a revision without batches.
func (c *Checker) batched(element []byte, fromServer bool) error {
	if m, refused := wire.Parse(element, wire.Limits{}); fromServer && refused == nil {
		for _, r := range c.asked[client][string(m.ID)] {
			if r.version != mcp.V2025_03_26 && !mcp.Modern(r.version) {
				return fmt.Errorf("an answer in a batch, which %s does not have", r.version)
			}
		}
	}
	return nil
}

// or returns the revision, or what the connection implies for a message that says nothing itself.
func (c *Checker) or(revision string) string {
	switch {
	case revision != "":
		return revision
	case c.session != "":
		return c.session
	}
	return mcp.V2026_07_28
}

func (c *Checker) message(line []byte, revision string, fromServer bool) error {
	m, refused := wire.Parse(line, wire.Limits{MaxDepth: 1000})
	switch {
	case refused != nil && m.ID != nil:
		c.remember(m, line, revision, fromServer)
		return refused
	case refused != nil:
		return refused
	case m.Method == "":
		return c.response(m, line, revision, fromServer)
	case m.ID == nil:
		return c.notification(m, line, revision, fromServer)
	}
	r := c.remember(m, line, revision, fromServer)
	rev, err := find(r.version)
	if err != nil {
		return err
	}
	definition := rev.sent(fromServer).requests[m.Method]
	if definition == "" {
		return fmt.Errorf("a request %q, which %s does not have", m.Method, rev.name)
	}
	return rev.validate(definition, line)
}

func find(version string) (*revision, error) {
	if load := revisions[version]; load != nil {
		return load()
	}
	return nil, fmt.Errorf("there is no schema of the revision %q", version)
}

// remember keeps a request until it is answered.
func (c *Checker) remember(m wire.Message, line []byte, revision string, fromServer bool) *request {
	side := client
	if fromServer {
		side = server
	}
	var p struct {
		Meta            map[string]jsontext.Value `json:"_meta"`
		Name            string                    `json:"name"`
		ProtocolVersion string                    `json:"protocolVersion"`
	}
	if m.Params != nil && json.Unmarshal(m.Params, &p, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		p.Meta = nil
	}
	r := &request{method: m.Method, tool: p.Name, token: p.Meta[mcp.MetaProgressToken], before: c.session}
	if level, ok := wire.Text(p.Meta[mcp.MetaLogLevel]); ok {
		r.level = mcp.Severity(level)
	}
	r.version = c.versionOf(m.Method, p.Meta, revision, fromServer)
	if m.Method == mcp.MethodInitialize && !fromServer {
		r.version = opens(p.ProtocolVersion, revision)
		c.session = r.version // until the answer says otherwise
	}
	c.asked[side][string(m.ID)] = append(c.asked[side][string(m.ID)], r)
	return r
}

// opens is the revision of an initialize request that asks for version.
func opens(version, revision string) string {
	switch {
	case revision != "":
		return revision
	case mcp.Legacy(version):
		return version
	}
	return mcp.V2025_11_25
}

// versionOf is the revision of a request. Modern requests say so themselves.
func (c *Checker) versionOf(method string, meta map[string]jsontext.Value, revision string, fromServer bool) string {
	switch {
	case revision != "" || fromServer:
		return c.or(revision)
	case meta[mcp.MetaProtocolVersion] != nil, method == mcp.MethodDiscover, method == mcp.MethodListen:
		return mcp.V2026_07_28
	case c.session == "" && method == mcp.MethodPing:
		return mcp.V2025_11_25
	}
	return c.or("")
}

// take removes and returns the request that an answer belongs to: one that was not cancelled if
// there is one. Of two requests with one id the newer is the one that is refused.
func (rs requests) take(id string, refused bool) *request {
	list := rs[id]
	if len(list) == 0 {
		return nil
	}
	i := slices.IndexFunc(list, func(r *request) bool { return !r.cancelled })
	switch {
	case refused:
		i = len(list) - 1
	case i < 0:
		i = 0
	}
	r := list[i]
	if rs[id] = slices.Delete(list, i, i+1); len(rs[id]) == 0 {
		delete(rs, id)
	}
	return r
}
