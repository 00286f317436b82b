// Package decimal has exact decimal numbers, for prices and everything else that a float would round.
//
// A number has a fixed count of decimal places, and is held as a whole number of its smallest part: a
// price of 12.50 is 1250. That whole number is what databases store, so they compare, sort and add it
// exactly, on SQLite as on PostgreSQL. In JSON it is a string such as "12.50", because JavaScript would
// read a number as a float. A price times a quantity is price * decimal.Two(quantity).
package decimal

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Fixed is an exact decimal number: in JSON a string such as "12.50".
//
// P says how many decimal places it has. Numbers of one type are compared, added and subtracted like the
// integers they are.
type Fixed[P places] int64

// The types of numbers by their decimal places.
type (
	One   = Fixed[one]
	Two   = Fixed[two]
	Three = Fixed[three]
	Four  = Fixed[four]
	Five  = Fixed[five]
	Six   = Fixed[six]
)

type places interface{ places() int }

type (
	one   struct{}
	two   struct{}
	three struct{}
	four  struct{}
	five  struct{}
	six   struct{}
)

func (one) places() int   { return 1 }
func (two) places() int   { return 2 }
func (three) places() int { return 3 }
func (four) places() int  { return 4 }
func (five) places() int  { return 5 }
func (six) places() int   { return 6 }

// Places is how many decimal places the number has.
func (f Fixed[P]) Places() int {
	var p P
	return p.places()
}

// String gives the number with all its decimal places: "12.50".
func (f Fixed[P]) String() string {
	sign, digits := "", strconv.FormatInt(int64(f), 10)
	if f < 0 {
		sign, digits = "-", digits[1:]
	}
	if missing := f.Places() + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - f.Places()
	return sign + digits[:point] + "." + digits[point:]
}

// MarshalText writes the number as [Fixed.String] does.
func (f Fixed[P]) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a number such as "12.50", "12.5", "12" or "-0.05". What cannot be held exactly is an
// error: nothing is rounded.
func (f *Fixed[P]) UnmarshalText(text []byte) error {
	whole, fraction, point := strings.Cut(string(text), ".")
	digits := strings.TrimPrefix(whole, "-")
	if !isDigits(digits) || point && !isDigits(fraction) {
		return fmt.Errorf("want a decimal number such as %q", Fixed[P](1250))
	}
	fraction = strings.TrimRight(fraction, "0")
	missing := f.Places() - len(fraction)
	if missing < 0 {
		return fmt.Errorf("has more than %d decimal places", f.Places())
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", missing), 10, 64)
	if err != nil {
		return fmt.Errorf("is beyond %s", Fixed[P](math.MaxInt64))
	}
	*f = Fixed[P](n)
	return nil
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// Value stores the number as a whole number of its smallest part.
func (f Fixed[P]) Value() (driver.Value, error) { return int64(f), nil }

// Scan reads what [Fixed.Value] has stored.
func (f *Fixed[P]) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return errors.New("a decimal number is stored as a whole number")
	}
	*f = Fixed[P](n)
	return nil
}
