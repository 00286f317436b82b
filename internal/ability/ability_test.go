package ability

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, ability string
		want             bool
	}{
		{"customers.view", "customers.view", true},
		{"customers.view", "customers.viewer", false},
		{"customers.*", "customers.view", true},
		{"customers.*", "customers.notes.view", true},
		{"customers.*", "customers", false},
		{"customers.*", "customers2.view", false},
		{"*", "orders.view", true},
		{"*", "", false},
		{"", "", false},
		{"customers", "customers.view", false},
	} {
		if got := Match(tt.pattern, tt.ability); got != tt.want {
			t.Errorf("Match(%q, %q) = %v", tt.pattern, tt.ability, got)
		}
	}
}

func TestTheNilSetGrantsNothing(t *testing.T) {
	t.Parallel()
	if Set(nil).Covers("customers.view") {
		t.Error("the nil set covers customers.view")
	}
	if !(Set{"orders.*", "customers.view"}).Covers("customers.view") {
		t.Error("a granted ability is not covered")
	}
}

func TestCheckPatternNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	declared := []string{"customers.view", "customers.create"}
	for _, tt := range []struct{ pattern, want string }{
		{"customers.view", ""},
		{"customers.*", ""},
		{"*", ""},
		{"customers.veiw", `did you mean "customers.view"?`},
		{"orders.*", "matches no command's ability"},
		{"Customers.View", "no ability pattern"},
		{"*.view", "no ability pattern"},
		{"", "no ability pattern"},
	} {
		err := CheckPattern(tt.pattern, declared)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CheckPattern(%q) = %v, want %q", tt.pattern, err, tt.want)
		}
	}
}
