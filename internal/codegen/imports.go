package codegen

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// versionElement is the last part of an import path that is no package name, like v2 in math/rand/v2.
var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// importOf gives the import path that a package name stands for in a file, "" when it stands for none.
// The name of an unnamed import is read from its package clause when it is in the same module, and
// else follows from the path by the conventions of Go: nothing outside the module is read.
func (l *loader) importOf(p *pkg, f *sourceFile, name string) string {
	var unnamed []string
	for _, spec := range f.syntax.Imports {
		importPath := specPath(spec)
		if spec.Name == nil {
			unnamed = append(unnamed, importPath)
		} else if spec.Name.Name == name {
			return importPath
		}
	}
	for _, importPath := range unnamed {
		if dir, ok := p.module.folder(importPath); ok {
			if other, err := l.load(dir); err == nil && other != nil && other.name == name {
				return importPath
			}
		}
	}
	for _, importPath := range unnamed {
		if baseName(importPath) == name {
			return importPath
		}
	}
	for _, importPath := range unnamed {
		if conventionalName(importPath) == name {
			return importPath
		}
	}
	return ""
}

func specPath(spec *ast.ImportSpec) string {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return importPath
}

// baseName is the last part of an import path that is no version.
func baseName(importPath string) string {
	base := path.Base(importPath)
	if versionElement.MatchString(base) && base != importPath {
		base = path.Base(path.Dir(importPath))
	}
	return base
}

// conventionalName is the package name in paths like gopkg.in/yaml.v3, go-yaml, or yaml-go.
func conventionalName(importPath string) string {
	name := baseName(importPath)
	if base, version, ok := strings.Cut(name, ".v"); ok && versionElement.MatchString("v"+version) {
		name = base
	}
	for _, prefix := range []string{"go-", "go."} {
		name = strings.TrimPrefix(name, prefix)
	}
	for _, suffix := range []string{"-go", ".go"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// dotImports are the import paths whose names a file uses without qualifying them.
func dotImports(f *sourceFile) []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			paths = append(paths, specPath(spec))
		}
	}
	return paths
}

// importSet is the import block of the generated file.
type importSet struct {
	taken map[string]bool   // names in use in the file: imports, and everything the package declares
	names map[string]string // import path → its name in the file
}

func newImportSet(p *pkg) *importSet {
	s := &importSet{taken: map[string]bool{}, names: map[string]string{}}
	for name := range p.names {
		s.taken[name] = true
	}
	return s
}

// free gives wanted, or wanted with a number when that is taken, and takes it.
func (s *importSet) free(wanted string) string {
	name := wanted
	for n := 2; s.taken[name] || token.IsKeyword(name); n++ {
		name = wanted + strconv.Itoa(n)
	}
	s.taken[name] = true
	return name
}

// name gives the name of a package in the file and imports it, under the wanted name if that is free.
func (s *importSet) name(importPath, wanted string) string {
	if name, ok := s.names[importPath]; ok {
		return name
	}
	name := s.free(wanted)
	s.names[importPath] = name
	return name
}

// block is the text between the parentheses of the import declaration: the standard library first.
func (s *importSet) block() string {
	var standard, others []string
	for importPath, name := range s.names {
		line := strconv.Quote(importPath)
		if name != path.Base(importPath) {
			line = name + " " + line
		}
		if first, _, _ := strings.Cut(importPath, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			standard = append(standard, line)
		}
	}
	byPath := func(a, b string) int {
		return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(standard, byPath)
	slices.SortFunc(others, byPath)
	return strings.TrimSpace(strings.Join(standard, "\n") + "\n\n" + strings.Join(others, "\n"))
}
