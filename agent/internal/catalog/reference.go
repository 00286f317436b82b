package catalog

import (
	"net/url"
	"strconv"
	"strings"
)

// reference puts what s refers to into its place. What is said beside the reference wins; a reference to elsewhere and
// one too many leave an open schema.
func (in *inliner) reference(s, ref *node, depth, refs int) *node {
	target := in.resolve(ref)
	var out *node
	switch {
	case target == nil || !isSchema(target):
		out = newObject()
	case refs >= maxRefs || in.inlined > maxInlined:
		out = openSchema(target)
	default:
		in.inlined++
		out = in.schema(target, depth, refs+1)
	}
	if out.kind != '{' || len(s.names) == 1 {
		return out
	}
	beside := newObject()
	for i, name := range s.names {
		if name != "$ref" {
			in.keyword(beside, s, name, s.values[i], depth)
		}
	}
	return merged(out, beside)
}

// resolve finds the target of a local reference: a JSON pointer from the root, or an anchor's name.
func (in *inliner) resolve(ref *node) *node {
	fragment, local := strings.CutPrefix(ref.text, "#")
	if ref.kind != '"' || !local {
		return nil
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	at := in.root
	if fragment != "" && fragment[0] != '/' {
		return in.anchor(fragment)
	}
	if fragment == "" {
		return at
	}
	for _, token := range strings.Split(fragment[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch at.kind {
		case '{':
			at = at.get(token)
		case '[':
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at.values) {
				return nil
			}
			at = at.values[i]
		default:
			return nil
		}
		if at == nil {
			return nil
		}
	}
	return at
}

// anchor finds a definition by its anchor; definitions are where they are in use.
func (in *inliner) anchor(name string) *node {
	for _, place := range []string{"$defs", "definitions"} {
		if defs := in.root.get(place); defs != nil {
			for _, s := range defs.values {
				if s.str("$anchor") == name || s.str("$id") == "#"+name {
					return s
				}
			}
		}
	}
	return nil
}

// merged returns the schema base with the members of beside, which win; properties and required are joined.
func merged(base, beside *node) *node {
	out := newObject()
	for i, name := range base.names {
		out.add(name, base.values[i])
	}
	for i, name := range beside.names {
		value := beside.values[i]
		switch old := out.get(name); {
		case old != nil && name == "properties":
			both := newObject()
			for j, property := range old.names {
				both.add(property, old.values[j])
			}
			for j, property := range value.names {
				both.set(property, value.values[j])
			}
			value = both
		case old != nil && name == "required":
			value = union(old, value)
		}
		out.set(name, value)
	}
	return out
}

// union returns the strings of both arrays, each once.
func union(a, b *node) *node {
	out := newArray()
	seen := map[string]bool{}
	for _, array := range []*node{a, b} {
		if array == nil {
			continue
		}
		for _, v := range array.values {
			if !seen[v.text] {
				seen[v.text] = true
				out.values = append(out.values, v)
			}
		}
	}
	return out
}
