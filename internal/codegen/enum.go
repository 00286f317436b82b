package codegen

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
)

// constantDecl is a constant as it is declared. Its value is worked out when it is asked for.
type constantDecl struct {
	name        string
	typ         string // name of its type in the package, "" when it has none of its own
	expr        ast.Expr
	index       int64          // the value of iota
	constrained bool           // declared on some systems only
	value       constant.Value // nil until it was worked out
}

// indexConstants files the constants of a declaration under their names, and the typed ones under
// their types too. Within a group a constant without type and value repeats those of the one before.
func (p *pkg) indexConstants(f *sourceFile, d *ast.GenDecl) {
	var last *ast.ValueSpec
	for n, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if s.Type != nil || len(s.Values) > 0 {
			last = s
		}
		for i, id := range s.Names {
			if last == nil || i >= len(last.Values) || id.Name == "_" {
				continue
			}
			c := &constantDecl{name: id.Name, typ: constantType(last, last.Values[i]), expr: last.Values[i], index: int64(n), constrained: f.constrained}
			p.constants[id.Name] = c
			if c.typ != "" {
				p.enums[c.typ] = append(p.enums[c.typ], c)
			}
		}
	}
}

// constantType gives the name of the type that a constant is declared with or converted to.
func constantType(spec *ast.ValueSpec, value ast.Expr) string {
	expr := spec.Type
	if expr == nil {
		conversion, ok := value.(*ast.CallExpr)
		if !ok {
			return ""
		}
		expr = conversion.Fun
	}
	if id, ok := expr.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// enum gives the values of the constants that a value of the type is one of, as Go literals. There
// are none when the type is no enumeration: it is neither a string nor an integer, has fewer than
// two values (a lone one is a default), or they are flags, to be combined. An enumeration that can
// be read only in part is left out whole, since the values it lacks would be refused; so is one with
// exported and unexported constants, of which some may only count or end the others.
//
// The values are written out rather than referred to: so every package that documents the type says
// the same, also one that may not see the constants, and a changed value shows in the diff.
func (l *loader) enum(t *typeDecl) []string {
	_, expr := l.underlying(t)
	if id, ok := expr.(*ast.Ident); !ok || !isEnumKind(id.Name) {
		return nil
	}
	var values []string
	constants := t.pkg.enums[t.spec.Name.Name]
	for _, c := range constants {
		if c.constrained || hasShift(c.expr) || token.IsExported(c.name) != token.IsExported(constants[0].name) {
			return nil
		}
		value := t.pkg.valueOf(c)
		if kind := value.Kind(); kind != constant.String && kind != constant.Int {
			return nil
		}
		if literal := literalOf(value); !slices.Contains(values, literal) {
			values = append(values, literal)
		}
	}
	if len(values) < 2 {
		return nil
	}
	return values
}

// literalOf writes a value so that it fits an element of []any on every system: an untyped integer
// becomes an int, which may have 32 bits.
func literalOf(value constant.Value) string {
	literal := value.ExactString()
	if value.Kind() != constant.Int {
		return literal
	}
	n, exact := constant.Int64Val(value)
	switch {
	case !exact:
		return "uint64(" + literal + ")"
	case n != int64(int32(n)):
		return "int64(" + literal + ")"
	}
	return literal
}

func isEnumKind(name string) bool {
	switch name {
	case "string", "int", "int8", "int16", "int32", "int64", "rune",
		"uint", "uint8", "uint16", "uint32", "uint64", "byte":
		return true
	}
	return false
}

func hasShift(expr ast.Expr) bool {
	shift := false
	ast.Inspect(expr, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.SHL {
			shift = true
		}
		return !shift
	})
	return shift
}

// valueOf works out the value of a constant, once. One that is defined by itself is unknown.
func (p *pkg) valueOf(c *constantDecl) constant.Value {
	if c.value == nil {
		c.value = constant.MakeUnknown()
		c.value = p.evaluate(c.expr, c.index)
	}
	return c.value
}

// evaluate works out a constant expression of strings and integers. The result is unknown for
// everything else: functions, constants of other packages, other kinds.
func (p *pkg) evaluate(expr ast.Expr, index int64) constant.Value {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if value := constant.MakeFromLiteral(e.Value, e.Kind, 0); e.Kind == token.STRING || e.Kind == token.INT || e.Kind == token.CHAR {
			return value
		}
	case *ast.ParenExpr:
		return p.evaluate(e.X, index)
	case *ast.Ident:
		if c := p.constants[e.Name]; c != nil {
			return p.valueOf(c)
		}
		if e.Name == "iota" {
			return constant.MakeInt64(index)
		}
	case *ast.CallExpr: // a conversion, when the function is a type
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && p.types[id.Name] != nil {
			return p.evaluate(e.Args[0], index)
		}
	case *ast.UnaryExpr:
		if x := p.evaluate(e.X, index); x.Kind() == constant.Int && (e.Op == token.SUB || e.Op == token.ADD) {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.BinaryExpr:
		return binary(p.evaluate(e.X, index), e.Op, p.evaluate(e.Y, index))
	}
	return constant.MakeUnknown()
}

func binary(x constant.Value, op token.Token, y constant.Value) constant.Value {
	bothInts := x.Kind() == constant.Int && y.Kind() == constant.Int
	bothStrings := x.Kind() == constant.String && y.Kind() == constant.String
	switch {
	case op == token.ADD && (bothInts || bothStrings), bothInts && (op == token.SUB || op == token.MUL):
		return constant.BinaryOp(x, op, y)
	}
	return constant.MakeUnknown()
}
