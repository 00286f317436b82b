package typegraph

import (
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// kind says how a type looks in JSON.
type kind uint8

const (
	kindAny     kind = iota // any: every JSON value, decoded by default rules
	kindRaw                 // json.RawMessage, jsontext.Value: every JSON value, kept as text
	kindBool                // true, false
	kindInt                 // a whole number within bits, signed
	kindUint                // a whole number within bits, unsigned
	kindFloat               // a number within bits
	kindString              // a string
	kindText                // a string that UnmarshalText understands
	kindTime                // an RFC 3339 string
	kindBytes               // a base64 string; length is -1 for slices
	kindList                // a slice: an array of elem
	kindArray               // a Go array: exactly length of elem
	kindMap                 // an object of elem by key
	kindObject              // a struct
	kindPointer             // elem or null
	kindCustom              // a type with its own schema
)

// Type is one node of the graph: one Go type.
type Type struct {
	goType reflect.Type
	kind   kind
	bits   int   // of a number
	length int   // of an array or of an array of bytes
	elem   *Type // of a pointer, list, array or map
	key    *Type // of a map

	fields []field        // of a struct, in declaration order
	byName map[string]int // JSON name → index in fields
	rest   *Type          // of a struct: type of members without a field, nil when refused

	custom     jsontext.Value   // schema given by the type itself
	customNull bool             // that schema may allow null
	doc        TypeDoc          // what was written about it
	enum       []jsontext.Value // allowed values, as canonical JSON
}

// field is one member of a JSON object.
type field struct {
	name     string // in JSON
	quoted   string // the name as JSON, with the colon
	goName   string
	owner    string // docs key of the struct that declares it
	doc      string // what was written about it
	typ      *Type
	stringed bool // a number written as a JSON string
	optional bool // may be left out of an argument
	absent   bool // may be missing in a result
	rules    rules
}

// Optional reports whether a value of the type may be left out where it is an
// argument: a pointer, or a struct all of whose fields may be left out.
func (t *Type) Optional() bool {
	switch t.kind {
	case kindPointer:
		return true
	case kindObject:
		for i := range t.fields {
			if !t.fields[i].optional {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// setDoc stores what was written about t and checks its enum.
func (t *Type) setDoc(doc TypeDoc) error {
	var enum []jsontext.Value
	for _, v := range doc.Enum {
		value, err := t.enumValue(v)
		if err != nil {
			return fmt.Errorf("docs of %s: the enum value %v does not fit the type: %w", docKey(t.goType), v, err)
		}
		enum = append(enum, value)
	}
	t.doc, t.enum = doc, enum
	return nil
}

// enumValue is the JSON of the constant v of type t. Constants that went through
// JSON come as string or float64, so v is converted to t first.
func (t *Type) enumValue(v any) (jsontext.Value, error) {
	value := reflect.ValueOf(v)
	if !value.IsValid() {
		return nil, fmt.Errorf("it is nil")
	}
	switch {
	case value.Type() == t.goType:
	case value.Kind() == reflect.String && t.kind == kindText:
		value = reflect.ValueOf(value.String())
	case value.Kind() == reflect.String && t.goType.Kind() == reflect.String,
		isNumber(value.Kind()) && isNumber(t.goType.Kind()):
		converted := value.Convert(t.goType)
		if back := converted.Convert(value.Type()); !back.Equal(value) {
			return nil, fmt.Errorf("it would become %v", converted)
		}
		value = converted
	default:
		return nil, fmt.Errorf("it is a %s", value.Type())
	}
	raw, err := Encode(value.Interface())
	if err != nil {
		return nil, err
	}
	return t.Canonical(raw)
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}
