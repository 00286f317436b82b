// Package toolargs tells people what arguments a tool takes, in lines of a table.
//
// It reads the input schemas that servers send, which are untrusted: whatever a schema holds, also one that contains
// itself, reading it ends and its bounds hold. What it returns is foreign text, to be made visible by who shows it. The
// package may import internal/terminal, and nothing that knows about servers.
package toolargs

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what is shown of a schema, which may contain itself.
const (
	maxSchemaDepth = 4   // of nested arguments, and of a type in a type
	maxArgumentsOf = 200 // a tool
	maxTypeText    = 200 // bytes
)

// schema is the part of JSON Schema that is shown.
type schema struct {
	Type        jsontext.Value     `json:"type"` // a string, or a list of them
	Ref         string             `json:"$ref"`
	Description string             `json:"description"`
	Format      string             `json:"format"`
	Enum        []jsontext.Value   `json:"enum"`
	Const       jsontext.Value     `json:"const"`
	Items       jsontext.Value     `json:"items"` // a schema or a boolean
	Properties  jsontext.Value     `json:"properties"`
	Required    []string           `json:"required"`
	AnyOf       []jsontext.Value   `json:"anyOf"`
	OneOf       []jsontext.Value   `json:"oneOf"`
	Additional  jsontext.Value     `json:"additionalProperties"`
	Defs        map[string]*schema `json:"$defs"`
}

// Argument is one line about an argument or a field in one.
type Argument struct {
	Depth    int // 0 for an argument, 1 for a field of it, and so on
	Name     string
	Type     string // in words, like "list of integer"
	Doc      string
	Required bool
}

// List lists what an input schema takes, in the order of the schema, with nested fields after
// the argument that has them. A schema that cannot be read has none.
func List(raw jsontext.Value) []Argument {
	root := parseSchema(raw)
	if root == nil {
		return nil
	}
	var list []Argument
	root.addFields(&list, root, 0)
	return list
}

// parseSchema gives nil for a boolean schema and for what is none.
func parseSchema(raw jsontext.Value) *schema {
	var s schema
	if raw.Kind() != '{' || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return &s
}

// resolve follows a reference into the definitions of the root.
func (s *schema) resolve(root *schema) *schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok && root.Defs[name] != nil {
		return root.Defs[name]
	}
	return s
}

// addFields lists the properties of s, each before its own.
func (s *schema) addFields(list *[]Argument, root *schema, depth int) {
	if depth >= maxSchemaDepth || s.Properties.Kind() != '{' {
		return
	}
	for name, raw := range members(s.Properties) {
		if len(*list) >= maxArgumentsOf {
			return
		}
		field := parseSchema(raw)
		if field == nil {
			field = &schema{}
		}
		doc := field.Description
		field = field.resolve(root)
		if doc == "" {
			doc = field.Description
		}
		*list = append(*list, Argument{depth, name, field.typeText(root), doc, slices.Contains(s.Required, name)})
		inner := field
		if item := parseSchema(field.Items); item != nil {
			inner = item.resolve(root)
		}
		inner.addFields(list, root, depth+1)
	}
}

// members gives the members of an object in their order.
func members(object jsontext.Value) func(yield func(string, jsontext.Value) bool) {
	return func(yield func(string, jsontext.Value) bool) {
		d := jsontext.NewDecoder(strings.NewReader(string(object)))
		if _, err := d.ReadToken(); err != nil {
			return
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			key := name.String()
			value, err := d.ReadValue()
			if err != nil || !yield(key, value.Clone()) {
				return
			}
		}
	}
}

// typeText names a type in a few words.
func (s *schema) typeText(root *schema) string {
	text := s.typeTextAt(root, 0)
	if len(text) > maxTypeText {
		text = strings.ToValidUTF8(text[:maxTypeText-len("…")], "") + "…"
	}
	return text
}

func (s *schema) typeTextAt(root *schema, depth int) string {
	if depth >= maxSchemaDepth {
		return "…"
	}
	inner := func(raw jsontext.Value) string {
		s := parseSchema(raw)
		if s == nil {
			return "anything"
		}
		return s.resolve(root).typeTextAt(root, depth+1)
	}
	var options []string
	switch {
	case len(s.Enum) > 0:
		for _, v := range s.Enum {
			options = append(options, string(v))
		}
	case len(s.Const) > 0:
		options = append(options, string(s.Const))
	case len(s.AnyOf)+len(s.OneOf) > 0:
		for _, raw := range slices.Concat(s.AnyOf, s.OneOf) {
			options = append(options, inner(raw))
		}
	default:
		for _, t := range s.types() {
			switch {
			case t == "array":
				t = "list of " + inner(s.Items)
			case t == "string" && s.Format != "":
				t = "string (" + s.Format + ")"
			case t == "object" && s.Additional.Kind() == '{':
				t = "map of " + inner(s.Additional)
			}
			options = append(options, t)
		}
	}
	if len(options) == 0 {
		return "anything"
	}
	return strings.Join(options, " | ")
}

// types is what the schema's type says: one name or several.
func (s *schema) types() []string {
	var one string
	if json.Unmarshal(s.Type, &one) == nil {
		return []string{one}
	}
	var several []string
	if json.Unmarshal(s.Type, &several) != nil {
		return nil
	}
	return several
}
