package codegen

import (
	"go/ast"
	"go/doc/comment"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// typeDoc is what the source says about a type beyond what reflection sees.
type typeDoc struct {
	key    string
	doc    string
	fields []fieldDoc // in order of declaration
	enum   []string   // values as Go literals
}

type fieldDoc struct{ name, doc string }

// docCollector walks the types reachable from the commands of a package and collects the
// documentation of those that the same module declares.
type docCollector struct {
	l    *loader
	seen map[*typeDecl]bool
	docs []typeDoc
}

// typeDocs gives the documented types reachable from commands, sorted by key.
func (l *loader) typeDocs(p *pkg, commands []command) []typeDoc {
	c := &docCollector{l: l, seen: map[*typeDecl]bool{}}
	for _, cmd := range commands {
		for _, a := range cmd.arguments {
			c.walk(p, cmd.file, a.typ, nil)
		}
		if cmd.result != nil {
			c.walk(p, cmd.file, cmd.result, nil)
		}
	}
	slices.SortFunc(c.docs, func(a, b typeDoc) int { return strings.Compare(a.key, b.key) })
	return c.docs
}

// walk visits the types that an expression names. hidden are the type parameters in scope.
func (c *docCollector) walk(p *pkg, f *sourceFile, expr ast.Expr, hidden map[string]bool) {
	if t := c.l.lookup(p, f, expr); t != nil {
		if id, ok := expr.(*ast.Ident); !ok || !hidden[id.Name] {
			c.declared(t)
		}
		return
	}
	switch e := expr.(type) {
	case *ast.StarExpr:
		c.walk(p, f, e.X, hidden)
	case *ast.ParenExpr:
		c.walk(p, f, e.X, hidden)
	case *ast.ArrayType:
		c.walk(p, f, e.Elt, hidden)
	case *ast.MapType:
		c.walk(p, f, e.Key, hidden)
		c.walk(p, f, e.Value, hidden)
	case *ast.IndexExpr:
		c.walk(p, f, e.X, hidden)
		c.walk(p, f, e.Index, hidden)
	case *ast.IndexListExpr:
		c.walk(p, f, e.X, hidden)
		for _, index := range e.Indices {
			c.walk(p, f, index, hidden)
		}
	case *ast.StructType:
		for _, field := range e.Fields.List {
			if isSent(field) {
				c.walk(p, f, field.Type, hidden)
			}
		}
	}
}

// declared collects one type and goes on to those it is made of.
func (c *docCollector) declared(t *typeDecl) {
	if c.seen[t] {
		return
	}
	c.seen[t] = true
	hidden := map[string]bool{}
	if t.spec.TypeParams != nil {
		for _, field := range t.spec.TypeParams.List {
			for _, name := range field.Names {
				hidden[name.Name] = true
			}
		}
	}
	c.walk(t.pkg, t.file, t.spec.Type, hidden)
	if t.spec.Assign.IsValid() {
		return // an alias is another name for what was just walked
	}
	d := typeDoc{doc: t.pkg.docText(t.doc), fields: c.fields(t), enum: c.l.enum(t)}
	if d.doc == "" && len(d.fields) == 0 && len(d.enum) == 0 {
		return
	}
	for _, d.key = range t.keys() {
		c.docs = append(c.docs, d)
	}
}

// fields gives the documented fields of a struct type, also of one defined as another struct type.
func (c *docCollector) fields(t *typeDecl) []fieldDoc {
	owner, expr := c.l.underlying(t)
	structure, ok := expr.(*ast.StructType)
	if !ok {
		return nil
	}
	var fields []fieldDoc
	for _, field := range structure.Fields.List {
		text := owner.pkg.docText(field.Doc)
		if text == "" {
			text = owner.pkg.docText(field.Comment)
		}
		if text == "" || !isSent(field) {
			continue
		}
		for _, name := range fieldNames(field) {
			if token.IsExported(name) {
				fields = append(fields, fieldDoc{name, text})
			}
		}
	}
	return fields
}

// isSent says whether a field can be part of the JSON form.
func isSent(field *ast.Field) bool {
	if field.Tag != nil {
		if tag, err := strconv.Unquote(field.Tag.Value); err == nil && reflect.StructTag(tag).Get("json") == "-" {
			return false
		}
	}
	return len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.IsExported() })
}

// fieldNames gives the names of a field; an embedded one is called like its type.
func fieldNames(field *ast.Field) []string {
	if len(field.Names) > 0 {
		names := make([]string, len(field.Names))
		for i, id := range field.Names {
			names[i] = id.Name
		}
		return names
	}
	expr := field.Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.SelectorExpr:
			return []string{e.Sel.Name}
		case *ast.Ident:
			return []string{e.Name}
		default:
			return nil
		}
	}
}

// lookup gives the declaration that a type name refers to, nil when it is in another module or built in.
func (l *loader) lookup(p *pkg, f *sourceFile, expr ast.Expr) *typeDecl {
	switch e := expr.(type) {
	case *ast.Ident:
		if t := p.types[e.Name]; t != nil {
			return t
		}
		for _, importPath := range dotImports(f) {
			if other := l.sameModule(p, importPath); other != nil && other.types[e.Name] != nil {
				return other.types[e.Name]
			}
		}
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if other := l.sameModule(p, l.importOf(p, f, id.Name)); other != nil {
				return other.types[e.Sel.Name]
			}
		}
	}
	return nil
}

// underlying follows definitions like `type Draft Customer` to the type literal or built-in name at
// their end, and gives the declaration that wrote it.
func (l *loader) underlying(t *typeDecl) (owner *typeDecl, expr ast.Expr) {
	for range 16 { // a cycle does not compile; stop at one all the same
		expr = ast.Unparen(t.spec.Type)
		name := expr
		switch e := expr.(type) {
		case *ast.IndexExpr:
			name = e.X
		case *ast.IndexListExpr:
			name = e.X
		}
		next := l.lookup(t.pkg, t.file, name)
		if next == nil {
			break
		}
		t = next
	}
	return t, expr
}

// docText is a comment as text to read, without directives: a paragraph is one line.
func (p *pkg) docText(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	parser := comment.Parser{LookupSym: func(receiver, name string) bool {
		if receiver != "" {
			name = receiver
		}
		_, ok := p.names[name]
		return ok
	}}
	printer := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(printer.Text(parser.Parse(group.Text()))))
}
