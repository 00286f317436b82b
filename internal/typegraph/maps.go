package typegraph

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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
