package mcpserver

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// trace is a request's W3C trace context as it was sent.
type trace struct{ parent, state jsontext.Value }

// traceParent is the shape of version 00, where 0 stands for a hexadecimal digit. Later versions may
// only add to its end, after another hyphen.
const traceParent = "00-00000000000000000000000000000000-0000000000000000-00"

// shapedAsTraceParent reports whether s has that shape.
func shapedAsTraceParent(s string) bool {
	if len(s) < len(traceParent) || len(s) > len(traceParent) && s[len(traceParent)] != '-' {
		return false
	}
	for i := range len(traceParent) {
		c := s[i]
		digit := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
		if hyphen := traceParent[i] == '-'; hyphen && c != '-' || !hyphen && !digit {
			return false
		}
	}
	return true
}

// maxTraceState is how long a tracestate a receiver has to pass on.
const maxTraceState = 512

// read returns a context that follows the grammar, or nothing: tracing that does not work must not
// stop a call.
func (t trace) read() (parent, state string) {
	parent = plainString(t.parent)
	zero := func(from, to int) bool { return strings.Trim(parent[from:to], "0") == "" }
	if len(parent) > 128 || !shapedAsTraceParent(parent) || parent[:2] == "ff" || parent[:2] == "00" && len(parent) != len(traceParent) || zero(3, 35) || zero(36, 52) {
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
