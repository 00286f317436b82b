package typegraph

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SchemaOptions says what a schema is for. The zero value describes arguments.
type SchemaOptions struct {
	// Output describes a result: what is always there is required, unknown members
	// are allowed, and rules of validate tags are left out.
	Output bool
}

// Schema returns a JSON Schema (2020-12) of t, the same bytes each time. Types that
// contain themselves, and named structs used more than once, are in $defs.
func (t *Type) Schema(o SchemaOptions) jsontext.Value {
	w := &writer{output: o.Output, uses: map[*Type]int{}, names: map[*Type]string{}, taken: map[string]bool{}}
	w.count(t, map[*Type]bool{})
	root := w.body(t, nil, false)
	if len(w.defs) > 0 {
		defs := schema{}
		// Writing a definition may need further ones, which join the end of the list.
		for i := 0; i < len(w.defs); i++ {
			defs.set(w.names[w.defs[i]], w.body(w.defs[i], nil, false))
		}
		root.set("$defs", defs)
	}
	out, err := json.Marshal(root, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("typegraph: a schema that was checked when its type was added: " + err.Error())
	}
	return out
}

// schema is a JSON object that keeps its order.
type schema struct{ keywords []keyword }

type keyword struct {
	name  string
	value any
}

// set appends a keyword, or replaces its value where it stands.
func (s *schema) set(name string, value any) {
	for i := range s.keywords {
		if s.keywords[i].name == name {
			s.keywords[i].value = value
			return
		}
	}
	s.keywords = append(s.keywords, keyword{name, value})
}

func (s *schema) get(name string) any {
	for _, k := range s.keywords {
		if k.name == name {
			return k.value
		}
	}
	return nil
}

// MarshalJSONTo writes the keywords in their order.
func (s schema) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, k := range s.keywords {
		if err := enc.WriteToken(jsontext.String(k.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, k.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// writer writes one schema.
type writer struct {
	output bool
	uses   map[*Type]int // how often a type is referred to; 2 or more: it gets a definition
	names  map[*Type]string
	taken  map[string]bool
	defs   []*Type
}

// count finds the types that need a definition.
func (w *writer) count(t *Type, open map[*Type]bool) {
	t = bare(t)
	if open[t] {
		w.uses[t] = 2
		return
	}
	if t.kind == kindObject && t.goType.Name() != "" && len(t.fields) > 0 {
		w.uses[t]++
		if w.uses[t] > 1 {
			return
		}
	}
	open[t] = true
	for i := range t.fields {
		w.count(t.fields[i].typ, open)
	}
	for _, part := range []*Type{t.elem, t.rest} {
		if part != nil {
			w.count(part, open)
		}
	}
	delete(open, t)
}

// name is the name of t in $defs.
func (w *writer) name(t *Type) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	base := defName(t.goType.Name())
	name := base
	for n := 2; w.taken[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	w.taken[name] = true
	w.names[t] = name
	w.defs = append(w.defs, t)
	return name
}

// defName turns a Go name such as Page[example.org/crm.Customer] into Page_Customer.
func defName(goName string) string {
	if goName == "" {
		return "Object"
	}
	words := strings.FieldsFunc(goName, func(r rune) bool { return strings.ContainsRune("[], *{};()", r) })
	for i, word := range words {
		words[i] = word[strings.LastIndexAny(word, "./")+1:]
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.Join(words, "_"))
}

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
