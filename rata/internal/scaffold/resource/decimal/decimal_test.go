package decimal

import (
	"math"
	"strings"
	"testing"
)

func TestNumbersAreReadAndWrittenExactly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		number Two
		text   string
	}{
		"12.50":                 {1250, "12.50"},
		"12.5":                  {1250, "12.50"},
		"12":                    {1200, "12.00"},
		"12.500":                {1250, "12.50"},
		"0.05":                  {5, "0.05"},
		"-0.05":                 {-5, "-0.05"},
		"-12.34":                {-1234, "-12.34"},
		"0":                     {0, "0.00"},
		"-0":                    {0, "0.00"},
		"007.10":                {710, "7.10"},
		"92233720368547758.07":  {math.MaxInt64, "92233720368547758.07"},
		"-92233720368547758.08": {math.MinInt64, "-92233720368547758.08"},
	} {
		var n Two
		if err := n.UnmarshalText([]byte(text)); err != nil || n != want.number || n.String() != want.text {
			t.Errorf("%q is read as %d, written as %q (%v); want %d and %q", text, int64(n), n, err, int64(want.number), want.text)
		}
	}
	if n := Six(1); n.String() != "0.000001" {
		t.Errorf("a millionth is written as %q", n)
	}
}

func TestNumbersThatAreNotExactAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "such as", "abc": "such as", "1,5": "such as", "1.": "such as", ".5": "such as", "+1": "such as", "--1": "such as", "1e3": "such as",
		" 1": "such as", "1.2.3": "such as", "0x1": "such as", "-": "such as", "1_0": "such as", "１": "such as",
		"1.234": "more than 2 decimal places", "92233720368547758.08": "is beyond",
	} {
		n := Two(7)
		if err := n.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || n != 7 {
			t.Errorf("%q: %v, %d; want an error with %q, and the number as it was", text, err, n, want)
		}
	}
}

func TestNumbersAreStoredAsWholeOnes(t *testing.T) {
	t.Parallel()
	stored, err := Two(1250).Value()
	if err != nil || stored != int64(1250) {
		t.Fatalf("12.50 is stored as %v (%v)", stored, err)
	}
	var n Two
	if err := n.Scan(stored); err != nil || n != 1250 {
		t.Errorf("12.50 comes back as %v (%v)", n, err)
	}
	if err := n.Scan("12.50"); err == nil {
		t.Error("text was read from the database")
	}
}

func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"12.50", "-0.05", "9223372036854775807", "1e9", "-.1", "00.00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n, again Four
		if n.UnmarshalText([]byte(text)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(n.String())); err != nil || again != n {
			t.Errorf("%q is read as %v, and that as %v (%v)", text, n, again, err)
		}
	})
}
