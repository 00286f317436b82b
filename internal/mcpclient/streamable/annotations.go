package streamable

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// annotation is the keyword of a schema that wants a parameter in a header.
const annotation = "x-mcp-header"

// mirrorsOf returns the parameters that a tool's input schema wants in headers, or what is wrong with its annotations.
func mirrorsOf(schema jsontext.Value) ([]mirror, error) {
	w := annotations{names: map[string]bool{}}
	w.schema(schema, nil, true)
	return w.found, errors.Join(w.problems...)
}

// annotations is a walk through a schema.
type annotations struct {
	found    []mirror
	names    map[string]bool // in lower case
	problems []error
}

// schema visits a schema. Reachable says that only names of properties lead to it, which are its path.
func (w *annotations) schema(v jsontext.Value, path []string, reachable bool) {
	switch v.Kind() {
	case '[': // the list of schemas of allOf, prefixItems and others
		var elements []jsontext.Value
		if unmarshal(v, &elements) == nil {
			for _, e := range elements {
				w.schema(e, path, false)
			}
		}
		return
	case '{':
	default:
		return
	}
	wire.Members(v, func(key []byte, value jsontext.Value) bool {
		switch string(key) {
		case annotation:
			w.annotated(v, value, path, reachable)
		case "properties":
			w.each(value, path, reachable)
		case "patternProperties", "$defs", "definitions", "dependentSchemas":
			w.each(value, path, false)
		case "const", "default", "enum", "example", "examples": // values, in which the name means nothing
		default:
			w.schema(value, path, false)
		}
		return true
	})
}

// each visits the schemas that an object holds by name.
func (w *annotations) each(v jsontext.Value, path []string, reachable bool) {
	if v.Kind() != '{' {
		return
	}
	wire.Members(v, func(name []byte, value jsontext.Value) bool {
		w.schema(value, append(slices.Clip(path), string(name)), reachable)
		return true
	})
}

// annotated checks the annotation of one schema.
func (w *annotations) annotated(schema, value jsontext.Value, path []string, reachable bool) {
	header, ok := wire.Text(value)
	lower := strings.ToLower(header)
	wrong := ""
	switch {
	case !ok:
		wrong = "it is no string"
	case !isToken(header):
		wrong = fmt.Sprintf("%q cannot be part of a header's name", header)
	case !reachable || len(path) == 0:
		wrong = fmt.Sprintf("%q is not at a property that is reached through properties alone", header)
	case !primitive(schema):
		wrong = fmt.Sprintf("%q is at a property whose type is neither string nor integer nor boolean", header)
	case w.names[lower]:
		wrong = fmt.Sprintf("%q occurs twice", header)
	}
	if wrong != "" {
		w.problems = append(w.problems, fmt.Errorf("%s at %q: %s", annotation, strings.Join(path, "."), wrong))
		return
	}
	w.names[lower] = true
	w.found = append(w.found, mirror{header, path})
}

// primitive reports whether the type of a schema is string, integer or boolean; null may be allowed beside it.
func primitive(schema jsontext.Value) bool {
	var s struct {
		Type jsontext.Value `json:"type"`
	}
	if unmarshal(schema, &s) != nil {
		return false
	}
	var types []string
	if one, ok := wire.Text(s.Type); ok {
		types = []string{one}
	} else if s.Type.Kind() != '[' || unmarshal(s.Type, &types) != nil {
		return false
	}
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	return len(types) == 1 && (types[0] == "string" || types[0] == "integer" || types[0] == "boolean")
}

// isToken reports whether s may stand in the name of a header.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}
