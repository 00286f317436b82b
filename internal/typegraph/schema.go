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
