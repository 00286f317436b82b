package repotest

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// undocumented reports what a file exports without a doc comment: functions, methods of exported types,
// types, their exported fields and methods, constants and variables. A comment above a group counts for
// all of it; a group of fields or of constants below one comment ends at a blank line. A comment at the end of the line counts, too.
func undocumented(s source) []string {
	var problems []string
	missing := func(node ast.Node, name string) {
		problems = append(problems, s.at(node)+": "+name+" has no doc comment")
	}
	for _, declaration := range s.ast.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				receiver := receiverName(d.Recv.List[0].Type)
				if !ast.IsExported(receiver) || obvious(name) {
					continue
				}
				name = receiver + "." + name
			}
			if d.Name.IsExported() && d.Doc == nil {
				missing(d, name)
			}
		case *ast.GenDecl:
			undocumentedGroup(s, d, missing)
		}
	}
	return problems
}

// obvious reports methods that an interface of the standard library already documents.
func obvious(method string) bool {
	return method == "Error" || method == "Unwrap" || method == "String"
}

func undocumentedGroup(s source, d *ast.GenDecl, missing func(ast.Node, string)) {
	values := covering{source: s}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if d.Doc != nil || values.covers(spec, spec.Doc, spec.Comment) {
				continue
			}
			for _, name := range spec.Names {
				if name.IsExported() {
					missing(spec, name.Name)
				}
			}
		case *ast.TypeSpec:
			if !spec.Name.IsExported() {
				continue
			}
			// A comment above `type (` is about the group, so it counts only when there is no group.
			if spec.Doc == nil && spec.Comment == nil && (d.Doc == nil || d.Lparen != token.NoPos) {
				missing(spec, spec.Name.Name)
			}
			undocumentedMembers(s, spec, missing)
		}
	}
}

func undocumentedMembers(s source, spec *ast.TypeSpec, missing func(ast.Node, string)) {
	fields := covering{source: s}
	for _, field := range members(spec.Type) {
		if fields.covers(field, field.Doc, field.Comment) {
			continue
		}
		for _, name := range field.Names {
			if name.IsExported() {
				missing(field, spec.Name.Name+"."+name.Name)
			}
		}
	}
}

// A covering follows the lines of a group to see how far down a comment reaches.
type covering struct {
	source source
	last   int // the last line that a comment covers; 0: none yet
}

func (c *covering) covers(node ast.Node, above, beside *ast.CommentGroup) bool {
	line := func(pos token.Pos) int { return c.source.fset.Position(pos).Line }
	if above == nil && beside == nil && (c.last == 0 || line(node.Pos()) != c.last+1) {
		return false
	}
	c.last = line(node.End())
	return true
}

// members lists the fields of a struct type or the methods of an interface type.
func members(expr ast.Expr) []*ast.Field {
	switch expr := expr.(type) {
	case *ast.StructType:
		return expr.Fields.List
	case *ast.InterfaceType:
		return expr.Methods.List
	}
	return nil
}

// receiverName is the type's name in `(t *T[K])`.
func receiverName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.StarExpr:
		return receiverName(expr.X)
	case *ast.IndexExpr:
		return receiverName(expr.X)
	case *ast.IndexListExpr:
		return receiverName(expr.X)
	}
	return ""
}

func TestPublicPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	var problems []string
	for _, s := range sources(t) {
		if s.public() && !s.generated() {
			problems = append(problems, undocumented(s)...)
		}
	}
	report(t, problems, "say what it is, with shapes, units and errors; or do not export it")
}

func TestUndocumented(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       string // the names that lack a comment
	}{
		{"function", "func F() {}\nfunc g() {}", "F"},
		{"documented function", "// F works.\nfunc F() {}", ""},
		{"type", "type T int", "T"},
		{"documented type", "// T is one.\ntype T int", ""},
		{"group of types", "// Types.\ntype (\n\tT int\n\t// U is one.\n\tU int\n)", "T"},
		{"method", "// T is one.\ntype T int\nfunc (t *T) M() {}", "T.M"},
		{"generic method", "// T is one.\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}", "T.M"},
		{"method of a hidden type", "type t int\nfunc (t) M() {}", ""},
		{"error", "// E is one.\ntype E struct{}\nfunc (E) Error() string { return \"\" }", ""},
		{"field", "// T is one.\ntype T struct {\n\tA int\n\tb int\n\tC int // counted\n}", "T.A"},
		{"fields as a group", "// T is one.\ntype T struct {\n\t// Both.\n\tA int\n\tB int\n\n\tC int\n}", "T.C"},
		{"interface", "// I is one.\ntype I interface {\n\tM()\n\t// N does.\n\tN()\n}", "I.M"},
		{"constants", "const A = 1\n// Group.\nconst (\n\tB = 1\n\tC = 2\n)\nconst (\n\tD = 1 // d\n\tE = 2\n\n\tF = 3\n)", "A F"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, problem := range undocumented(mustParse(t, "a.go", "package a\n"+test.text)) {
				got = append(got, strings.Fields(problem)[1])
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("undocumented = %q, want %q", got, test.want)
			}
		})
	}
}
