package repotest

import (
	"fmt"
	"go/ast"
	"slices"
	"testing"
)

// judge is the package that holds messages against the protocol's schemas: for tests only.
const judge = module + "/internal/mcpschema"

// judged reports the files that bring the judge into programs. Package elyratest may import it, since
// only tests import that.
func judged(s source) []string {
	if s.isTest() || s.folder() == "elyratest" {
		return nil
	}
	var problems []string
	for _, spec := range s.ast.Imports {
		switch spec.Path.Value {
		case `"` + judge + `"`, `"` + module + `/elyratest"`:
			problems = append(problems, fmt.Sprintf("%s imports %s", s.at(spec), spec.Path.Value))
		}
	}
	return problems
}

func TestOnlyTestsJudgeMessages(t *testing.T) {
	t.Parallel()
	var problems []string
	for _, s := range sources(t) {
		problems = append(problems, judged(s)...)
	}
	report(t, problems, "the schemas and what checks them are for tests: an app must not link them")
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, p := range goList(t, ".", goos, "-deps", ".") {
			if p.ImportPath == judge {
				t.Errorf("%s: package elyra links %s", goos, judge)
			}
		}
	}
}

func TestJudged(t *testing.T) {
	t.Parallel()
	const text = "package a\nimport _ \"" + judge + "\""
	for path, want := range map[string]int{"a/a.go": 1, "a/a_test.go": 0, "elyratest/a.go": 0} {
		if got := judged(mustParse(t, path, text)); len(got) != want {
			t.Errorf("%s: %q, want %d", path, got, want)
		}
	}
	if got := judged(mustParse(t, "a/a.go", "package a\nimport _ \""+module+"/elyratest\"")); len(got) != 1 {
		t.Errorf("a program that imports elyratest: %q", got)
	}
}

// functions returns the names of the functions that a file declares.
func functions(s source) []string {
	var names []string
	for _, declaration := range s.ast.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil {
			names = append(names, f.Name.Name)
		}
	}
	return slices.Clip(names)
}
