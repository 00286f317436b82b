package codegen

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// loader parses packages, each once, and collects what is wrong with them.
type loader struct {
	base     string // Options.Dir
	fset     *token.FileSet
	folders  map[string]*folder // by absolute path
	packages map[string]*pkg    // by absolute path; nil when the package does not parse
	problems Problems
}

// folder is the Go source text in a folder, without tests and without generated code.
type folder struct {
	names             []string // sorted
	text              map[string][]byte
	mentionsDirective bool
}

func newLoader(base string) *loader {
	return &loader{base: base, fset: token.NewFileSet(), folders: map[string]*folder{}, packages: map[string]*pkg{}}
}

// display is a path for people: relative to the base, with forward slashes.
func (l *loader) display(path string) string {
	base, err := filepath.Abs(l.base)
	if err != nil {
		return filepath.ToSlash(path)
	}
	if path, err = filepath.Abs(path); err == nil {
		if rel, err := filepath.Rel(base, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// read gives the source text of a folder.
func (l *loader) read(dir string) (*folder, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	if f, ok := l.folders[abs]; ok {
		return f, nil
	}
	entries, err := os.ReadDir(abs) // sorted by name
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	f := &folder{text: map[string][]byte{}}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == FileName || name[0] == '.' || name[0] == '_' {
			continue
		}
		text, err := os.ReadFile(filepath.Join(abs, name))
		if err != nil {
			return nil, fmt.Errorf("generate: %w", err)
		}
		f.names = append(f.names, name)
		f.text[name] = text
		f.mentionsDirective = f.mentionsDirective || bytes.Contains(text, []byte("elyra:"))
	}
	l.folders[abs] = f
	return f, nil
}

// load parses the package in a folder. It gives nil, with the problems reported, when a file does not parse.
func (l *loader) load(dir string) (*pkg, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	if p, ok := l.packages[abs]; ok {
		return p, nil
	}
	l.packages[abs] = nil
	text, err := l.read(abs)
	if err != nil {
		return nil, err
	}
	module, err := findModule(abs)
	if err != nil {
		return nil, err
	}
	p := &pkg{
		module: module, names: map[string]token.Pos{}, types: map[string]*typeDecl{},
		methods: map[string]token.Pos{}, constants: map[string]*constantDecl{}, enums: map[string][]*constantDecl{},
	}
	if p.path, err = p.module.importPath(abs); err != nil {
		return nil, err
	}
	whole := true
	for _, name := range text.names {
		f, ok := l.parse(abs, name, text.text[name])
		if !ok {
			whole = false
		} else if f != nil && !l.join(p, f) {
			whole = false
		}
	}
	if !whole {
		return nil, nil
	}
	p.index()
	l.packages[abs] = p
	return p, nil
}

// join adds a file to its package, which all files have to agree on.
func (l *loader) join(p *pkg, f *sourceFile) bool {
	if name := f.syntax.Name.Name; p.name == "" {
		p.name = name
	} else if p.name != name {
		l.reportAt(f.syntax.Name.Pos(), fmt.Sprintf("package %s in a folder of package %s", name, p.name), "keep one package a folder")
		return false
	}
	p.files = append(p.files, f)
	return true
}

// parse gives the syntax of one file, or nil for a file that is never part of the package.
func (l *loader) parse(dir, name string, text []byte) (file *sourceFile, ok bool) {
	syntax, err := parser.ParseFile(l.fset, l.display(filepath.Join(dir, name)), text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if !errors.As(err, &list) {
			l.report(position(l.display(filepath.Join(dir, name)), 1, 1), err.Error(), "")
		}
		for _, e := range list {
			l.report(e.Pos, e.Msg, "")
		}
		return nil, false
	}
	constrained, ignored := buildConstraints(syntax)
	if ignored {
		return nil, true
	}
	return &sourceFile{syntax: syntax, constrained: constrained || namedForSystem(name)}, true
}

// buildConstraints says whether a file is built on some systems only, and whether it is marked
// `ignore`, as programs run by `go run` inside another package's folder are.
func buildConstraints(file *ast.File) (constrained, ignored bool) {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				continue // the compiler reports it
			}
			constrained = true
			ignored = ignored || requiresIgnore(expr)
		}
	}
	return constrained, ignored
}

func requiresIgnore(expr constraint.Expr) bool {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		return e.Tag == "ignore"
	case *constraint.AndExpr:
		return requiresIgnore(e.X) || requiresIgnore(e.Y)
	case *constraint.OrExpr:
		return requiresIgnore(e.X) && requiresIgnore(e.Y)
	}
	return false
}

// namedForSystem says whether a file's name ties it to a system, like store_windows.go. The go/build
// package knows the systems: a file with neither name nor line tied to one matches an unknown system too.
func namedForSystem(name string) bool {
	nowhere := build.Context{
		GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil },
	}
	matches, err := nowhere.MatchFile(".", name)
	return err == nil && !matches
}
