package repotest

import (
	"fmt"
	"testing"
)

const (
	maxLines     = 500
	maxTestLines = 800
)

// tooLong says what is wrong with a file's length, or nothing. Nobody reads generated files.
func tooLong(path string, lines int, isTest, generated bool) string {
	limit := maxLines
	if isTest {
		limit = maxTestLines
	}
	if generated || lines <= limit {
		return ""
	}
	return fmt.Sprintf("%s has %d lines, more than %d", path, lines, limit)
}

func TestFileSizes(t *testing.T) {
	t.Parallel()
	var problems []string
	for _, s := range sources(t) {
		if problem := tooLong(s.path, s.lines, s.isTest(), s.generated()); problem != "" {
			problems = append(problems, problem)
		}
	}
	report(t, problems, "split such a file by reason to change, not by length; 100 to 250 lines read well")
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name              string
		lines             int
		isTest, generated bool
		want              bool
	}{
		{name: "at the limit", lines: 500},
		{name: "past the limit", lines: 501, want: true},
		{name: "a test at its limit", lines: 800, isTest: true},
		{name: "a test past its limit", lines: 801, isTest: true, want: true},
		{name: "generated", lines: 9000, generated: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := tooLong("a.go", test.lines, test.isTest, test.generated); (got != "") != test.want {
				t.Errorf("tooLong = %q, want a problem: %v", got, test.want)
			}
		})
	}
}
