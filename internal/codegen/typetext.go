package codegen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// typeText writes the types of one function's arguments and result as they are named in the generated file.
type typeText struct {
	l       *loader
	pkg     *pkg
	file    *sourceFile
	imports *importSet
}

// fail reports why a type cannot be carried over, and gives a type to go on with.
func (t *typeText) fail(pos token.Pos, what, fix string) string {
	t.l.reportAt(pos, what, fix)
	return "any"
}

// text gives the Go expression of a type.
func (t *typeText) text(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return t.ident(e)
	case *ast.SelectorExpr:
		return t.selector(e)
	case *ast.StarExpr:
		return "*" + t.text(e.X)
	case *ast.ParenExpr:
		return "(" + t.text(e.X) + ")"
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + t.text(e.Elt)
		}
		return "[" + t.length(e.Len) + "]" + t.text(e.Elt)
	case *ast.MapType:
		return "map[" + t.text(e.Key) + "]" + t.text(e.Value)
	case *ast.IndexExpr:
		return t.text(e.X) + "[" + t.text(e.Index) + "]"
	case *ast.IndexListExpr:
		arguments := make([]string, len(e.Indices))
		for i, index := range e.Indices {
			arguments[i] = t.text(index)
		}
		return t.text(e.X) + "[" + strings.Join(arguments, ", ") + "]"
	case *ast.InterfaceType:
		if e.Methods == nil || len(e.Methods.List) == 0 {
			return "interface{}"
		}
		return t.fail(e.Pos(), "an interface with methods has no JSON form", "use a struct type")
	case *ast.StructType:
		return t.structure(e)
	case *ast.FuncType, *ast.ChanType:
		return t.fail(e.Pos(), fmt.Sprintf("%s has no JSON form", types.ExprString(e)), "a caller sends and gets data only")
	}
	return t.fail(expr.Pos(), fmt.Sprintf("%s is no type that can be read here", types.ExprString(expr)), "give the type a name")
}

// length is an array's length: a number or a constant.
func (t *typeText) length(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident, *ast.SelectorExpr:
		return t.text(e)
	}
	return t.fail(expr.Pos(), "the array length is an expression", "declare it as a constant")
}

func (t *typeText) ident(id *ast.Ident) string {
	if _, declared := t.pkg.names[id.Name]; declared {
		return id.Name
	}
	dots := dotImports(t.file)
	for _, importPath := range dots {
		if p := t.l.sameModule(t.pkg, importPath); p != nil && p.types[id.Name] != nil {
			return t.imports.name(importPath, p.name) + "." + id.Name
		}
	}
	if types.Universe.Lookup(id.Name) != nil {
		return id.Name
	}
	var outside []string
	for _, importPath := range dots {
		if t.l.sameModule(t.pkg, importPath) == nil {
			outside = append(outside, importPath)
		}
	}
	switch len(outside) {
	case 0:
		return t.fail(id.Pos(), fmt.Sprintf("%s is declared nowhere in package %s", id.Name, t.pkg.name), "declare or import it")
	case 1:
		return t.imports.name(outside[0], conventionalName(outside[0])) + "." + id.Name
	}
	return t.fail(id.Pos(), fmt.Sprintf("it is not clear which dot import declares %s", id.Name), "import its package by name")
}

func (t *typeText) selector(e *ast.SelectorExpr) string {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return t.fail(e.Pos(), fmt.Sprintf("%s is no type", types.ExprString(e)), "")
	}
	importPath := t.l.importOf(t.pkg, t.file, id.Name)
	if importPath == "" {
		return t.fail(e.Pos(), fmt.Sprintf("it is not clear which import %s is", id.Name),
			fmt.Sprintf("name it in the import: %s %q", id.Name, "…"))
	}
	if importPath == "C" {
		return t.fail(e.Pos(), fmt.Sprintf("%s is a C type, which has no JSON form", types.ExprString(e)), "use a Go type")
	}
	return t.imports.name(importPath, id.Name) + "." + e.Sel.Name
}

func (t *typeText) structure(e *ast.StructType) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	for _, field := range e.Fields.List {
		names := make([]string, len(field.Names))
		for i, name := range field.Names {
			names[i] = name.Name
		}
		b.WriteString(strings.Join(names, ", ") + " " + t.text(field.Type))
		if field.Tag != nil {
			b.WriteString(" " + field.Tag.Value)
		}
		b.WriteString("\n")
	}
	b.WriteString("}")
	return b.String()
}

// sameModule gives an imported package that is in the same module as p, else nil.
func (l *loader) sameModule(p *pkg, importPath string) *pkg {
	dir, ok := p.module.folder(importPath)
	if !ok {
		return nil
	}
	other, err := l.load(dir)
	if err != nil {
		return nil
	}
	return other
}
