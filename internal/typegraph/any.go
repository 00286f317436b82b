package typegraph

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

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
