package adapter

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Reason is what a vendor says of a failure.
type Reason struct {
	Type    string
	Code    string
	Param   string
	Message string
}

// ParseReason reads how vendors say what is wrong, in the forms that are in use: {"type", "code", "param", "message"}, a
// text, or either of them as a member "error", "detail" or "message", or as the first element of a list.
func ParseReason(text []byte) Reason { return parseReason(text, 4) }

// parseReason goes no deeper than it is told.
func parseReason(text []byte, deep int) Reason {
	if s, ok := asString(text); ok {
		return Reason{Message: s}
	}
	if deep == 0 {
		return Reason{}
	}
	var list []jsontext.Value
	if json.Unmarshal(text, &list) == nil && len(list) > 0 {
		return parseReason(list[0], deep-1)
	}
	m := members(text)
	if inner := m["error"]; inner.Kind() == '{' || inner.Kind() == '"' {
		return parseReason(inner, deep-1)
	}
	say := func(from map[string]jsontext.Value, name string) string {
		s, _ := asString(from[name])
		return s
	}
	r := Reason{
		Type:    cmp.Or(say(m, "type"), say(m, "status")),
		Code:    cmp.Or(say(members(m["details"]), "error_code"), say(m, "code")),
		Param:   say(m, "param"),
		Message: say(m, "message"),
	}
	// A broker repeats what the vendor behind it said.
	if raw := say(members(m["metadata"]), "raw"); raw != "" {
		r.Message += ": " + raw
	}
	for _, name := range []string{"message", "detail"} {
		if inner := m[name]; r.Message == "" && len(inner) > 0 && inner.Kind() != 'n' {
			return parseReason(inner, deep-1)
		}
	}
	return r
}

// members returns the members of an object, none of anything else: no member has the same type with all vendors.
func members(text []byte) map[string]jsontext.Value {
	var m map[string]jsontext.Value
	_ = json.Unmarshal(text, &m, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	return m
}

// asString returns a JSON string, or a number as it is written.
func asString(v jsontext.Value) (string, bool) {
	switch v.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true))
		return s, err == nil
	case '0':
		return string(v), true
	}
	return "", false
}
