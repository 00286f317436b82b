package catalog

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxProviderInput = 1 << 20 // bytes
	// maxProviderBytes is the size of the largest schema that a model gets, about 16,000 tokens. The largest of
	// servers in use have 50 KB.
	maxProviderBytes = 64 << 10
	// maxProviderDepth is how many schemas may lie in one another.
	maxProviderDepth = 16
	// maxRefs is how many references may lead to one another.
	maxRefs = 16
	// maxInlined is how many JSON values of one schema may come from references; further ones stay open.
	maxInlined = 20_000
)

// ForProvider returns a tool's input schema in the form that model providers accept: an object at the root without
// unions, all references inlined, only keywords of JSON Schema 2020-12 with values of the right kind, not too deep and not
// too large. What cannot be said that way is left open, never made stricter, so the model may have to learn the rest from
// the server's error. The same schema always gives the same bytes.
//
// It fails for what is no JSON object, or is too large to look at.
func ForProvider(schema jsontext.Value) (jsontext.Value, error) {
	if len(schema) > maxProviderInput {
		return nil, fmt.Errorf("adapt a schema for the model: it is %d KB long; at most %d are read", len(schema)>>10, maxProviderInput>>10)
	}
	root, err := parseNode(schema, 4*maxSchemaDepth)
	if err == nil && root.kind != '{' {
		err = errors.New("it is no JSON object")
	}
	if err != nil {
		return nil, fmt.Errorf("adapt a schema for the model: %w", err)
	}
	for depth := maxProviderDepth; depth > 0; depth /= 2 {
		in := inliner{root: root, maxDepth: depth, active: map[*node]bool{}}
		if out := rootObject(in.schema(root, 0, 0)).bytes(); len(out) <= maxProviderBytes {
			return out, nil
		}
	}
	open := newObject()
	open.add("type", newString("object"))
	if text := root.str("description"); text != "" {
		open.add("description", newString(cut(text, 4<<10)))
	}
	open.add("properties", newObject())
	return open.bytes(), nil
}
