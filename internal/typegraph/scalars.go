package typegraph

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func (c *checker) boolean() bool {
	if k := c.dec.PeekKind(); k != jsontext.KindTrue && k != jsontext.KindFalse {
		return c.mismatch("true or false")
	}
	raw, err := c.dec.ReadValue()
	if err != nil {
		return c.syntax(err)
	}
	c.out = append(c.out, raw...)
	return true
}

// number checks a number of type t, by itself or inside a string.
func (c *checker) number(t *Type, stringed bool) bool {
	want := "a number"
	if t.kind != kindFloat {
		want = "an integer"
	}
	kind := jsontext.KindNumber
	if stringed {
		want, kind = want+" in a string", jsontext.KindString
	}
	if c.dec.PeekKind() != kind {
		return c.mismatch(want)
	}
	raw, err := c.dec.ReadValue()
	if err != nil {
		return c.syntax(err)
	}
	if !stringed {
		return c.appendNumber(t, raw)
	}
	inner := raw[1 : len(raw)-1]
	if value := jsontext.Value(inner); !value.IsValid() || value.Kind() != jsontext.KindNumber ||
		bytes.ContainsAny(inner, " \t\r\n") {
		return c.problem("must be %s, got %s", want, visible(string(raw), shortText))
	}
	c.out = append(c.out, '"')
	ok := c.appendNumber(t, inner)
	c.out = append(c.out, '"')
	return ok
}

// appendNumber writes the canonical spelling of a number if it is one of t.
func (c *checker) appendNumber(t *Type, raw []byte) bool {
	if t.kind == kindFloat {
		f, err := strconv.ParseFloat(string(raw), t.bits)
		if err != nil {
			return c.problem("is too large for a float%d, got %s", t.bits, visible(string(raw), shortText))
		}
		c.out = appendFloat(c.out, f, t.bits)
		return true
	}
	digits := raw
	if !plainInteger(raw) {
		d, ok := parseDecimal(raw)
		if ok && d.exp < 0 {
			return c.problem("must be an integer, got %s", visible(string(raw), shortText))
		}
		if !ok || !d.integral(20) {
			return c.outOfRange(t, raw)
		}
		digits = d.append(nil)
	}
	var err error
	if t.kind == kindInt {
		_, err = strconv.ParseInt(string(digits), 10, t.bits)
	} else {
		_, err = strconv.ParseUint(string(digits), 10, t.bits)
	}
	if err != nil {
		return c.outOfRange(t, raw)
	}
	c.out = append(c.out, digits...)
	return true
}

func (c *checker) outOfRange(t *Type, raw []byte) bool {
	low, high := t.limits()
	return c.problem("must be an integer from %s to %s, got %s", low, high, visible(string(raw), shortText))
}

// limits are the smallest and largest integer of t.
func (t *Type) limits() (low, high string) {
	if t.kind == kindUint {
		return "0", strconv.FormatUint(^uint64(0)>>(64-t.bits), 10)
	}
	most := int64(^uint64(0) >> (65 - t.bits))
	return strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10)
}

// text checks the types whose JSON is a string.
func (c *checker) text(t *Type) bool {
	want := "a string"
	switch t.kind {
	case kindTime:
		want = "an RFC 3339 time in a string"
	case kindBytes:
		want = "base64 in a string"
	}
	if c.dec.PeekKind() != jsontext.KindString {
		return c.mismatch(want)
	}
	raw, err := c.dec.ReadValue()
	if err != nil {
		return c.syntax(err)
	}
	if t.kind == kindString {
		c.out = appendString(c.out, raw)
		return true
	}
	inner, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return c.syntax(err)
	}
	switch t.kind {
	case kindTime:
		return c.time(inner)
	case kindBytes:
		return c.base64(t, inner)
	}
	value := reflect.New(t.goType).Interface().(encoding.TextUnmarshaler)
	if err := value.UnmarshalText(slices.Clone(inner)); err != nil {
		return c.problem("is not valid: %s", visible(err.Error(), longText))
	}
	c.out = appendString(c.out, raw)
	return true
}

func (c *checker) time(text []byte) bool {
	var when time.Time
	err := when.UnmarshalText(text)
	if err == nil {
		var out []byte
		// Writing fails for times that reading accepts, such as an offset of 24 hours.
		if out, err = when.AppendText(append(c.out, '"')); err == nil {
			c.out = append(out, '"')
			return true
		}
	}
	return c.problem(`must be an RFC 3339 time such as "2006-01-02T15:04:05Z", got "%s"`, visible(string(text), shortText))
}

func (c *checker) base64(t *Type, text []byte) bool {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || bytes.ContainsAny(text, "\r\n") {
		return c.problem("must be standard base64 with padding")
	}
	if t.length >= 0 && len(data) != t.length {
		return c.problem("must be base64 of exactly %d bytes, got %d bytes", t.length, len(data))
	}
	c.out = append(base64.StdEncoding.AppendEncode(append(c.out, '"'), data), '"')
	return true
}

// custom checks a value of a type with its own JSON by decoding it once.
func (c *checker) custom(t *Type) bool {
	if c.dec.PeekKind() == jsontext.KindNull && !t.customNull {
		return c.problem("must not be null") && c.skip()
	}
	start, before := len(c.out), c.count
	if !c.free(true) {
		return false
	}
	if c.count > before {
		return true
	}
	if err := Decode(c.out[start:], reflect.New(t.goType).Interface()); err != nil {
		return c.problem("is not valid: %s", visible(err.Error(), longText))
	}
	return true
}

// appendString writes a JSON string with the fewest escapes.
func appendString(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return append(dst, raw...)
	}
	inner, _ := jsontext.AppendUnquote(nil, raw) // the decoder accepted it
	out, err := jsontext.AppendQuote(dst, inner)
	if err != nil {
		panic(fmt.Sprintf("typegraph: quoting a string that was JSON: %v", err))
	}
	return out
}
