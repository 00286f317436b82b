package mcpserver

import (
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// trace is a request's W3C trace context as it was sent.
type trace struct{ parent, state jsontext.Value }

// traceParent is the grammar of version 00, which later versions may only extend.
var traceParent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$`)

// maxTraceState is how long a tracestate a receiver has to pass on.
const maxTraceState = 512

// read returns a context that follows the grammar, or nothing: tracing that does not work must not
// stop a call.
func (t trace) read() (parent, state string) {
	parent = plainString(t.parent)
	zero := func(from, to int) bool { return strings.Trim(parent[from:to], "0") == "" }
	if len(parent) > 128 || !traceParent.MatchString(parent) || parent[:2] == "ff" || parent[:2] == "00" && len(parent) != 55 || zero(3, 35) || zero(36, 52) {
		return "", ""
	}
	if state = plainString(t.state); len(state) > maxTraceState {
		state = ""
	}
	return parent, state
}

// plainString returns the text of a JSON string of printable ASCII, "" for anything else.
func plainString(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	for _, b := range text {
		if b < ' ' || b > '~' {
			return ""
		}
	}
	return string(text)
}
