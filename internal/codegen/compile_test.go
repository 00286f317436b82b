package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// stubs are as much of the imported packages as the archives use.
var stubs = map[string]string{
	"context":               "package context\ntype Context interface{ Done() <-chan struct{} }",
	"database/sql":          "package sql\ntype DB struct{}",
	"math":                  "package math\nconst MaxInt8 = 127",
	"math/rand/v2":          "package rand\ntype PCG struct{}",
	"github.com/else/where": "package yaml\ntype Node struct{}",
	"gopkg.in/toml.v3":      "package toml\ntype Table struct{}",
	"time": `package time
type Time struct{}
type Duration int64
const (
	Nanosecond Duration = 1
	Millisecond = 1000 * 1000 * Nanosecond
	Second = 1000 * Millisecond
	Minute = 60 * Second
)`,
	elyraPath: `package elyra
import (
	"context"
	"time"
)
type Command struct{}
type None struct{}
type Page[T any] struct{ Items []T }
type TypeDocs map[string]TypeDoc
type TypeDoc struct {
	Doc string
	Fields map[string]string
	Enum []any
}
type CommandOptions struct {
	Can, Doc, Title string
	Live, Additive, ReadOnly, Idempotent, OpenWorld bool
	Timeout time.Duration
	Types TypeDocs
}
func NewCommand[In, Out any](name string, fn func(context.Context, In) (Out, error), o CommandOptions) Command {
	return Command{}
}`,
}

// compiler type-checks the packages of a module on disk, for a system with 32-bit integers, which is
// the strictest.
type compiler struct {
	dir  string
	fset *token.FileSet
	done map[string]*types.Package
}

// compile reports what the Go compiler would say about the packages of generated files.
func compile(t *testing.T, dir string, files []File) {
	t.Helper()
	c := &compiler{dir: dir, fset: token.NewFileSet(), done: map[string]*types.Package{}}
	for _, f := range files {
		if _, err := c.Import("example.com/crm/" + strings.Trim(strings.TrimSuffix(f.Display, FileName), "/")); err != nil {
			t.Errorf("%s does not compile: %v", f.Display, err)
		}
	}
}

// Import implements types.Importer.
func (c *compiler) Import(path string) (*types.Package, error) {
	path = strings.TrimSuffix(path, "/")
	if p := c.done[path]; p != nil {
		return p, nil
	}
	files, err := c.parse(path)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: c, Sizes: types.SizesFor("gc", "386"), GoVersion: "go1.26"}
	p, err := config.Check(path, c.fset, files, nil)
	c.done[path] = p
	return p, err
}

func (c *compiler) parse(path string) ([]*ast.File, error) {
	if text, ok := stubs[path]; ok {
		f, err := parser.ParseFile(c.fset, path, text, 0)
		return []*ast.File{f}, err
	}
	rel, inside := strings.CutPrefix(path, "example.com/crm")
	if !inside {
		return nil, fmt.Errorf("no stub for package %s", path)
	}
	names, err := filepath.Glob(filepath.Join(c.dir, filepath.FromSlash(rel), "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(c.fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if _, ignored := buildConstraints(f); !ignored {
			files = append(files, f)
		}
	}
	return files, nil
}
