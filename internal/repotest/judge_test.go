package repotest

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"testing"
)

// The packages that are for tests only: what holds messages against the protocol's schemas, the client
// that breaks rules, and the public package for the tests of apps.
const (
	judge     = module + "/internal/mcpschema"
	hostile   = module + "/internal/hostile"
	elyratest = module + "/elyratest"
)

// judged reports the files that bring these packages into programs. They may import each other.
func judged(s source) []string {
	if s.isTest() || s.folder() == "elyratest" || s.folder() == "internal/hostile" {
		return nil
	}
	var problems []string
	for _, spec := range s.ast.Imports {
		switch path, _ := strconv.Unquote(spec.Path.Value); path {
		case judge, hostile, elyratest:
			problems = append(problems, fmt.Sprintf("%s imports %s", s.at(spec), path))
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
			if p.ImportPath == judge || p.ImportPath == hostile {
				t.Errorf("%s: package elyra links %s", goos, p.ImportPath)
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
	if got := judged(mustParse(t, "a/a.go", "package a\nimport _ \""+elyratest+"\"")); len(got) != 1 {
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
