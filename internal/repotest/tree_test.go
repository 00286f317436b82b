package repotest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the repository, seen from this package's folder, where `go test` runs it.
const root = "../.."

// module is the import path of the root module.
const module = "github.com/elyra-go/elyra"

// A source is one Go file of the repository.
type source struct {
	path  string // relative to the repository, with slashes
	lines int
	fset  *token.FileSet
	ast   *ast.File
}

// parse reads one file's text; build constraints play no part, so files of all systems are judged.
func parse(name string, text []byte) (source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return source{path: name, lines: bytes.Count(text, []byte("\n")), fset: fset, ast: file}, err
}

// mustParse is parse for the small programs that stand in tables.
func mustParse(t *testing.T, name, text string) source {
	t.Helper()
	s, err := parse(name, []byte(text))
	if err != nil {
		t.Fatalf("the table's program: %v", err)
	}
	return s
}

func (s source) folder() string  { return path.Dir(s.path) }
func (s source) isTest() bool    { return strings.HasSuffix(s.path, "_test.go") }
func (s source) generated() bool { return ast.IsGenerated(s.ast) }

// public reports whether other modules can import what the file declares.
func (s source) public() bool {
	module, _, _ := strings.Cut(s.path, "/")
	released := module != "examples" && module != "test" && module != "bench"
	return released && !internal(s.folder()) && s.ast.Name.Name != "main" && !s.isTest()
}

// at says where a node stands, as "folder/file.go:12".
func (s source) at(node ast.Node) string {
	return s.fset.Position(node.Pos()).String()
}

// internal reports whether a package in that folder is out of reach for other modules.
func internal(folder string) bool {
	return slices.Contains(strings.Split(folder, "/"), "internal")
}

// sources parses every Go file of every module, except testdata.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		s, err := parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	})
	if len(all) < 50 {
		t.Fatalf("found only %d Go files from %s: is the repository's folder still two levels up?", len(all), root)
	}
	return all
}

// modules lists the folders that hold a go.mod, relative to the repository.
func modules(t *testing.T) []string {
	t.Helper()
	var all []string
	walk(t, func(name string) {
		if path.Base(name) == "go.mod" {
			all = append(all, path.Dir(name))
		}
	})
	return all
}

// walk calls visit with every file that is part of the project, in the order of their names. As for
// the go command, folders whose names begin with a dot or an underscore and testdata do not count.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() && name != "." {
			if base == "node_modules" || base == "testdata" || base[0] == '.' || base[0] == '_' {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.IsDir() {
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// report fails the test with every problem, then with what to do about them.
func report(t *testing.T, problems []string, fix string) {
	t.Helper()
	for _, problem := range problems {
		t.Error(problem)
	}
	if len(problems) > 0 {
		t.Log(fix)
	}
}
