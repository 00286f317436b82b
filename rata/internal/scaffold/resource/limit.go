package resource

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (f *Field) limit(name, value string) error {
	if !f.Kind.Limits || f.Max > 0 && name == "min" {
		return fmt.Errorf("%s has no %s: texts have max=N, int and float have min=N and max=N; write a method Validate for anything else", f.Kind.Name, name)
	}
	if f.Max > 0 {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxText {
			return fmt.Errorf("max is a number of characters from 1 to %d, not %q", maxText, value)
		}
		f.Max = n
		return nil
	}
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || math.Abs(n) > maxWhole || strings.ContainsAny(value, "_xXpPeEiInN+"):
		return fmt.Errorf("%s is a number such as %s=10, not %q", name, name, value)
	case f.Kind.Name == "int" && n != math.Trunc(n):
		return fmt.Errorf("%s of an int is a whole number, not %s", name, value)
	}
	value = strconv.FormatFloat(n, 'f', -1, 64)
	if value == "-0" {
		value = "0"
	}
	if name == "min" {
		f.Low = value
	} else {
		f.High = value
	}
	return nil
}

func (f *Field) checkLimits() error {
	low, high := f.bounds()
	if low > high {
		return fmt.Errorf("its min %s is more than its max %s", f.Low, f.High)
	}
	if f.Unique && f.Kind.Name == "int" && high-low < samples-1 {
		return errors.New("so few values cannot be unique")
	}
	if f.Unique && f.Kind.Name == "string" && f.Max > maxIndexed {
		return fmt.Errorf("a text of more than %d characters cannot be unique: databases do not index it", maxIndexed)
	}
	if f.Unique && f.Max > 0 && f.Max < 2 {
		return errors.New("texts of one character cannot be unique for long: take max=2 or more")
	}
	return nil
}

// bounds are the limits of a number.
func (f *Field) bounds() (low, high float64) {
	low, high = -maxWhole, maxWhole
	if f.Low != "" {
		low, _ = strconv.ParseFloat(f.Low, 64)
	}
	if f.High != "" {
		high, _ = strconv.ParseFloat(f.High, 64)
	}
	return low, high
}
