package typegraph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds how deeply arrays and objects may be nested.
const maxDepth = 64

// Canonical checks untrusted JSON against t and returns its canonical spelling:
// members in declaration order, keys of maps sorted, no white space, numbers,
// times and base64 in one form, null left out where it means the same as absence. Two
// spellings of the same value give the same bytes, and Canonical of the result is
// the result. The text inside a type with MarshalText is kept as it was given.
//
// An empty raw stands for {}. The error is Problems: everything that is
// wrong, up to 32 problems.
func (t *Type) Canonical(raw []byte) (jsontext.Value, error) {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	c := checker{
		dec:   jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true)),
		out:   make([]byte, 0, len(raw)),
		path:  make([]step, 0, 4),
		parts: make([]part, 0, 8),
		seen:  make([]bool, 0, 16),
	}
	if c.root(t) && len(c.problems) == 0 {
		return c.out, nil
	}
	return nil, c.problems
}

// root checks the one value of a text. It and the methods below report false when
// the pass cannot go on; problems may be there in either case.
func (c *checker) root(t *Type) bool {
	if !c.value(t, false) {
		return false
	}
	switch _, err := c.dec.ReadToken(); {
	case err == nil:
		c.problem("has something after its end: send one JSON value")
		return false
	case !errors.Is(err, io.EOF):
		return c.syntax(err)
	}
	return true
}

// checker is one pass over one text.
type checker struct {
	dec      *jsontext.Decoder
	out      []byte
	path     []step
	problems Problems
	count    int
	depth    int
	parts    []part // of all objects that are open, innermost last
	seen     []bool // fields of all structs that are open, innermost last
}

// problem records a message about where the pass is; false when it was the last.
func (c *checker) problem(format string, args ...any) bool {
	if c.problems == nil {
		c.problems = Problems{}
	}
	path := pathText(c.path)
	c.problems[path] = append(c.problems[path], fmt.Sprintf(format, args...))
	c.count++
	return c.count < maxProblems
}

// syntax ends the pass: text that is not JSON cannot be checked further.
func (c *checker) syntax(err error) bool {
	var bad *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.problem("is not valid JSON: it ends too early")
	case errors.As(err, &bad):
		c.problem("is not valid JSON: %s at byte %d", visible(bad.Err.Error(), shortText), bad.ByteOffset)
	default:
		c.problem("is not valid JSON: %s", visible(err.Error(), shortText))
	}
	return false
}

// mismatch reports a value of another kind than expected, and skips it.
func (c *checker) mismatch(want string) bool {
	got := ""
	switch k := c.dec.PeekKind(); k {
	case jsontext.KindNull:
		if !c.problem("must not be null: it must be %s", want) {
			return false
		}
		return c.skip()
	case jsontext.KindTrue, jsontext.KindFalse:
		got = "boolean"
	case jsontext.KindString:
		got = "string"
	case jsontext.KindNumber:
		got = "number"
	case jsontext.KindBeginArray:
		got = "array"
	case jsontext.KindBeginObject:
		got = "object"
	default:
		return c.skip() // not JSON: reading it says why
	}
	return c.problem("must be %s, got %s", want, got) && c.skip()
}

func (c *checker) skip() bool {
	if err := c.dec.SkipValue(); err != nil {
		return c.syntax(err)
	}
	return true
}

// enter goes one array or object deeper.
func (c *checker) enter() bool {
	c.depth++
	if c.depth > maxDepth {
		c.problem("is nested more than %d levels deep", maxDepth)
		return false
	}
	if _, err := c.dec.ReadToken(); err != nil {
		return c.syntax(err)
	}
	return true
}

// leave reads the end of an array or object.
func (c *checker) leave() bool {
	c.depth--
	if _, err := c.dec.ReadToken(); err != nil {
		return c.syntax(err)
	}
	return true
}

// more reports whether the open array or object has another element. Text that is
// not JSON counts as one, so that reading it reports the error.
func (c *checker) more() bool {
	k := c.dec.PeekKind()
	return k != jsontext.KindEndArray && k != jsontext.KindEndObject
}

// value checks the next value against t; stringed numbers stand in a string.
func (c *checker) value(t *Type, stringed bool) bool {
	start := len(c.out)
	ok := true
	switch t.kind {
	case kindPointer:
		if c.dec.PeekKind() == jsontext.KindNull {
			c.out = append(c.out, "null"...)
			return c.skip()
		}
		return c.value(t.elem, stringed)
	case kindAny, kindRaw:
		ok = c.free(t.kind == kindRaw)
	case kindBool:
		ok = c.boolean()
	case kindInt, kindUint, kindFloat:
		ok = c.number(t, stringed)
	case kindString, kindText, kindTime, kindBytes:
		ok = c.text(t)
	case kindList, kindArray:
		ok = c.list(t)
	case kindMap:
		ok = c.mapping(t)
	case kindObject:
		ok = c.object(t)
	case kindCustom:
		ok = c.custom(t)
	}
	if ok && len(t.enum) > 0 && len(c.out) > start {
		return c.oneOf(t, c.out[start:])
	}
	return ok
}

// oneOf checks an enum. Its values are compared as canonical JSON.
func (c *checker) oneOf(t *Type, got []byte) bool {
	names := make([]string, len(t.enum))
	for i, allowed := range t.enum {
		if bytes.Equal(allowed, got) {
			return true
		}
		names[i] = string(allowed)
	}
	return c.problem("must be one of %s, got %s", strings.Join(names, ", "), visible(string(got), shortText))
}

// list checks the elements of a slice or an array.
func (c *checker) list(t *Type) bool {
	if c.dec.PeekKind() != jsontext.KindBeginArray {
		return c.mismatch("an array")
	}
	if !c.enter() {
		return false
	}
	c.out = append(c.out, '[')
	n := 0
	for ; c.more(); n++ {
		if n > 0 {
			c.out = append(c.out, ',')
		}
		c.path = append(c.path, step{kind: stepIndex, index: n})
		if !c.value(t.elem, false) {
			return false
		}
		c.path = c.path[:len(c.path)-1]
	}
	c.out = append(c.out, ']')
	if t.kind == kindArray && n != t.length && !c.problem("must have exactly %d elements, got %d", t.length, n) {
		return false
	}
	return c.leave()
}
