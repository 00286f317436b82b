package catalog

import (
	"strings"
)

// inliner rewrites schemas that may refer to parts of one root.
type inliner struct {
	root     *node
	maxDepth int
	active   map[*node]bool // the schemas around the one that is being rewritten
	inlined  int            // values that came from references so far
}

// schema rewrites one schema. Depth counts the schemas around it, refs the references that led to it without one between.
// One that is among those around it, a cycle, stays open.
func (in *inliner) schema(s *node, depth, refs int) *node {
	if s.kind == 't' {
		return newObject()
	}
	if s.kind != '{' {
		return s // False; what is no schema at all was left out before.
	}
	if ref := s.get("$ref"); ref != nil {
		return in.reference(s, ref, depth, refs)
	}
	if s.get("$dynamicRef") != nil || s.get("$recursiveRef") != nil || depth > in.maxDepth || in.active[s] {
		return openSchema(s)
	}
	in.active[s] = true
	defer delete(in.active, s)
	out := newObject()
	for i, name := range s.names {
		in.keyword(out, s, name, s.values[i], depth)
	}
	if has(s, "type", "array") && out.get("items") == nil && out.get("prefixItems") == nil {
		out.add("items", newObject()) // Some providers insist on it.
	}
	if refs > 0 {
		in.inlined += size(out)
	}
	return out
}

// keyword rewrites one member of a schema. What JSON Schema 2020-12 does not know in this form is left out.
func (in *inliner) keyword(out, s *node, name string, value *node, depth int) {
	switch k := kindOf(name); k {
	case stripped:
	case aSchema:
		if isSchema(value) {
			out.add(name, in.schema(value, depth+1, 0))
		} else if name == "items" && value.kind == '[' { // The older form of prefixItems.
			out.add("prefixItems", in.schemas(value, depth))
			if rest := s.get("additionalItems"); isSchema(rest) {
				out.add("items", in.schema(rest, depth+1, 0))
			}
		}
	case aSchemaArray:
		if value.kind == '[' && len(value.values) > 0 {
			out.add(name, in.schemas(value, depth))
		}
	case aSchemaMap:
		if value.kind != '{' {
			return
		}
		members := newObject()
		for i, member := range value.names {
			if isSchema(value.values[i]) {
				members.add(member, in.schema(value.values[i], depth+1, 0))
			}
		}
		out.add(name, members)
	case aBound:
		if limit := s.get(strings.ToLower(name[len("exclusive"):])); value.kind == 't' && limit != nil && limit.kind == '0' {
			out.add(name, limit) // The older form, a flag beside the bound.
		} else if value.kind == '0' {
			out.add(name, value)
		}
	case aType:
		out.add(name, typeOf(value))
	default:
		if k.fits(value) {
			out.add(name, value)
		}
	}
}

func (in *inliner) schemas(array *node, depth int) *node {
	out := newArray()
	for _, v := range array.values {
		if isSchema(v) {
			out.values = append(out.values, in.schema(v, depth+1, 0))
		}
	}
	if len(out.values) == 0 {
		return nil
	}
	return out
}

// openSchema returns what can be said of a schema without the schemas in it. What has no type is taken for an object.
func openSchema(s *node) *node {
	out := newObject()
	kind := typeOf(s.get("type"))
	if kind == nil && s.get("enum") == nil && s.get("const") == nil && !isUnion(s) {
		kind = newString("object")
	}
	out.add("type", kind)
	for _, name := range []string{"title", "description"} {
		if text := s.str(name); text != "" {
			out.add(name, newString(text))
		}
	}
	if has(out, "type", "array") {
		out.add("items", newObject())
	}
	return out
}

// has reports whether a member is the string, or an array that contains it.
func has(s *node, member, text string) bool {
	v := s.get(member)
	if v == nil || v.kind == '"' {
		return v != nil && v.text == text
	}
	for _, e := range v.values {
		if v.kind == '[' && e.kind == '"' && e.text == text {
			return true
		}
	}
	return false
}

func isSchema(n *node) bool { return n != nil && (n.kind == '{' || n.kind == 't' || n.kind == 'f') }

func isUnion(s *node) bool {
	return s.get("oneOf") != nil || s.get("anyOf") != nil || s.get("allOf") != nil
}

// size counts the values in a tree.
func size(n *node) int {
	count := 1
	for _, v := range n.values {
		count += size(v)
	}
	return count
}
