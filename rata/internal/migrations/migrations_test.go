package migrations

import (
	"strings"
	"testing"
)

func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"add_price", "AddPrice", "a b", "../x", "", "é", "1", "a__b", "a_", "create_A.sql", strings.Repeat("a", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckName(name) == nil && (name == "" || len(name) > longestName || strings.ToLower(name) != name || strings.ContainsAny(name, `/\. `+"\x00")) {
			t.Fatalf("%q is a name", name)
		}
		if better := suggest(name); CheckName(name) == nil && better != name {
			t.Fatalf("%q would be %q", name, better)
		}
	})
}
