package repotest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The clauses of the protocol's specification that a server (S) and a client (C)
// have to keep, by number. Each has at least one test whose name begins with the number, such as
// TestS12_eachRequestSpeaksForItself, TestS15_S16_… for two, or FuzzS46_….
const (
	lastServerClause = 56
	lastClientClause = 46
)

// notYet are the clauses about what is not built. The list may only shrink.
var notYet []string

// clauseName finds the numbers at the beginning of a test's name.
var clauseName = regexp.MustCompile(`^(?:Test|Fuzz)((?:[SC][0-9]+_)+)`)

// clausesOf returns the numbers that a test's name begins with.
func clausesOf(name string) []string {
	m := clauseName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(m[1], "_"), "_")
}

// clauseProblems compares the clauses with the names of tests.
func clauseProblems(clauses, notYet, tests []string) []string {
	tested := map[string]string{}
	for _, test := range tests {
		for _, clause := range clausesOf(test) {
			tested[clause] = test
		}
	}
	var problems []string
	for _, clause := range clauses {
		switch missing := slices.Contains(notYet, clause); {
		case missing && tested[clause] != "":
			problems = append(problems, fmt.Sprintf("%s is on the list of what is not built, and has the test %s: take it off", clause, tested[clause]))
		case !missing && tested[clause] == "":
			problems = append(problems, fmt.Sprintf("%s has no test", clause))
		}
	}
	for _, clause := range notYet {
		if !slices.Contains(clauses, clause) {
			problems = append(problems, fmt.Sprintf("%s is on the list of what is not built, and is no clause", clause))
		}
	}
	return problems
}

func TestEveryClauseHasATest(t *testing.T) {
	t.Parallel()
	var clauses, tests []string
	for n := range lastServerClause {
		clauses = append(clauses, fmt.Sprint("S", n+1))
	}
	for n := range lastClientClause {
		clauses = append(clauses, fmt.Sprint("C", n+1))
	}
	for _, s := range sources(t) {
		if s.isTest() {
			tests = append(tests, functions(s)...)
		}
	}
	report(t, clauseProblems(clauses, notYet, tests),
		"write a test that fails when the clause is broken, and begin its name with the number; a clause may be on the list notYet only as long as what it is about does not exist")
}

func TestClauseProblems(t *testing.T) {
	t.Parallel()
	clauses := []string{"S1", "S2", "C1"}
	for _, tt := range []struct {
		name          string
		notYet, tests []string
		want          []string
	}{
		{"all there", nil, []string{"TestS1_x", "FuzzS2_y", "TestC1_z"}, nil},
		{"two in one", nil, []string{"TestS1_S2_x", "TestC1_x"}, nil},
		{"missing", nil, []string{"TestS1_x", "TestS2x", "TestXS2_y", "TestC1_x"}, []string{"S2 has no test"}},
		{"not yet", []string{"S2"}, []string{"TestS1_x", "TestC1_x"}, nil},
		{"not yet, and tested", []string{"S2"}, []string{"TestS1_S2_x", "TestC1_x"}, []string{"S2 is on the list"}},
		{"no clause", []string{"S3"}, []string{"TestS1_S2_C1_x"}, []string{"S3 is on the list"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := clauseProblems(clauses, tt.notYet, tt.tests)
			if len(got) != len(tt.want) || len(got) > 0 && !strings.HasPrefix(got[0], tt.want[0]) {
				t.Errorf("clauseProblems = %q, want %q", got, tt.want)
			}
		})
	}
}
