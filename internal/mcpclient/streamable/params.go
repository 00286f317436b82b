package streamable

import (
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxMirrored bounds the tools whose parameters are remembered.
	maxMirrored = 10_000
	// maxSafe is the largest integer that a header may carry: 2^53-1.
	maxSafe = 1<<53 - 1
)

// mirror is a parameter that goes into a header as well.
type mirror struct {
	header string   // without Mcp-Param-
	path   []string // the names that lead to it in the arguments
}

// parameters remember which parameters of which tools go into headers. They are learned from lists of tools.
type parameters struct {
	mu    sync.Mutex
	tools map[string][]mirror
}

func (p *parameters) of(tool string) []mirror {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tools[tool]
}

func (p *parameters) set(tool string, mirrors []mirror) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(mirrors) == 0:
		delete(p.tools, tool)
	case len(p.tools) < maxMirrored || p.tools[tool] != nil:
		if p.tools == nil {
			p.tools = map[string][]mirror{}
		}
		p.tools[tool] = mirrors
	}
}

// learn reads a page of tools. When it has some that must not be used because of their annotations, it returns the page
// without them, and true. What is no tool at all is left for the reader to judge.
func (p *parameters) learn(result jsontext.Value, log *slog.Logger) (jsontext.Value, bool) {
	var page struct {
		Tools []jsontext.Value `json:"tools"`
	}
	if unmarshal(result, &page) != nil {
		return nil, false
	}
	good := make([]jsontext.Value, 0, len(page.Tools))
	for _, raw := range page.Tools {
		var tool struct {
			Name   jsontext.Value `json:"name"`
			Schema jsontext.Value `json:"inputSchema"`
		}
		if unmarshal(raw, &tool) != nil {
			good = append(good, raw)
			continue
		}
		name, _ := wire.Text(tool.Name)
		mirrors, err := mirrorsOf(tool.Schema)
		if err != nil {
			log.Warn("left out a tool of the MCP server: its x-mcp-header annotations are invalid", "tool", firstText("", []byte(name)), "error", err)
			p.set(name, nil)
			continue
		}
		p.set(name, mirrors)
		good = append(good, raw)
	}
	if len(good) == len(page.Tools) {
		return nil, false
	}
	return withTools(result, good), true
}

// withTools returns a page with other tools and all else as it was.
func withTools(result jsontext.Value, tools []jsontext.Value) jsontext.Value {
	b := []byte{'{'}
	wire.Members(result, func(name []byte, value jsontext.Value) bool {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(wire.AppendString(b, string(name)), ':')
		if string(name) != "tools" {
			b = append(b, value...)
			return true
		}
		b = append(b, '[')
		for i, t := range tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, t...)
		}
		b = append(b, ']')
		return true
	})
	return append(b, '}')
}

// headers returns the headers that the arguments of a tools/call have to be mirrored in.
func (p *parameters) headers(m wire.Message) (http.Header, error) {
	if m.Method != mcp.MethodCallTool {
		return nil, nil
	}
	name, _ := subject(m)
	mirrors := p.of(name)
	if len(mirrors) == 0 {
		return nil, nil
	}
	var call struct {
		Arguments jsontext.Value `json:"arguments"`
	}
	if err := unmarshal(m.Params, &call); err != nil {
		return nil, err
	}
	h := http.Header{}
	for _, mirror := range mirrors {
		text, ok, err := headerText(lookUp(call.Arguments, mirror.path))
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", strings.Join(mirror.path, "."), err)
		}
		if ok {
			h.Set(headerParam+mirror.header, encodeHeader(text))
		}
	}
	return h, nil
}

// lookUp returns the value at a path, nil when there is none.
func lookUp(v jsontext.Value, path []string) jsontext.Value {
	for _, name := range path {
		if v.Kind() != '{' {
			return nil
		}
		var members map[string]jsontext.Value
		if unmarshal(v, &members) != nil {
			return nil
		}
		v = members[name]
	}
	return v
}

// headerText returns a value as the text of a header, and false when it has none: it is absent, null or no primitive.
func headerText(v jsontext.Value) (string, bool, error) {
	switch v.Kind() {
	case '"':
		text, ok := wire.Text(v)
		return text, ok, nil
	case 't', 'f':
		return string(v), true, nil
	case '0':
		text, err := integerText(string(v))
		return text, err == nil, err
	}
	return "", false, nil
}

// integerText returns a number in decimal digits. One that is no integer stays as it is, for the server to refuse.
func integerText(v string) (string, error) {
	if len(v) > 64 {
		return "", errors.New("the number is too long for a header")
	}
	if i := strings.IndexAny(v, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(v[i+1:]); err != nil || exponent > 64 || exponent < -64 {
			return "", errors.New("the number cannot be carried by a header")
		}
	}
	n, ok := new(big.Rat).SetString(v)
	if !ok || !n.IsInt() {
		return v, nil
	}
	if !n.Num().IsInt64() || n.Num().Int64() > maxSafe || n.Num().Int64() < -maxSafe {
		return "", errors.New("the integer is beyond ±(2^53-1), which is what a header may carry")
	}
	return n.Num().String(), nil
}
