package typegraph

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/nearest"
)

// part is one member of an object as it stands in the output, without commas.
type part struct {
	order      int    // of a struct's field; members without a field follow all fields
	name       string // sorts members of the same order
	start, end int
}

// object checks a struct: names, presence and each member.
func (c *checker) object(t *Type) bool {
	if c.dec.PeekKind() != jsontext.KindBeginObject {
		return c.mismatch("an object")
	}
	firstPart, firstSeen := len(c.parts), len(c.seen)
	if !c.enter() {
		return false
	}
	for range t.fields {
		c.seen = append(c.seen, false)
	}
	base := len(c.out)
	c.out = append(c.out, '{')
	for c.more() {
		raw, err := c.dec.ReadValue()
		if err != nil {
			return c.syntax(err)
		}
		if !c.member(t, raw, firstPart, firstSeen) {
			return false
		}
	}
	for i := range t.fields {
		if f := &t.fields[i]; !c.seen[firstSeen+i] && !f.optional {
			c.path = append(c.path, step{name: f.name})
			if !c.problem("is required") {
				return false
			}
			c.path = c.path[:len(c.path)-1]
		}
	}
	c.seen = c.seen[:firstSeen]
	return c.close(base, firstPart)
}

// member checks one member of a struct; raw is its name.
func (c *checker) member(t *Type, raw []byte, firstPart, firstSeen int) bool {
	var name []byte
	if plain := raw[1 : len(raw)-1]; bytes.IndexByte(plain, '\\') < 0 {
		name = plain
	} else {
		name, _ = jsontext.AppendUnquote(nil, raw) // the decoder accepted it
	}
	i, known := t.byName[string(name)]
	if !known {
		key := string(name)
		c.path = append(c.path, step{name: key})
		ok := false
		if t.rest == nil {
			ok = c.unknown(t, key) && c.skip()
		} else {
			p := c.begin(len(t.fields), key, quoteName(key), firstPart)
			ok = c.value(t.rest, false)
			c.end(p)
		}
		c.path = c.path[:len(c.path)-1]
		return ok
	}
	f := &t.fields[i]
	c.path = append(c.path, step{name: f.name})
	ok := c.known(f, i, firstPart, firstSeen)
	c.path = c.path[:len(c.path)-1]
	return ok
}

// known checks the value of field i.
func (c *checker) known(f *field, i, firstPart, firstSeen int) bool {
	if c.seen[firstSeen+i] {
		return c.problem("is given more than once") && c.skip()
	}
	c.seen[firstSeen+i] = true
	if f.typ.kind == kindPointer && c.dec.PeekKind() == jsontext.KindNull {
		if !f.optional && !c.problem("must not be null") {
			return false
		}
		return c.skip() // a nil pointer is what absence gives, so null is not written
	}
	p := c.begin(i, "", f.quoted, firstPart)
	ok := c.value(f.typ, f.stringed)
	c.end(p)
	return ok
}

// unknown reports a name that the struct does not have.
func (c *checker) unknown(t *Type, name string) bool {
	what := "field"
	if c.depth == 1 {
		what = "argument"
	}
	shown := `"` + visible(name, shortText) + `"`
	names := make([]string, len(t.fields))
	for i := range t.fields {
		names[i] = t.fields[i].name
	}
	if len(names) == 0 {
		return c.problem("unknown %s %s; there is none to give", what, shown)
	}
	near := nearest.Name(name, names)
	if near == "" {
		const most = 12
		list := `"` + strings.Join(names[:min(most, len(names))], `", "`) + `"`
		if len(names) > most {
			list += ", …"
		}
		return c.problem("unknown %s %s; known are %s", what, shown, list)
	}
	if strings.EqualFold(near, name) {
		return c.problem("unknown %s %s; upper and lower case matter: did you mean %q?", what, shown, near)
	}
	return c.problem("unknown %s %s; did you mean %q?", what, shown, near)
}

// begin writes the name of a member, as JSON with a colon, before its value.
func (c *checker) begin(order int, name, quoted string, firstPart int) part {
	if len(c.parts) > firstPart {
		c.out = append(c.out, ',')
	}
	p := part{order: order, name: name, start: len(c.out)}
	c.out = append(c.out, quoted...)
	return p
}

// end notes where a member ends in the output.
func (c *checker) end(p part) {
	p.end = len(c.out)
	c.parts = append(c.parts, p)
}

