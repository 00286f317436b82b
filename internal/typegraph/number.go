package typegraph

import (
	"bytes"
	"math"
	"strconv"
)

// decimal is the exact value of a JSON number: digits × 10^exp, where digits
// neither starts nor ends with 0 and is empty for zero.
type decimal struct {
	negative bool
	digits   []byte
	exp      int
}

// parseDecimal reads a number whose syntax is valid JSON. It fails for exponents
// that no number in practice has, so that a short text cannot ask for a long one.
func parseDecimal(raw []byte) (decimal, bool) {
	var d decimal
	if raw[0] == '-' {
		d.negative, raw = true, raw[1:]
	}
	mantissa, exponent := raw, 0
	if at := bytes.IndexAny(raw, "eE"); at >= 0 {
		mantissa = raw[:at]
		n, err := strconv.Atoi(string(bytes.TrimPrefix(raw[at+1:], []byte("+"))))
		if err != nil || n > 1<<20 || n < -1<<20 {
			return d, len(bytes.Trim(mantissa, "0.")) == 0 // zero is zero
		}
		exponent = n
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(bytes.Clone(whole), fraction...)
	d.exp = exponent - len(fraction)
	trimmed := bytes.TrimRight(digits, "0")
	d.exp += len(digits) - len(trimmed)
	d.digits = bytes.TrimLeft(trimmed, "0")
	if len(d.digits) == 0 {
		return decimal{}, true
	}
	return d, true
}

// integral reports whether d is a whole number of at most most digits.
func (d decimal) integral(most int) bool {
	return d.exp >= 0 && len(d.digits)+d.exp <= most
}

// append writes d in its one spelling: plain digits from 1e-6 up to 21 digits
// before the point, else with an exponent, as JavaScript does.
func (d decimal) append(dst []byte) []byte {
	if len(d.digits) == 0 {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	point := len(d.digits) + d.exp // digits before the decimal point
	switch {
	case point > 21 || point <= -6:
		dst = append(dst, d.digits[0])
		if len(d.digits) > 1 {
			dst = append(append(dst, '.'), d.digits[1:]...)
		}
		dst = append(dst, 'e')
		if point > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(point-1), 10)
	case d.exp >= 0:
		dst = append(dst, d.digits...)
		return append(dst, bytes.Repeat([]byte("0"), d.exp)...)
	case point > 0:
		dst = append(append(dst, d.digits[:point]...), '.')
		return append(dst, d.digits[point:]...)
	default:
		dst = append(append(dst, "0."...), bytes.Repeat([]byte("0"), -point)...)
		return append(dst, d.digits...)
	}
}

// plainInteger reports whether raw is already the canonical spelling of an integer
// that fits 64 bits whatever its digits.
func plainInteger(raw []byte) bool {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(raw) > 1 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// appendFloat writes f in its shortest spelling for a float of bits bits.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if f == 0 {
		return append(dst, '0') // also for -0: the same number
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst = append(dst[:n-2], dst[n-1]) // 1e-07 is written 1e-7
	}
	return dst
}
