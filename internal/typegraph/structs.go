package typegraph

import (
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object builds a struct. The JSON library is asked first whether it accepts the
// struct's tags and embedding; it knows all the rules and its reasons are good.
func (b *builder) object(node *Type, path string) {
	t := node.goType
	node.kind, node.byName = kindObject, map[string]int{}
	if err := json.Unmarshal([]byte("{}"), reflect.New(t).Interface()); err != nil {
		var semantic *json.SemanticError
		if errors.As(err, &semantic) && semantic.Err != nil {
			err = semantic.Err
		}
		b.refuse(path, t, "%s cannot be JSON: %v", t, err)
		return
	}
	list, rest := members(t)
	for _, m := range list {
		b.field(node, m, path)
	}
	if rest != nil {
		at := join(path, rest.goField.Name)
		target := rest.goField.Type
		if target.Kind() == reflect.Pointer {
			target = target.Elem()
		}
		if target.Kind() == reflect.Map {
			target = target.Elem()
		}
		node.rest = b.inside(1, target, at)
	}
}

func (b *builder) field(node *Type, m member, path string) {
	at := join(path, m.name)
	if m.byPointer && b.hiddenPointer(node.goType, m, at) {
		return
	}
	if m.has("inline") {
		b.refuse(at, m.goField.Type, "the json option inline of %s is called embed", m.goField.Name)
		return
	}
	quoted, err := jsontext.AppendQuote(nil, m.name)
	if err != nil {
		b.refuse(at, m.goField.Type, "the JSON name of %s is not UTF-8", m.goField.Name)
		return
	}
	f := field{
		name: m.name, quoted: string(quoted) + ":", goName: m.goField.Name, owner: docKey(m.owner),
		typ: b.inside(2, m.goField.Type, at), stringed: m.has("string"),
		rules: parseRules(m.goField.Tag.Get("validate")),
	}
	f.doc = b.graph.docs[f.owner].Fields[f.goName]
	if f.stringed {
		switch bare(f.typ).kind {
		case kindInt, kindUint, kindFloat:
		default:
			b.refuse(at, m.goField.Type, "the json option string is only for numbers, and %s is none", m.goField.Type)
		}
	}
	omits := m.has("omitempty") || m.has("omitzero")
	f.absent = omits || m.byPointer
	f.optional = !f.rules.required && (omits || m.byPointer || f.rules.mayBeZero || f.typ.Optional())
	if m.byPointer {
		f.optional = true // the rule only holds when the embedded struct is there
	}
	node.byName[f.name] = len(node.fields)
	node.fields = append(node.fields, f)
}

// hiddenPointer refuses a member behind an embedded pointer to an unexported
// struct: decoding could not fill the pointer.
func (b *builder) hiddenPointer(t reflect.Type, m member, path string) bool {
	for _, i := range m.index[:len(m.index)-1] {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f := t.Field(i)
		if f.Type.Kind() == reflect.Pointer && !f.IsExported() {
			b.refuse(path, f.Type, "the embedded pointer %s is not exported and could not be filled; embed the struct itself", f.Type)
			return true
		}
		t = f.Type
	}
	return false
}

// join appends a member's name to a path of names.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
