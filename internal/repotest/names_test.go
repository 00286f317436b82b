package repotest

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// vagueWords name a place where anything could stand, so in time everything does.
var vagueWords = []string{"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}

// vagueNames reports the vague words in the names of a file, its package and the types that it declares.
func vagueNames(s source) []string {
	var problems []string
	judge := func(where, what, name string) {
		for _, word := range words(name) {
			if slices.Contains(vagueWords, word) {
				problems = append(problems, fmt.Sprintf("%s: the name of %s %s contains %q", where, what, name, word))
			}
		}
	}
	judge(s.path, "file", strings.TrimSuffix(path.Base(s.path), ".go"))
	judge(s.path, "package", s.ast.Name.Name)
	ast.Inspect(s.ast, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			judge(s.at(spec), "type", spec.Name.Name)
		}
		return true
	})
	return problems
}

// words splits "open_file" and "openFile" into lower-case words.
func words(name string) []string {
	var spaced strings.Builder
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			r = ' '
		case unicode.IsUpper(r):
			spaced.WriteRune(' ')
		}
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(spaced.String())
}

func TestNames(t *testing.T) {
	t.Parallel()
	var problems []string
	for _, s := range sources(t) {
		problems = append(problems, vagueNames(s)...)
	}
	report(t, problems, "name it after the one thing it does or knows")
}

func TestVagueNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path, text string
		want             int
	}{
		{"good", "a/open.go", "package open\ntype managed struct{}\ntype Commonality int", 0},
		{"file", "a/string_util.go", "package a", 1},
		{"test file", "a/helper_test.go", "package a", 1},
		{"package", "a/a.go", "package common", 1},
		{"type", "a/a.go", "package a\ntype SessionManager struct{}", 1},
		{"type in a function", "a/a.go", "package a\nfunc f() { type helper int }", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := vagueNames(mustParse(t, test.path, test.text)); len(got) != test.want {
				t.Errorf("vagueNames = %q, want %d", got, test.want)
			}
		})
	}
}
