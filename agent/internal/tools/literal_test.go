package tools

import "testing"

func TestRequiredLiteral(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"abc":              "abc",
		"(?m)^func (x|y)z": "func ",
		"(foo|bar)baz+":    "ba",
		"a|b":              "",
		"x*":               "",
		"(abc)?d":          "d",
		"(?:needle){2,}x":  "needle",
		"(?i)Hello Task":   "hello ta",
		"(?i)ks":           "",
		"[a-z]+":           "",
		"é+long":           "long",
	} {
		if got := requiredLiteral(pattern); string(got.text) != want {
			t.Errorf("%s needs %q, want %q", pattern, got.text, want)
		}
	}
}

// FuzzRequiredLiteral: where an expression matches, its literal stands.
func FuzzRequiredLiteral(f *testing.F) {
	f.Add("(?i)f(oo|OO)barr+", "xFOOBARRRx", true)
	f.Add("a{2,3}b?c", "aac", false)
	f.Add("(?i)kelvin", "\u212aelvin", true)
	f.Fuzz(func(t *testing.T, pattern, text string, ignoreCase bool) {
		re, err := lineRegexp(pattern, ignoreCase)
		if err != nil || len(pattern) > 200 {
			return
		}
		if l := requiredLiteral(re.String()); re.MatchString(text) && !l.in([]byte(text)) {
			t.Errorf("%s matches %q, which lacks %q", re, text, l.text)
		}
	})
}
