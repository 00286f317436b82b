package database

import (
	"cmp"
	"math"
	"strings"
)

// Value is one value of a row in a form that compares as SQLite does under its BINARY
// collation: null before numbers, numbers by value whatever their type, then text by its
// bytes, then blobs. Equal values are ==, so it can be the key of a map. The zero Value is
// no value at all: not known, or without a limit.
type Value struct {
	kind  valueKind
	whole int64
	float float64 // when it is no whole number that an int64 holds
	bytes string
}

type valueKind byte

const (
	noValue valueKind = iota
	nullValue
	wholeValue
	floatValue
	textValue
	blobValue
)

// ValueOf gives the Value of nil, an int64, a float64, a bool, a string or a []byte. It is
// false for other types and for NaN.
func ValueOf(v any) (Value, bool) {
	switch x := v.(type) {
	case nil:
		return Value{kind: nullValue}, true
	case int64:
		return Value{kind: wholeValue, whole: x}, true
	case bool:
		if x {
			return Value{kind: wholeValue, whole: 1}, true
		}
		return Value{kind: wholeValue}, true
	case float64:
		return floatOf(x)
	case string:
		return Value{kind: textValue, bytes: x}, true
	case []byte:
		return Value{kind: blobValue, bytes: string(x)}, true
	}
	return Value{}, false
}

// beyond is the least float that is more than every int64.
const beyond = 1 << 63

func floatOf(f float64) (Value, bool) {
	switch {
	case math.IsNaN(f):
		return Value{}, false
	case f == math.Trunc(f) && f >= -beyond && f < beyond:
		return Value{kind: wholeValue, whole: int64(f)}, true
	}
	return Value{kind: floatValue, float: f}, true
}

// IsKnown is false for the zero Value.
func (v Value) IsKnown() bool { return v.kind != noValue }

// IsNull reports whether v is the database's null.
func (v Value) IsNull() bool { return v.kind == nullValue }

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool { return v.kind == wholeValue || v.kind == floatValue }

// IsText reports whether v is text.
func (v Value) IsText() bool { return v.kind == textValue }

// Bytes gives the bytes of text or of a blob, and "" for the others.
func (v Value) Bytes() string { return v.bytes }

// Whole gives the number when v is a whole one.
func (v Value) Whole() (int64, bool) { return v.whole, v.kind == wholeValue }

// Compare gives -1, 0 or 1. Both values must be known.
func (v Value) Compare(w Value) int {
	if a, b := v.class(), w.class(); a != b {
		return cmp.Compare(a, b)
	}
	switch v.kind {
	case wholeValue:
		if w.kind == floatValue {
			return -compareFloat(w.float, v.whole)
		}
		return cmp.Compare(v.whole, w.whole)
	case floatValue:
		if w.kind == wholeValue {
			return compareFloat(v.float, w.whole)
		}
		return cmp.Compare(v.float, w.float)
	default:
		return strings.Compare(v.bytes, w.bytes)
	}
}

// class puts the two kinds of numbers together.
func (v Value) class() valueKind {
	if v.kind == floatValue {
		return wholeValue
	}
	return v.kind
}

// compareFloat compares f, which is not the value of any int64, with n.
func compareFloat(f float64, n int64) int {
	switch {
	case f >= beyond:
		return 1
	case f < -beyond:
		return -1
	}
	// f has a fraction, so it lies below 2^52, where whole numbers are exact floats; and a
	// larger n stays larger when it is rounded.
	return cmp.Compare(f, float64(n))
}
