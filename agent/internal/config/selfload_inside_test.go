package config

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckInside(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, value string
		invited     bool
		want        string // "" for no error
	}{
		{"no elyra above", "", false, ""},
		{"no elyra above, but invited", "", true, ""},
		{"hidden", "1 /a", false, "elyra does not load itself"},
		{"another project's, invited", "1 /a", true, ""},
		{"the same project's, invited", "1 /b", true, "works in /b too"},
		{"a folder with spaces", "1 /b c", true, ""},
		{"the server of a server", "2 /a", true, "there is no third"},
		{"deeper", "17 /a", true, "there is no third"},
		{"no number", "x /a", true, "there is no third"},
		{"less than nothing", "-1 /a", true, "there is no third"},
		{"without a project", "1", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := CheckInside(environment(map[string]string{InsideVariable: tt.value}), "/b", tt.invited)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestInsideGrows holds that a chain of agents ends whatever a configuration says of the variable.
func TestInsideGrows(t *testing.T) {
	t.Parallel()
	parent := []string{"PATH=/bin"}
	for _, want := range []string{"1 /a", "2 /a", "2 /a", "2 /a"} {
		configured := []string{"HOME=/h", InsideVariable + "=", InsideVariable + "=1 /x"}
		got := Inside(configured, parent, "/a")
		if !slices.Equal(got, []string{"HOME=/h", InsideVariable + "=" + want}) {
			t.Errorf("%q, want %q", got, want)
		}
		if len(configured) != 3 || configured[1] != InsideVariable+"=" {
			t.Errorf("the configuration was changed: %q", configured)
		}
		parent = got
	}
}

func TestInvites(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want bool
	}{
		{[]string{"--mode", "mcp", InsideFlag}, true},
		{[]string{"-c", "cd /b && exec elyra --mode mcp " + InsideFlag}, true},
		{[]string{"-c", "(elyra --mode mcp " + InsideFlag + ")"}, true},
		{[]string{"--mode", "mcp"}, false},
		{[]string{"--mode", "mcp", "--append-system-prompt", InsideFlag + "-less"}, false},
		{nil, false},
	} {
		if got := Invites(Server{Args: tt.args}); got != tt.want {
			t.Errorf("%q: %v", tt.args, got)
		}
	}
}