// close ends an object whose members since firstPart stand in the output from
// base on, and puts them in order. Members that came in order stay where they are.
func (c *checker) close(base, firstPart int) bool {
	parts := c.parts[firstPart:]
	if !slices.IsSortedFunc(parts, byOrder) {
		slices.SortStableFunc(parts, byOrder)
		old := slices.Clone(c.out[base:])
		c.out = append(c.out[:base], '{')
		for i, p := range parts {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.out = append(c.out, old[p.start-base:p.end-base]...)
		}
	}
	c.out = append(c.out, '}')
	for i := 1; i < len(parts); i++ {
		if byOrder(parts[i-1], parts[i]) != 0 {
			continue
		}
		c.path = append(c.path, step{name: parts[i].name, kind: stepKey})
		if !c.problem("is given more than once") {
			return false
		}
		c.path = c.path[:len(c.path)-1]
	}
	c.parts = c.parts[:firstPart]
	return c.leave()
}

func byOrder(x, y part) int {
	return cmp.Or(cmp.Compare(x.order, y.order), strings.Compare(x.name, y.name))
}

// mapping checks a map: its keys and each value.
func (c *checker) mapping(t *Type) bool {
	if c.dec.PeekKind() != jsontext.KindBeginObject {
		return c.mismatch("an object")
	}
	return c.openObject(func(key string) (string, bool) { return c.key(t.key, key) },
		func() bool { return c.value(t.elem, false) })
}

// openObject checks an object whose names are not fixed: key returns the canonical
// spelling of a name, value checks the value after it.
func (c *checker) openObject(key func(string) (string, bool), value func() bool) bool {
	base, firstPart := len(c.out), len(c.parts)
	if !c.enter() {
		return false
	}
	c.out = append(c.out, '{')
	for c.more() {
		raw, err := c.dec.ReadValue()
		if err != nil {
			return c.syntax(err)
		}
		inner, _ := jsontext.AppendUnquote(nil, raw) // the decoder accepted it
		c.path = append(c.path, step{name: string(inner), kind: stepKey})
		name, ok := key(string(inner))
		if !ok {
			return false
		}
		p := c.begin(0, name, quoteName(name), firstPart)
		if !value() {
			return false
		}
		c.end(p)
		c.path = c.path[:len(c.path)-1]
	}
	return c.close(base, firstPart)
}

// quoteName writes a name as JSON with a colon.
func quoteName(name string) string {
	out, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		panic("typegraph: quoting a name that was JSON: " + err.Error())
	}
	return string(append(out, ':'))
}

// key checks the key of a map and returns its canonical spelling.
func (c *checker) key(t *Type, key string) (string, bool) {
	if t.kind == kindString {
		if len(t.enum) == 0 {
			return key, true
		}
		quoted := strings.TrimSuffix(quoteName(key), ":")
		return key, c.oneOf(t, []byte(quoted))
	}
	if value := jsontext.Value(key); !value.IsValid() || value.Kind() != jsontext.KindNumber ||
		strings.ContainsAny(key, ".eE \t\r\n") {
		return key, c.problem("must have a key that is an integer")
	}
	before := len(c.out)
	ok := c.appendNumber(t, []byte(key))
	if written := string(c.out[before:]); written != "" {
		key = written
	}
	c.out = c.out[:before]
	if ok && len(t.enum) > 0 {
		ok = c.oneOf(t, []byte(key))
	}
	return key, ok
}

// free checks JSON of any shape. exact keeps every digit of a number; else a
// number has to fit a float64, which is what decoding into any gives.
func (c *checker) free(exact bool) bool {
	switch c.dec.PeekKind() {
	case jsontext.KindNumber:
		raw, err := c.dec.ReadValue()
		if err != nil {
			return c.syntax(err)
		}
		return c.freeNumber(raw, exact)
	case jsontext.KindString:
		raw, err := c.dec.ReadValue()
		if err != nil {
			return c.syntax(err)
		}
		c.out = appendString(c.out, raw)
		return true
	case jsontext.KindBeginArray:
		if !c.enter() {
			return false
		}
		c.out = append(c.out, '[')
		for n := 0; c.more(); n++ {
			if n > 0 {
				c.out = append(c.out, ',')
			}
			c.path = append(c.path, step{kind: stepIndex, index: n})
			if !c.free(exact) {
				return false
			}
			c.path = c.path[:len(c.path)-1]
		}
		c.out = append(c.out, ']')
		return c.leave()
	case jsontext.KindBeginObject:
		return c.openObject(func(key string) (string, bool) { return key, true }, func() bool { return c.free(exact) })
	default:
		raw, err := c.dec.ReadValue()
		if err != nil {
			return c.syntax(err)
		}
		c.out = append(c.out, raw...)
		return true
	}
}

func (c *checker) freeNumber(raw []byte, exact bool) bool {
	const wholeDigits = 21 // whole numbers up to here are written out
	d, ok := parseDecimal(raw)
	if ok && (exact || d.integral(wholeDigits)) {
		c.out = d.append(c.out)
		return true
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if exact || err != nil {
		return c.problem("is a number out of range, got %s", visible(string(raw), shortText))
	}
	c.out = appendFloat(c.out, f, 64)
	return true
}
