package codegen

import (
	"go/ast"
	"go/token"
)

// sourceFile is one parsed file of a package.
type sourceFile struct {
	syntax      *ast.File
	constrained bool // built on some systems only
}

// pkg is one parsed package.
type pkg struct {
	module    *module
	path      string // import path
	name      string // as its package clause says
	files     []*sourceFile
	names     map[string]token.Pos // everything declared at package level
	types     map[string]*typeDecl
	methods   map[string]token.Pos // "Service.Store"
	constants map[string]*constantDecl
	enums     map[string][]*constantDecl // by the name of their type, in order
}

// typeDecl is a declared type.
type typeDecl struct {
	pkg  *pkg
	file *sourceFile
	spec *ast.TypeSpec
	doc  *ast.CommentGroup
}

// keys are the names by which the framework looks up documentation at run time: the path of the
// package and the type's name. The path of a program's package is "main", except in its own tests.
func (t *typeDecl) keys() []string {
	keys := []string{t.pkg.path + "." + t.spec.Name.Name}
	if t.pkg.name == "main" {
		keys = append(keys, "main."+t.spec.Name.Name)
	}
	return keys
}

// index fills the tables of what the package declares.
func (p *pkg) index() {
	for _, f := range p.files {
		for _, decl := range f.syntax.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					p.declare(d.Name)
				} else if r := receiverOf(d); r.name != "" {
					p.methods[r.name+"."+d.Name.Name] = d.Name.Pos()
				}
			case *ast.GenDecl:
				p.indexGeneral(f, d)
			}
		}
	}
}

func (p *pkg) indexGeneral(f *sourceFile, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range s.Names {
				p.declare(name)
			}
		case *ast.TypeSpec:
			p.declare(s.Name)
			doc := s.Doc
			if doc == nil && !d.Lparen.IsValid() {
				doc = d.Doc
			}
			t := &typeDecl{pkg: p, file: f, spec: s, doc: doc}
			// Of a type declared once for each system, the declaration that is built everywhere counts, else the first.
			if old := p.types[s.Name.Name]; old == nil || old.file.constrained && !f.constrained {
				p.types[s.Name.Name] = t
			}
		}
	}
	if d.Tok == token.CONST {
		p.indexConstants(f, d)
	}
}

func (p *pkg) declare(name *ast.Ident) {
	if name.Name != "_" && name.Name != "init" {
		p.names[name.Name] = name.Pos()
	}
}

// receiver is the type that a method is declared on.
type receiver struct {
	name    string
	pointer bool
	generic bool
}

// receiverOf gives the zero receiver for a function.
func receiverOf(d *ast.FuncDecl) receiver {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return receiver{}
	}
	var r receiver
	expr := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := expr.(*ast.StarExpr); ok {
		r.pointer = true
		expr = ast.Unparen(star.X)
	}
	switch e := expr.(type) {
	case *ast.IndexExpr:
		r.generic = true
		expr = e.X
	case *ast.IndexListExpr:
		r.generic = true
		expr = e.X
	}
	if id, ok := expr.(*ast.Ident); ok {
		r.name = id.Name
	}
	return r
}
