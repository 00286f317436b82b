package typegraph

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tsSchema is the TypeScript of a schema that a type gives itself, as far as TypeScript can say it:
// the rest is unknown.
func tsSchema(schema jsontext.Value) string {
	var s struct {
		Type       jsontext.Value   `json:"type"`
		Enum       []jsontext.Value `json:"enum"`
		Const      jsontext.Value   `json:"const"`
		AnyOf      []jsontext.Value `json:"anyOf"`
		OneOf      []jsontext.Value `json:"oneOf"`
		Items      jsontext.Value   `json:"items"`
		Properties jsontext.Value   `json:"properties"`
		Required   []string         `json:"required"`
		Additional jsontext.Value   `json:"additionalProperties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return "unknown" // a schema may be true, too
	}
	var words []string
	switch {
	case len(s.Enum) > 0:
		return tsLiterals(s.Enum)
	case s.Const != nil:
		return tsLiterals([]jsontext.Value{s.Const})
	case len(s.AnyOf)+len(s.OneOf) > 0:
		for _, option := range append(s.AnyOf, s.OneOf...) {
			words = append(words, tsSchema(option))
		}
		return tsJoin(words)
	}
	var kinds []string
	if one := ""; json.Unmarshal(s.Type, &one) == nil {
		kinds = []string{one}
	} else if json.Unmarshal(s.Type, &kinds) != nil {
		return "unknown"
	}
	for _, kind := range kinds {
		switch kind {
		case "string", "boolean", "null", "number":
			words = append(words, kind)
		case "integer":
			words = append(words, "number")
		case "array":
			words = append(words, tsList(tsSchema(s.Items)))
		case "object":
			words = append(words, tsProperties(s.Properties, s.Required, s.Additional))
		}
	}
	return tsJoin(words)
}

// tsLiterals is one of several values. TypeScript has no literals for objects and lists.
func tsLiterals(values []jsontext.Value) string {
	for _, v := range values {
		if v.Kind() == jsontext.KindBeginObject || v.Kind() == jsontext.KindBeginArray {
			return "unknown"
		}
	}
	return tsUnion(values)
}

// tsJoin is one of several types, each once.
func tsJoin(words []string) string {
	if len(words) == 0 || slices.Contains(words, "unknown") {
		return "unknown"
	}
	var once []string
	for _, word := range words {
		if !slices.Contains(once, word) {
			once = append(once, word)
		}
	}
	return strings.Join(once, " | ")
}

// tsProperties is an object with these members, in their order.
func tsProperties(properties jsontext.Value, required []string, additional jsontext.Value) string {
	var members []string
	if properties != nil {
		dec := jsontext.NewDecoder(strings.NewReader(string(properties)))
		dec.ReadToken() //nolint:errcheck // the schema was checked when the type was added
		for dec.PeekKind() == jsontext.KindString {
			token, _ := dec.ReadToken()
			name := token.String()
			value, _ := dec.ReadValue()
			key := name
			if !isTSIdentifier(name) {
				key = strings.TrimSuffix(quoteName(name), ":")
			}
			if !slices.Contains(required, name) {
				key += "?"
			}
			members = append(members, key+": "+tsSchema(value))
		}
	}
	if string(additional) != "false" {
		rest := "unknown"
		if len(members) == 0 && additional.Kind() == jsontext.KindBeginObject {
			rest = tsSchema(additional)
		}
		members = append(members, "[name: string]: "+rest)
	}
	if len(members) == 0 {
		return "Record<string, never>"
	}
	return "{ " + strings.Join(members, "; ") + " }"
}
