package repotest

import (
	"bytes"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// docs/reference/api.md has a line for whatever other modules can use, made of the doc comments. `go test
// ./internal/repotest -run API -update` writes it again.

// apiPage is the page for the packages in these folders, as they are on Linux.
func apiPage(t *testing.T, folders []string) []byte {
	t.Helper()
	page := bytes.NewBufferString("# Packages\n\nWhat an app can use, in one line each; `go doc NAME` has the rest. " +
		"This page is made of the doc comments.\n")
	for _, folder := range folders {
		p := documented(t, folder)
		fmt.Fprintf(page, "\n## %s\n\n`import %q`\n\n%s\n\n| | |\n|---|---|\n", p.Name, p.ImportPath, p.Synopsis(p.Doc))
		row := func(what, text string) {
			fmt.Fprintf(page, "| `%s` | %s |\n", strings.ReplaceAll(what, "|", `\|`), strings.ReplaceAll(p.Synopsis(text), "|", `\|`))
		}
		values := func(all []*doc.Value) {
			for _, v := range all {
				row(v.Decl.Tok.String()+" "+strings.Join(v.Names, ", "), v.Doc)
			}
		}
		functions := func(all []*doc.Func) {
			for _, f := range all {
				if f.Doc != "" { // Error needs none
					row(signature(t, f.Decl), f.Doc)
				}
			}
		}
		values(p.Consts)
		values(p.Vars)
		functions(p.Funcs)
		for _, named := range p.Types {
			row("type "+named.Name, named.Doc)
			values(named.Consts)
			values(named.Vars)
			functions(named.Funcs)
			functions(named.Methods)
		}
	}
	return page.Bytes()
}

// documented is the package in a folder with what it exports.
func documented(t *testing.T, folder string) *doc.Package {
	t.Helper()
	linux := gobuild.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", false
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if ok, err := linux.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !ok || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(fset, files, path.Join(module, folder))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// signature is a function's first line.
func signature(t *testing.T, f *ast.FuncDecl) string {
	t.Helper()
	head := *f
	head.Doc, head.Body = nil, nil
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), &head); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

func TestAPIReference(t *testing.T) {
	t.Parallel()
	var folders []string
	for _, s := range sources(t) {
		if s.public() && !slices.Contains(folders, s.folder()) {
			folders = append(folders, s.folder())
		}
	}
	slices.Sort(folders)
	name := filepath.Join(root, "docs/reference/api.md")
	want := apiPage(t, folders)
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/reference/api.md is not what the doc comments say (%v): go test ./internal/repotest -run API -update", err)
	}
}
