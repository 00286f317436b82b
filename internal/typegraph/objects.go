package typegraph

import (
	"bytes"
	"cmp"
	"slices"
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
