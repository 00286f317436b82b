package typegraph

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// declarations writes every named type, in the order of the names.
func (w *tsWriter) declarations() {
	for _, d := range w.declared {
		w.b.WriteByte('\n')
		w.comment("", d.typ.doc.Doc)
		if d.typ.kind == kindObject && len(d.typ.fields) > 0 {
			fmt.Fprintf(&w.b, "export interface %s {\n", d.name)
			w.members(d.typ, d.output)
			w.b.WriteString("}\n")
			continue
		}
		fmt.Fprintf(&w.b, "export type %s = %s;\n", d.name, w.structure(d.typ, d.output))
	}
}

// members writes the fields of a struct, one a line.
func (w *tsWriter) members(t *Type, output bool) {
	for i := range t.fields {
		f := &t.fields[i]
		w.comment("  ", f.doc)
		fmt.Fprintf(&w.b, "  %s;\n", w.member(f, output))
	}
	if t.rest != nil {
		// TypeScript wants the type of further members to fit the named ones, too.
		w.b.WriteString("  [name: string]: unknown;\n")
	}
}

// member is one field of a struct without the semicolon.
func (w *tsWriter) member(f *field, output bool) string {
	name := f.name
	if !isTSIdentifier(name) {
		name = strings.TrimSuffix(f.quoted, ":")
	}
	if f.mayLack(output) {
		name += "?"
	}
	typ := f.typ
	if f.neverNull(output) {
		typ = bare(typ)
	}
	if f.stringed {
		if typ.kind == kindPointer {
			return name + ": string | null"
		}
		return name + ": string"
	}
	return name + ": " + w.expression(typ, output)
}

// mayLack reports whether the member may be left out of an argument or missing in a result.
func (f *field) mayLack(output bool) bool {
	if output {
		return f.absent
	}
	return f.optional
}

// neverNull reports whether a pointer is not null where it is there: one that has to be given, and one
// that is left out of a result instead.
func (f *field) neverNull(output bool) bool {
	return f.typ.kind == kindPointer && f.mayLack(output) == output
}

// isTSIdentifier reports whether a name needs no quotes. Other letters need none either, but differ
// from one version of Unicode to the next.
func isTSIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || r == '$' || r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// expression is a type where it is used: by its name if it has one.
func (w *tsWriter) expression(t *Type, output bool) string {
	if name, ok := w.names[tsUse{t, output}]; ok {
		return name
	}
	return w.structure(t, output)
}

// structure is what a type consists of.
func (w *tsWriter) structure(t *Type, output bool) string {
	if len(t.enum) > 0 {
		return tsUnion(t.enum)
	}
	switch t.kind {
	case kindBool:
		return "boolean"
	case kindInt, kindUint, kindFloat:
		return "number"
	case kindString, kindText, kindTime, kindBytes:
		return "string"
	case kindList, kindArray:
		return tsList(w.expression(t.elem, output))
	case kindMap:
		if t.key.kind == kindString && len(t.key.enum) > 0 {
			return fmt.Sprintf("{ [name in %s]?: %s }", w.expression(t.key, output), w.expression(t.elem, output))
		}
		return fmt.Sprintf("{ [name: string]: %s }", w.expression(t.elem, output))
	case kindObject:
		return w.object(t, output)
	case kindPointer:
		return tsNullable(w.expression(t.elem, output))
	case kindCustom:
		return tsSchema(t.custom)
	default:
		return "unknown" // any JSON
	}
}

// object is a struct on one line.
func (w *tsWriter) object(t *Type, output bool) string {
	var members []string
	for i := range t.fields {
		members = append(members, w.member(&t.fields[i], output))
	}
	switch {
	case len(members) > 0 && t.rest != nil:
		members = append(members, "[name: string]: unknown")
	case t.rest != nil:
		return fmt.Sprintf("{ [name: string]: %s }", w.expression(t.rest, output))
	case len(members) == 0:
		return "Record<string, never>"
	}
	return "{ " + strings.Join(members, "; ") + " }"
}

// tsUnion is one of several JSON values.
func tsUnion(values []jsontext.Value) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, " | ")
}

func tsNullable(expression string) string {
	if expression == "unknown" || strings.HasSuffix(expression, " | null") {
		return expression
	}
	return expression + " | null"
}

func tsList(element string) string {
	if strings.Contains(element, " | ") {
		return "(" + element + ")[]"
	}
	return element + "[]"
}

// capitalized makes the first letter a capital.
func capitalized(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}
