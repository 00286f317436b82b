package typegraph

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Scalar is one value of a flat object: see [Type.Scalars].
type Scalar struct {
	// Name is the member's name in JSON, In that of the object in the object that holds the
	// member, or "".
	Name, In string
	// Doc is what was written about the member.
	Doc string
	// Optional reports whether the value may be left out.
	Optional bool
	// Values are the only texts that are allowed, in declaration order. Nil: any that fit.
	Values []string

	typ      *Type
	stringed bool
}

// Scalars lists the values of an object, in declaration order, if it is flat: each member is a
// boolean, a number, a string, a time or a text, except for one that may be an object of such
// members. It reports false for everything else.
func (t *Type) Scalars() (list []Scalar, flat bool) {
	if t.kind != kindObject || t.rest != nil {
		return nil, false
	}
	nested := 0
	for i := range t.fields {
		f := &t.fields[i]
		if s, ok := f.scalar("", false); ok {
			list = append(list, s)
			continue
		}
		inner := bare(f.typ)
		if nested++; nested > 1 || inner.kind != kindObject || inner.rest != nil {
			return nil, false
		}
		for j := range inner.fields {
			s, ok := inner.fields[j].scalar(f.name, f.optional)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
	}
	return list, true
}

// scalar describes a member that is one value. What is in an object that may be left out may
// be left out with it.
func (f *field) scalar(in string, optional bool) (Scalar, bool) {
	t := bare(f.typ)
	s := Scalar{Name: f.name, In: in, Doc: strings.TrimSpace(f.doc), Optional: f.optional || optional, typ: t, stringed: f.stringed}
	switch t.kind {
	case kindBool:
		s.Values = []string{"true", "false"}
	case kindInt, kindUint, kindFloat, kindString, kindText, kindTime:
	default:
		return s, false
	}
	for _, v := range t.enum {
		s.Values = append(s.Values, plain(v))
	}
	if words, ok := f.rules.param("oneof"); ok && s.Values == nil {
		s.Values = splitWords(words)
	}
	return s, true
}

// plain is the text of a value: a string without its quotes, everything else as it is.
func plain(v jsontext.Value) string {
	if v.Kind() != jsontext.KindString {
		return string(v)
	}
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return string(v)
	}
	return string(text)
}

// JSON returns the value that a text, such as one from a URI, stands for. When there is none
// it returns what the text has to be: "an integer". The result still has to pass Canonical,
// which knows ranges, enums and times.
func (s *Scalar) JSON(text string) (v jsontext.Value, want string) {
	switch s.typ.kind {
	case kindBool:
		if text == "true" || text == "false" {
			return jsontext.Value(text), ""
		}
		return nil, "true or false"
	case kindInt, kindUint, kindFloat:
		v = jsontext.Value(text)
		if v.Kind() != jsontext.KindNumber || strings.ContainsAny(text, " \t\r\n") || !v.IsValid() {
			if s.typ.kind == kindFloat {
				return nil, "a number"
			}
			return nil, "an integer"
		}
		if s.stringed {
			return jsontext.Value(`"` + text + `"`), ""
		}
		return v, ""
	}
	if !utf8.ValidString(text) {
		return nil, "UTF-8"
	}
	v, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return nil, "UTF-8"
	}
	return v, ""
}
