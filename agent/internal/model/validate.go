package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNameLength is the longest name of a tool that every vendor takes.
const maxNameLength = 64

// ValidName reports whether every vendor takes a tool or a call by this name: [A-Za-z0-9_-]{1,64}.
func ValidName(name string) bool {
	if name == "" || len(name) > maxNameLength {
		return false
	}
	for i := range len(name) {
		if !nameByte(name[i]) {
			return false
		}
	}
	return true
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// Validate reports as an *Error what no vendor would take, before anything is sent.
func (r Request) Validate() error {
	if r.Model.ID == "" {
		return &Error{Kind: ErrInvalid, Message: "send request: it names no model"}
	}
	if len(r.Messages) == 0 {
		return &Error{Kind: ErrInvalid, Message: "send request: it has no message"}
	}
	seen := make(map[string]bool, len(r.Tools))
	for i, t := range r.Tools {
		var wrong string
		switch {
		case !ValidName(t.Name):
			wrong = "has a name that is not [A-Za-z0-9_-]{1,64}"
		case seen[t.Name]:
			wrong = "has the name of another one"
		case !isObject(t.InputSchema):
			wrong = "has an input schema that is no JSON object"
		default:
			seen[t.Name] = true
			continue
		}
		return &Error{Kind: ErrInvalid, Tool: i + 1, Message: fmt.Sprintf("send request: tool %.80q %s", t.Name, wrong)}
	}
	return nil
}

// isObject reports whether a text is one JSON object and nothing else.
func isObject(text []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "{") && jsontext.Value(text).IsValid()
}
