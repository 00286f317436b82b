package resource

import (
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold/fill"
)

//go:embed templates/*.tmpl
var templates embed.FS

// decimalSource is package decimal, which an app with a decimal field gets a copy of.
//
//go:embed decimal/*.go
var decimalSource embed.FS

// fill fills a template in. Go code is formatted.
func (v view) fill(name, file string) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"sql":    quoted,
		"js":     strconv.Quote,
		"base":   path.Base,
		"list":   func(fields []Field) string { return inWords(fields, "and") },
		"listOr": func(fields []Field) string { return inWords(fields, "or") },
	}).ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, fmt.Errorf("template of %s: %w", file, err)
	}
	return fill.File(file, t, v)
}

// create plans a new file.
func (v view) create(set *change.Set, file, template string) error {
	text, err := v.fill(template, file)
	if err != nil {
		return err
	}
	set.Create(file, text)
	return nil
}

// shared plans what all resources use, unless it is there: the tests' app and, for decimals, their package.
func (a *App) shared(set *change.Set, v view) error {
	v.Postgres = a.hasDialect("postgres")
	if !a.exists("resources/testapp") {
		if err := v.create(set, "resources/testapp/testapp.go", "testapp.go.tmpl"); err != nil {
			return err
		}
	}
	if !v.Has("decimal") || a.exists("decimal/decimal.go") {
		return nil
	}
	for _, name := range []string{"decimal/decimal.go", "decimal/decimal_test.go"} {
		text, err := decimalSource.ReadFile(name)
		if err != nil {
			return err
		}
		set.Create(name, text)
	}
	return nil
}

// generateCommands plans elyra_gen.go of a package whose files are planned. The generator reads folders, so it
// gets one that is as the app's will be, as far as the package sees it.
func (a *App) generateCommands(set *change.Set, folder string) (err error) {
	dir, err := os.MkdirTemp("", "rata-")
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.RemoveAll(dir); err == nil {
			err = removed
		}
	}()
	if err := writeBelow(dir, "go.mod", []byte("module "+strconv.Quote(a.Module)+"\n")); err != nil {
		return err
	}
	if a.exists("decimal/decimal.go") {
		text, err := os.ReadFile(filepath.Join(a.dir, "decimal", "decimal.go"))
		if err == nil {
			err = writeBelow(dir, "decimal/decimal.go", text)
		}
		if err != nil {
			return err
		}
	}
	for _, file := range set.Paths() {
		if !strings.HasPrefix(file, folder+"/") && !strings.HasPrefix(file, "decimal/") || path.Ext(file) != ".go" {
			continue
		}
		text, _ := set.Content(file)
		if err := writeBelow(dir, file, text); err != nil {
			return err
		}
	}
	files, err := codegen.Generate(codegen.Options{Dir: dir, Patterns: []string{folder}})
	if err != nil {
		return err
	}
	for _, f := range files {
		set.Create(folder+"/"+codegen.FileName, f.Content)
	}
	return nil
}

// writeBelow writes a file in a folder of rata's own. The file's path has forward slashes.
func writeBelow(dir, file string, text []byte) error {
	name := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}
