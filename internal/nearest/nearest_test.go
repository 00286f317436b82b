package nearest

import "testing"

func TestNameSuggestsOnlyWhatIsClose(t *testing.T) {
	t.Parallel()
	known := []string{"customers.view", "customers.create", "orders.view"}
	for _, tt := range []struct{ got, want string }{
		{"customers.veiw", "customers.view"},
		{"custmers.create", "customers.create"},
		{"ORDERS.VIEW", "orders.view"},
		{"invoices.pay", ""},
		{"", ""},
	} {
		if n := Name(tt.got, known); n != tt.want {
			t.Errorf("Name(%q) = %q, want %q", tt.got, n, tt.want)
		}
	}
	if h := Hint("customers.veiw", known); h != `; did you mean "customers.view"?` {
		t.Errorf("Hint = %q", h)
	}
}

func FuzzName(f *testing.F) {
	f.Add("customers.veiw", "customers.view")
	f.Fuzz(func(t *testing.T, got, candidate string) {
		if n := Name(got, []string{candidate}); n != "" && n != candidate {
			t.Errorf("Name(%q) = %q, which is no candidate", got, n)
		}
		if len(candidate) > 0 && Name(candidate, []string{candidate}) != candidate {
			t.Errorf("%q is not the nearest to itself", candidate)
		}
	})
}
