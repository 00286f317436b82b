package catalog

import (
	"fmt"
	"slices"
	"strings"
)

const (
	maxForms     = 20      // that a description names, and that a property has
	maxFormsText = 4 << 10 // bytes
	maxFormText  = 512
)

// rootObject turns a schema, whose references were inlined, into an object without unions at its root, which providers
// refuse there. The properties of all forms are joined, what all forms require stays required, and the description says
// which forms there are.
func rootObject(s *node) *node {
	out := newObject()
	out.add("type", newString("object"))
	for i, name := range s.names {
		switch name {
		case "type", "oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "then", "else":
		default:
			out.add(name, s.values[i])
		}
	}
	if out.get("properties") == nil {
		out.add("properties", newObject())
	}
	var text []string
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if u := s.get(keyword); u != nil {
			text = append(text, out.join(keyword, u.values))
		}
	}
	for _, keyword := range []string{"then", "else"} {
		if branch := s.get(keyword); branch != nil && s.get("if") != nil {
			out.join(keyword, []*node{branch})
		}
	}
	text = slices.DeleteFunc(append([]string{s.str("description")}, text...), func(t string) bool { return t == "" })
	if len(text) > 0 {
		out.set("description", newString(strings.Join(text, "\n")))
	}
	return out
}

// join takes the forms of a union into the object out, which is being built, and returns a sentence about them.
func (out *node) join(keyword string, forms []*node) string {
	properties := merged(newObject(), out.get("properties"))
	var required *node
	var names []string
	for _, form := range forms {
		if form.kind != '{' || form.get("type") != nil && !has(form, "type", "object") {
			continue // Arguments are an object, so this form never holds.
		}
		form = rootObject(form)
		for i, name := range form.get("properties").names {
			properties.set(name, either(properties.get(name), form.get("properties").values[i]))
		}
		needs := union(form.get("required"), nil)
		switch {
		case required == nil:
			required = needs
		case keyword == "allOf":
			required = union(required, needs)
		default:
			required = common(required, needs)
		}
		names = append(names, describeForm(form))
	}
	out.set("properties", properties)
	if required != nil && len(required.values) > 0 && keyword != "then" && keyword != "else" {
		out.set("required", union(out.get("required"), required))
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 || keyword == "allOf" && len(names) == 1 {
		return ""
	}
	if len(names) > maxForms {
		names = append(names[:maxForms], fmt.Sprintf("%d more", len(names)-maxForms))
	}
	how := map[string]string{"oneOf": "Exactly one of these forms: ", "anyOf": "At least one of these forms: ", "allOf": "All of these together: "}
	return cut(how[keyword]+strings.Join(names, "; "), maxFormsText) + "."
}

// either returns a schema that takes what a or b takes. Joined ones stay one flat anyOf.
func either(a, b *node) *node {
	if a == nil || a.equal(b) {
		return b
	}
	if forms := a.get("anyOf"); forms != nil && len(a.names) == 1 {
		if len(forms.values) >= maxForms || slices.ContainsFunc(forms.values, b.equal) {
			return a
		}
		b, a = newArray(append(slices.Clone(forms.values), b)...), newObject()
		a.add("anyOf", b)
		return a
	}
	out := newObject()
	out.add("anyOf", newArray(a, b))
	return out
}

// common returns the strings that are in both arrays.
func common(a, b *node) *node {
	out, other := newArray(), textSet(b)
	for _, v := range a.values {
		if other[v.text] {
			out.values = append(out.values, v)
		}
	}
	return out
}

func textSet(array *node) map[string]bool {
	set := map[string]bool{}
	if array != nil {
		for _, v := range array.values {
			set[v.text] = true
		}
	}
	return set
}

// describeForm says in a few words what one form of the arguments is: its title, what it requires with the values that
// tell it from others, and what it also takes.
func describeForm(form *node) string {
	properties := form.get("properties")
	var needs, takes []string
	if required := form.get("required"); required != nil {
		for _, v := range required.values {
			needs = append(needs, v.text+fixed(properties.get(v.text)))
		}
	}
	required := textSet(form.get("required"))
	for i, name := range properties.names {
		if !required[name] {
			takes = append(takes, name+fixed(properties.values[i]))
		}
	}
	var parts []string
	if len(needs) > 0 {
		parts = append(parts, "needs "+strings.Join(needs, ", "))
	}
	if len(takes) > 0 {
		parts = append(parts, "may have "+strings.Join(takes, ", "))
	}
	text := cut(strings.Join(parts, " and "), maxFormText)
	if title := cut(form.str("title"), maxFormText); title != "" && text != "" {
		return title + " (" + text + ")"
	} else if title != "" {
		return title
	}
	return text
}

// fixed says which single value a property has, "" when it may have others.
func fixed(s *node) string {
	if s == nil {
		return ""
	}
	value := s.get("const")
	if e := s.get("enum"); value == nil && e != nil && len(e.values) == 1 {
		value = e.values[0]
	}
	if value == nil {
		return ""
	}
	if text := value.bytes(); len(text) <= 80 {
		return "=" + string(text)
	}
	return ""
}
