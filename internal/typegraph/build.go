package typegraph

import (
	"encoding"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// builder adds one type and what it refers to, and collects every refusal.
type builder struct {
	graph *Graph
	added []reflect.Type
	errs  []error
	depth int // of the schema around what is being built
}

// maxSchemaDepth bounds the nesting of a schema without what types say about themselves. Together with that
// and the message around it, it stays below the 64 levels that this module's own client reads.
const maxSchemaDepth = 42

// refuse records why the part at path has no place in the graph.
func (b *builder) refuse(path string, t reflect.Type, format string, args ...any) {
	where := path
	if where == "" {
		where = t.String()
	}
	b.errs = append(b.errs, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// build returns the node of t. A node is registered before its parts are built, so
// that a type that contains itself finds its own node.
func (b *builder) build(t reflect.Type, path string) *Type {
	if node, ok := b.graph.types[t]; ok {
		return node
	}
	node := &Type{goType: t, length: -1}
	b.graph.types[t] = node
	b.added = append(b.added, t)
	before := len(b.errs)
	if b.depth > maxSchemaDepth {
		b.refuse(path, t, "its schema would be nested deeper than %d levels, which clients need not read: use fewer types within each other", maxSchemaDepth)
	} else if !b.special(node, path) {
		b.byKind(node, path)
	}
	if doc, ok := b.graph.docs[docKey(t)]; ok && len(b.errs) == before {
		if err := node.setDoc(doc); err != nil {
			b.errs = append(b.errs, err)
		}
	}
	return node
}

// special handles types whose JSON does not follow from their Go kind.
func (b *builder) special(node *Type, path string) bool {
	t := node.goType
	// Methods of a pointer or an interface are those of what it points to.
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return false
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		node.kind = kindTime
		return true
	case reflect.TypeFor[jsontext.Value](), reflect.TypeFor[stdjson.RawMessage]():
		node.kind = kindRaw
		return true
	case reflect.TypeFor[time.Duration]():
		b.refuse(path, t, "time.Duration has no agreed JSON form; use a whole number of seconds (int64) or a named type with MarshalText and UnmarshalText")
		return true
	}
	if t.PkgPath() == "database/sql" && strings.HasPrefix(t.Name(), "Null") {
		b.refuse(path, t, "%s would show its inner fields as JSON; use a pointer (*string, *int64, …) and scan into it", t)
		return true
	}
	if has[Schemer](t) {
		b.custom(node, path)
		return true
	}
	if has[json.MarshalerTo](t) || has[json.Marshaler](t) || has[json.UnmarshalerFrom](t) || has[json.Unmarshaler](t) {
		b.refuse(path, t, "%s writes or reads its own JSON (perhaps through an embedded type); give it a method JSONSchema() jsontext.Value that describes it", t)
		return true
	}
	writes := has[encoding.TextMarshaler](t) || has[encoding.TextAppender](t)
	reads := has[encoding.TextUnmarshaler](t)
	switch {
	case writes && reads:
		node.kind = kindText
		return true
	case writes:
		b.refuse(path, t, "%s has MarshalText without UnmarshalText; add the other one", t)
		return true
	case reads:
		b.refuse(path, t, "%s has UnmarshalText without MarshalText; add the other one", t)
		return true
	}
	return false
}

// has reports whether t or a pointer to it has the methods of I.
func has[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

// custom asks the type for its schema and checks it.
func (b *builder) custom(node *Type, path string) {
	node.kind = kindCustom
	schema := reflect.New(node.goType).Interface().(Schemer).JSONSchema().Clone()
	if err := schema.Compact(); err != nil {
		b.refuse(path, node.goType, "JSONSchema of %s is not JSON: %v", node.goType, err)
		return
	}
	switch schema.Kind() {
	case jsontext.KindTrue:
		node.custom, node.customNull = schema, true
		return
	case jsontext.KindBeginObject:
	default:
		b.refuse(path, node.goType, "JSONSchema of %s must be an object or true, not %s", node.goType, schema)
		return
	}
	var keywords map[string]jsontext.Value
	if err := json.Unmarshal(schema, &keywords); err != nil {
		b.refuse(path, node.goType, "JSONSchema of %s is not usable: %v", node.goType, err)
		return
	}
	if err := new(foreign).check(schema, ""); err != nil {
		b.refuse(path, node.goType, "JSONSchema of %s: %v", node.goType, err)
		return
	}
	node.custom = schema
	node.customNull = keywords["type"] == nil || strings.Contains(string(keywords["type"]), `"null"`)
}

// byKind builds a node from the Go kind of its type.
func (b *builder) byKind(node *Type, path string) {
	t := node.goType
	switch t.Kind() {
	case reflect.Bool:
		node.kind = kindBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		node.kind, node.bits = kindInt, t.Bits()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		node.kind, node.bits = kindUint, t.Bits()
	case reflect.Float32, reflect.Float64:
		node.kind, node.bits = kindFloat, t.Bits()
	case reflect.String:
		node.kind = kindString
	case reflect.Pointer:
		node.kind, node.elem = kindPointer, b.build(t.Elem(), path)
		if pointsNowhere(node) {
			b.refuse(path, t, "%s points only to itself", t)
		}
	case reflect.Slice, reflect.Array:
		b.list(node, path)
	case reflect.Map:
		b.mapping(node, path)
	case reflect.Struct:
		b.object(node, path)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			b.refuse(path, t, "the interface %s has no JSON form; use a struct, or any for every JSON value", t)
		}
		node.kind = kindAny
	default:
		b.refuse(path, t, "%s has no JSON form", t)
	}
}

// pointsNowhere reports whether following the pointers never reaches a value.
func pointsNowhere(node *Type) bool {
	seen := map[*Type]bool{}
	for node != nil && node.kind == kindPointer {
		if seen[node] {
			return true
		}
		seen[node] = true
		node = node.elem
	}
	return false
}

func (b *builder) list(node *Type, path string) {
	t := node.goType
	if t.Kind() == reflect.Array {
		node.length = t.Len()
	}
	switch {
	case t.Elem() == reflect.TypeFor[byte]():
		node.kind = kindBytes
		return
	case t.Kind() == reflect.Array:
		node.kind = kindArray
	default:
		node.kind = kindList
	}
	node.elem = b.inside(1, t.Elem(), path+"[]")
}

// inside builds a part whose schema is some levels deeper.
func (b *builder) inside(levels int, t reflect.Type, path string) *Type {
	b.depth += levels
	defer func() { b.depth -= levels }()
	return b.build(t, path)
}

func (b *builder) mapping(node *Type, path string) {
	t := node.goType
	node.kind = kindMap
	before := len(b.errs)
	key := b.build(t.Key(), path+"[key]")
	if len(b.errs) == before {
		switch key.kind {
		case kindString, kindInt, kindUint:
			node.key = key
		default:
			b.refuse(path, t, "%s has keys that are neither strings nor integers", t)
		}
	}
	node.elem = b.inside(1, t.Elem(), path+"[]")
}

// bare is the type behind pointers.
func bare(t *Type) *Type {
	for t.kind == kindPointer && t.elem != nil {
		t = t.elem
	}
	return t
}
