package typegraph

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ref describes t where it is used, in a definition of its own if it has one.
func (w *writer) ref(t *Type, r *rules, stringed bool) schema {
	if t.kind == kindPointer {
		return nullable(w.ref(t.elem, r, stringed))
	}
	if w.uses[t] > 1 {
		var s schema
		s.set("$ref", "#/$defs/"+w.name(t))
		return s
	}
	return w.body(t, r, stringed)
}

// body describes t itself. r may be nil.
func (w *writer) body(t *Type, r *rules, stringed bool) schema {
	if t.kind == kindPointer {
		return nullable(w.body(t.elem, r, stringed))
	}
	var s schema
	switch t.kind {
	case kindBool:
		s.set("type", "boolean")
	case kindInt, kindUint, kindFloat:
		w.number(&s, t, stringed)
	case kindString, kindText:
		s.set("type", "string")
	case kindTime:
		s.set("type", "string")
		s.set("format", "date-time")
	case kindBytes:
		s.set("type", "string")
		s.set("contentEncoding", "base64")
	case kindList, kindArray:
		s.set("type", "array")
		s.set("items", w.ref(t.elem, r.elements(), false))
		if t.kind == kindArray {
			s.set("minItems", t.length)
			s.set("maxItems", t.length)
		}
	case kindMap:
		w.mapping(&s, t, r)
	case kindObject:
		w.object(&s, t)
	case kindCustom:
		return customSchema(t)
	}
	if t.doc.Doc != "" {
		s.set("description", strings.TrimSpace(t.doc.Doc))
	}
	w.enum(&s, t)
	if r != nil && !w.output {
		r.apply(&s, t, stringed)
	}
	return s
}

// elements are the rules of the elements of a list or map.
func (r *rules) elements() *rules {
	if r == nil {
		return nil
	}
	return r.elem
}

func (w *writer) number(s *schema, t *Type, stringed bool) {
	switch {
	case stringed && t.kind == kindFloat:
		s.set("type", "string")
		s.set("pattern", `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	case stringed && t.kind == kindUint:
		s.set("type", "string")
		s.set("pattern", `^(0|[1-9][0-9]*)$`)
	case stringed:
		s.set("type", "string")
		s.set("pattern", `^-?(0|[1-9][0-9]*)$`)
	case t.kind == kindFloat:
		s.set("type", "number")
	default:
		s.set("type", "integer")
		if low, high := t.limits(); !w.output && t.bits < 64 {
			s.set("minimum", jsontext.Value(low))
			s.set("maximum", jsontext.Value(high))
		} else if !w.output && t.kind == kindUint {
			s.set("minimum", jsontext.Value(low))
		}
	}
}

func (w *writer) mapping(s *schema, t *Type, r *rules) {
	s.set("type", "object")
	var names schema
	switch {
	case len(t.key.enum) > 0 && t.key.kind == kindString && !w.output:
		names.set("enum", t.key.enum)
	case t.key.kind == kindInt:
		names.set("pattern", `^(0|-?[1-9][0-9]*)$`)
	case t.key.kind == kindUint:
		names.set("pattern", `^(0|[1-9][0-9]*)$`)
	}
	if len(names.keywords) > 0 {
		s.set("propertyNames", names)
	}
	s.set("additionalProperties", w.ref(t.elem, r.elements(), false))
}

func (w *writer) object(s *schema, t *Type) {
	s.set("type", "object")
	properties, required := schema{}, []string{}
	for i := range t.fields {
		f := &t.fields[i]
		properties.set(f.name, w.field(f))
		if w.output && !f.absent || !w.output && !f.optional {
			required = append(required, f.name)
		}
	}
	if len(properties.keywords) > 0 {
		s.set("properties", properties)
	}
	if len(required) > 0 {
		s.set("required", required)
	}
	switch {
	case t.rest != nil:
		s.set("additionalProperties", w.ref(t.rest, nil, false))
	case !w.output:
		s.set("additionalProperties", false)
	}
}

// field describes one member of an object.
func (w *writer) field(f *field) schema {
	s := w.ref(f.typ, &f.rules, f.stringed)
	// Without null: a pointer that must be given, and one that is left out of a result
	// instead of being null.
	if f.typ.kind == kindPointer && (w.output && f.absent || !w.output && !f.optional) {
		s = w.ref(bare(f.typ), &f.rules, f.stringed)
	}
	if f.doc != "" {
		s.set("description", strings.TrimSpace(f.doc))
	}
	return s
}

// enum lists the typed constants. A Go value that was never set is the zero
// value, constant or not, so a result may contain it too.
func (w *writer) enum(s *schema, t *Type) {
	if len(t.enum) == 0 {
		return
	}
	values := t.enum
	if w.output && (t.kind == kindString || t.kind == kindInt || t.kind == kindUint) {
		zero := zeroOf(t)
		found := false
		for _, v := range values {
			found = found || string(v) == string(zero)
		}
		if !found {
			values = append(values[:len(values):len(values)], zero)
		}
	}
	s.set("enum", values)
}

// zeroOf is the JSON of the zero value of a string or number.
func zeroOf(t *Type) jsontext.Value {
	if t.kind == kindString {
		return jsontext.Value(`""`)
	}
	return jsontext.Value("0")
}

// customSchema is what a type says about itself; the docs fill in a description.
func customSchema(t *Type) schema {
	var s schema
	if t.custom.Kind() == jsontext.KindBeginObject {
		dec := jsontext.NewDecoder(strings.NewReader(string(t.custom)))
		dec.ReadToken() //nolint:errcheck // the schema was checked when the type was added
		for dec.PeekKind() == jsontext.KindString {
			name, _ := dec.ReadToken()
			key := name.String()
			value, _ := dec.ReadValue()
			if key != "$schema" { // it is for the root of a schema, and there is one dialect
				s.set(key, value.Clone())
			}
		}
	}
	if t.doc.Doc != "" && s.get("description") == nil {
		s.set("description", strings.TrimSpace(t.doc.Doc))
	}
	return s
}

// nullable lets s be null too.
func nullable(s schema) schema {
	kind, simple := s.get("type").(string)
	if len(s.keywords) == 0 || hasNull(s) {
		return s
	}
	if !simple || s.get("const") != nil {
		var either schema
		var null schema
		null.set("type", "null")
		either.set("anyOf", []schema{s, null})
		return either
	}
	s.set("type", []string{kind, "null"})
	if values, ok := s.get("enum").([]jsontext.Value); ok {
		s.set("enum", append(values[:len(values):len(values)], jsontext.Value("null")))
	}
	return s
}

// hasNull reports whether s already allows null, as nullable writes it.
func hasNull(s schema) bool {
	if kinds, ok := s.get("type").([]string); ok {
		return kinds[len(kinds)-1] == "null"
	}
	either, ok := s.get("anyOf").([]schema)
	return ok && len(either) == 2 && either[1].get("type") == "null"
}
