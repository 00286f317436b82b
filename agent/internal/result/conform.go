package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

const (
	// maxSteps bounds the work of one check: schemas can be written so that a small value takes for ever.
	maxSteps       = 200_000
	maxSchemaDepth = 200
)

// mismatch says in which way a result is not what the output schema promises, "" when it is. It only ever leads to a
// warning, so what it cannot judge counts as kept: foreign references, keywords that few use, and a schema that is broken
// or takes too long.
func mismatch(r *mcp.CallToolResult, schema jsontext.Value) string {
	if len(schema) == 0 || r.IsError {
		return ""
	}
	if len(r.StructuredContent) == 0 {
		return "the tool declares an output schema and sent no structured content"
	}
	var c conformer
	var value any
	lenient := []json.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if json.Unmarshal(schema, &c.root, lenient...) != nil || json.Unmarshal(r.StructuredContent, &value, lenient...) != nil {
		return ""
	}
	why := c.check(c.root, value, "the structured content", 0)
	if why == "" || c.steps > maxSteps {
		return ""
	}
	return "the result does not match the tool's output schema: " + OneLine(why, 400)
}

// conformer checks values against one schema.
type conformer struct {
	root  any
	steps int
}

// spend takes n steps and reports whether there are any left.
func (c *conformer) spend(n int) bool {
	c.steps += n
	return c.steps <= maxSteps
}

// check says what is wrong with the value at path, "" when nothing is.
func (c *conformer) check(schema, value any, path string, depth int) string {
	if depth > maxSchemaDepth {
		c.steps = maxSteps
	}
	if !c.spend(1) {
		return ""
	}
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return path + " must not be there"
		}
		return ""
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, ok := resolve(c.root, ref); ok {
			if why := c.check(target, value, path, depth+1); why != "" {
				return why
			}
		}
	}
	if why := c.kind(s, value, path); why != "" {
		return why
	}
	if why := c.forms(s, value, path, depth); why != "" {
		return why
	}
	switch v := value.(type) {
	case map[string]any:
		return c.object(s, v, path, depth)
	case []any:
		return c.array(s, v, path, depth)
	case string:
		return bounds(s, "Length", len([]rune(v)), path, "characters")
	case float64:
		return number(s, v, path)
	}
	return ""
}

// kind checks type, const and enum.
func (c *conformer) kind(s map[string]any, value any, path string) string {
	var types []any
	switch t := s["type"].(type) {
	case string:
		types = []any{t}
	case []any:
		types = t
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(t any) bool { return isType(value, t) }) {
		return fmt.Sprintf("%s is %s instead of %s", path, typeName(value), strings.Trim(fmt.Sprint(types), "[]"))
	}
	if want, ok := s["const"]; ok && !same(want, value) {
		return path + " is not the value that it has to be"
	}
	if values, ok := s["enum"].([]any); ok && c.spend(len(values)) && !slices.ContainsFunc(values, func(want any) bool { return same(want, value) }) {
		return path + " is none of the values that it may be"
	}
	return ""
}

// forms checks what is put together from other schemas.
func (c *conformer) forms(s map[string]any, value any, path string, depth int) string {
	all, _ := s["allOf"].([]any)
	for _, form := range all {
		if why := c.check(form, value, path, depth+1); why != "" {
			return why
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		forms, ok := s[keyword].([]any)
		if !ok || len(forms) == 0 {
			continue
		}
		fit := 0
		for _, form := range forms {
			if c.check(form, value, path, depth+1) == "" {
				fit++
			}
		}
		if fit == 0 {
			return fmt.Sprintf("%s has none of the %d forms that it may have", path, len(forms))
		}
		if keyword == "oneOf" && fit > 1 {
			return fmt.Sprintf("%s has %d of the forms of which it has to have one", path, fit)
		}
	}
	if not, ok := s["not"]; ok && c.check(not, value, path, depth+1) == "" {
		return path + " has the form that it must not have"
	}
	return ""
}

func (c *conformer) object(s, v map[string]any, path string, depth int) string {
	required, _ := s["required"].([]any)
	if !c.spend(len(required) + len(v)) {
		return ""
	}
	for _, name := range required {
		if name, ok := name.(string); ok {
			if _, there := v[name]; !there {
				return fmt.Sprintf("%s has no %q", path, name)
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	others, judged := s["additionalProperties"]
	if _, patterns := s["patternProperties"]; patterns {
		judged = false
	}
	for _, name := range sortedNames(v) {
		schema, known := properties[name]
		if !known {
			schema = others
		}
		if known || judged {
			if why := c.check(schema, v[name], path+"."+name, depth+1); why != "" {
				return why
			}
		}
	}
	return bounds(s, "Properties", len(v), path, "members")
}

func (c *conformer) array(s map[string]any, v []any, path string, depth int) string {
	first, _ := s["prefixItems"].([]any)
	others, judged := s["items"]
	if tuple, ok := others.([]any); ok { // The older form of prefixItems.
		first = tuple
		others, judged = s["additionalItems"]
	}
	for i, element := range v {
		schema := others
		if i < len(first) {
			schema = first[i]
		} else if !judged {
			break
		}
		if why := c.check(schema, element, fmt.Sprintf("%s[%d]", path, i), depth+1); why != "" {
			return why
		}
	}
	return bounds(s, "Items", len(v), path, "elements")
}
