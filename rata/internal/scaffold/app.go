package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold/fill"
	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

// skeleton is the app, file by file. What ends in .tmpl is filled in, everything else is as it will be.
//
//go:embed app
var skeleton embed.FS

// App is what the files of a new app are made of.
type App struct {
	// Name is that of its program and its database: see [CheckName].
	Name string
	// ID names its folders on the machines of its users: see [CheckID].
	ID string
	// Module is its module's path: see [CheckModule].
	Module string
	// Elyra is where it takes the framework from.
	Elyra Elyra
}

// Check reports what is wrong with the names.
func (a App) Check() error {
	for _, err := range []error{CheckName(a.Name), CheckID(a.ID), CheckModule(a.Module)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// Title is the name as people read it: "My shop" for my-shop.
func (a App) Title() string { return title(a.Name) }

// Initial is the letter that stands for the app.
func (a App) Initial() string { return a.Title()[:1] }

// Go is the language version of the app, which is that of Elyra.
func (a App) Go() string { return "1.26.0" }

// Add plans the app's files, those of its first resource included.
func (a App) Add(set *change.Set) error {
	if err := a.Check(); err != nil {
		return err
	}
	if err := a.addSkeleton(set); err != nil {
		return err
	}
	notes, err := resource.Parse("note", "", []string{"title:string", "body:text:optional"})
	if err != nil {
		return err
	}
	return resource.New(a.Module).Add(set, notes)
}

// addSkeleton plans what every app has.
func (a App) addSkeleton(set *change.Set) error {
	return fs.WalkDir(skeleton, "app", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := skeleton.ReadFile(name)
		if err != nil {
			return err
		}
		file := strings.TrimPrefix(name, "app/")
		if file, ok := strings.CutSuffix(file, ".tmpl"); ok {
			if text, err = fillIn(file, text, a); err != nil {
				return err
			}
			if file == "gitignore" {
				file = ".gitignore" // embedded files cannot have such a name without being asked for
			}
			set.Create(file, text)
			return nil
		}
		set.Create(file, text)
		return nil
	})
}

// fillIn fills the template of a file in.
func fillIn(file string, text []byte, data any) ([]byte, error) {
	t, err := template.New(path.Base(file)).Option("missingkey=error").Funcs(template.FuncMap{"modpath": modPath}).Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("template of %s: %w", file, err)
	}
	return fill.File(file, t, data)
}

// modPath is a folder as a go.mod names it.
func modPath(elements ...string) string {
	p := filepath.ToSlash(filepath.Join(elements...))
	if strings.ContainsFunc(p, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`"'`+"`(),[]{}", r) }) {
		return strconv.Quote(p)
	}
	return p
}
