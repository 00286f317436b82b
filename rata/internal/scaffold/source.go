package scaffold

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

// source is the package that a file is to be written into.
type source struct {
	folder   string // below the app's, with forward slashes; "." is the app's own
	name     string
	path     string            // how others import it
	isNew    bool              // there is no package yet
	declared map[string]string // what it declares, methods as Type.Method → file:line
	can      []guarded         // its commands' abilities
}

// guarded is an ability that a command in a file declares.
type guarded struct{ ability, file string }

var folderForm = regexp.MustCompile(`^[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)*$`)

// readSource looks at the package in a folder of the app in dir.
func readSource(dir, folder string) (*source, error) {
	s := &source{folder: folder, name: path.Base(folder), isNew: true, declared: map[string]string{}}
	whole := filepath.Join(dir, filepath.FromSlash(folder))
	var err error
	if s.path, err = codegen.ImportPath(whole); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(whole)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look into the package: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() || path.Ext(entry.Name()) != ".go" {
			continue
		}
		if err := s.read(filepath.Join(whole, entry.Name()), path.Join(folder, entry.Name())); err != nil {
			return nil, err
		}
	}
	switch {
	case folder == "." && (s.isNew || s.name != "main"):
		return nil, fmt.Errorf("there is no main package in %s: run this in the folder of the app, or name it with --dir", dir)
	case folder != "." && s.name == "main":
		return nil, fmt.Errorf("%s is a program of its own: take a package that the app can import", folder)
	}
	return s, nil
}

// checkFolder reports why a package cannot be in a folder.
func checkFolder(folder string) error {
	if !folderForm.MatchString(folder) {
		return fmt.Errorf("the package %q cannot be used: name a folder of the app with lower-case letters and digits, such as reports", folder)
	}
	for element := range strings.SplitSeq(folder, "/") {
		if token.IsKeyword(element) || slices.Contains([]string{"main", "testdata", "vendor"}, element) || resource.IsDevice(element) {
			return fmt.Errorf("the package %q cannot be used: %s means something else: take another name", folder, element)
		}
	}
	return nil
}

var declaredAbility = regexp.MustCompile(`(?m)^//elyra:command .*\bcan=([a-z0-9_.]+)`)

// read notes what a file declares. shown is its name for people.
func (s *source) read(file, shown string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("look into the package: %w", err)
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, shown, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return fmt.Errorf("look into the package: %w", err)
	}
	if !strings.HasSuffix(file, "_test.go") {
		s.name, s.isNew = parsed.Name.Name, false
	}
	for _, found := range declaredAbility.FindAllSubmatch(text, -1) {
		s.can = append(s.can, guarded{string(found[1]), shown})
	}
	declare := func(name string, at token.Pos) {
		position := set.Position(at)
		s.declared[name] = fmt.Sprintf("%s:%d", shown, position.Line)
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declare(receiver(d)+d.Name.Name, d.Pos())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declare(spec.Name.Name, spec.Pos())
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						declare(name.Name, name.Pos())
					}
				}
			}
		}
	}
	return nil
}

// receiver is "Type." for a method, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// free reports what the package declares already of these names, in other files than those of the pair.
func (s *source) free(words []string, names ...string) error {
	files := pair(s.folder, words)
	for _, name := range names {
		at, ok := s.declared[name]
		if file, _, _ := strings.Cut(at, ":"); ok && !slices.Contains(files, file) {
			return fmt.Errorf("%s has %s already, in %s: take another name", s.name, name, at)
		}
	}
	return nil
}

// resourceFolder is the folder of one of the app's resources, which people may write in several ways.
func resourceFolder(dir, name string) (string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "resources"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("look for the resource: %w", err)
	}
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
	plural := plain
	if spec, err := resource.Parse(name, "", []string{"a:string"}); err == nil {
		plural = spec.Name.Package
	}
	var known []string
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if entry.Name() == plain || entry.Name() == plural {
			return "resources/" + entry.Name(), nil
		}
		if _, err := os.Stat(filepath.Join(dir, "resources", entry.Name(), codegen.FileName)); err == nil {
			known = append(known, entry.Name())
		}
	}
	if len(known) == 0 {
		return "", fmt.Errorf("there is no resource %q, and no other below resources: run this in the folder of the app, or name it with --dir", name)
	}
	hint := nearest.Hint(plain, known)
	if hint == "" {
		hint = "; there are " + strings.Join(known, ", ")
	}
	return "", fmt.Errorf("there is no resource %q%s", name, hint)
}
