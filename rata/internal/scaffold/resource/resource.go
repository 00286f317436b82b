// Package resource owns the Go side of a resource: what rata make:resource writes, and how it is called.
//
// It promises that what [Parse] accepts gives Go that compiles and SQL that runs on SQLite and PostgreSQL;
// that all that it plans goes through a change set; and that it grants no agent anything. A resource is a
// package resources/<plural> with the commands index, show, store, update and destroy, their tests, a
// migration for each dialect, the declaration of its list and form for the window's page, and its line in
// the two generated lists of resources. It must not import package elyra, run programs or print.
package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/rata/internal/change"
)

// Spec is a resource that can be written.
type Spec struct {
	Name   Name
	Fields []Field
	// Notes say what was understood in a way that the user may not have meant.
	Notes []string
}

// maxFields keeps the statements below the parameters that databases take, and the schemas readable.
const maxFields = 60

// Parse reads the arguments of make:resource: a name, such as product or order-line, and fields such as
// price:decimal. A plural that is not "" is used in place of the one that rules of English give. The error
// names everything that is wrong.
func Parse(name, plural string, fields []string) (Spec, error) {
	var problems problems
	spec := Spec{}
	var err error
	if spec.Name, spec.Notes, err = parseName(name, plural); err != nil {
		problems.add(err)
	}
	if len(fields) == 0 {
		problems.addf("%s has no fields: name some behind it, such as name:string price:decimal", name)
	}
	if len(fields) > maxFields {
		problems.addf("%d fields are more than %d", len(fields), maxFields)
		fields = nil
	}
	taken := map[string]string{}
	for _, text := range fields {
		f, err := parseField(text)
		if err != nil {
			problems.add(err)
			continue
		}
		key := strings.ReplaceAll(f.Column, "_", "")
		if other, ok := taken[key]; ok {
			problems.addf("field %s: there is a field %s already", f.Column, other)
			continue
		}
		taken[key] = f.Column
		spec.Fields = append(spec.Fields, f)
	}
	if len(problems) > 0 {
		return Spec{}, problems
	}
	if err := spec.nameEnums(); err != nil {
		return Spec{}, err
	}
	return spec, nil
}

// nameEnums chooses the Go names of the types and values of enums, which share the package with others.
func (s *Spec) nameEnums() error {
	taken := map[string]bool{}
	for _, name := range []string{s.Name.Type, s.Name.Input(), s.Name.Change(), s.Name.Query(), s.Name.Service()} {
		taken[name] = true
	}
	free := func(name string) string {
		for taken[name] {
			name += "Value"
		}
		taken[name] = true
		return name
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Kind.Name != "enum" {
			continue
		}
		f.EnumType = free(s.Name.Type + f.Go)
		for j, value := range f.Values {
			f.Values[j].Go = free(f.EnumType + value.Go)
		}
	}
	return nil
}

// Grants are the lines that would let agents use the resource, each a call on the app's MCP options.
func (s Spec) Grants() []string {
	p := s.Name.Plural
	return []string{
		fmt.Sprintf(`AllowAbilities("%s.view", "%s.create", "%s.update")`, p, p, p),
		fmt.Sprintf(`AllowAbility("%s.delete").Confirm("%s.delete")`, p, p),
	}
}

// Declaration is the file that tells the window's page what to show of the resource. An app whose pages rata has not
// made gets none.
func (s Spec) Declaration() string { return "ui/dist/resources/" + s.Name.Plural + ".js" }

// Add plans the files of a resource. The app then knows it, so that the next one can be added to the same set.
func (a *App) Add(set *change.Set, s Spec) error {
	if err := a.checkFree(s); err != nil {
		return err
	}
	number, err := a.numbers.Next()
	if err != nil {
		return err
	}
	a.entries = append(a.entries, entry{s.Name.Plural, s.Name.Service()})
	slices.SortFunc(a.entries, func(x, y entry) int { return strings.Compare(x.prefix, y.prefix) })
	data := view{Spec: s, Module: a.Module, Migrations: a.migrations}
	for _, dialect := range a.dialects {
		data.Dialect = dialect
		file := fmt.Sprintf("%s/%s/%s_create_%s.sql", a.migrations, dialect, number, s.Name.Plural)
		if err := data.create(set, file, "migration.sql.tmpl"); err != nil {
			return err
		}
	}
	if err := a.shared(set, data); err != nil {
		return err
	}
	folder := "resources/" + s.Name.Package
	for _, file := range []struct{ name, template string }{
		{s.Name.Package + ".go", "types.go.tmpl"}, {"service.go", "service.go.tmpl"}, {s.Name.Package + "_test.go", "test.go.tmpl"},
	} {
		if err := data.create(set, folder+"/"+file.name, file.template); err != nil {
			return err
		}
	}
	if err := a.generateCommands(set, folder); err != nil {
		return err
	}
	return a.lists(set, data)
}

// problems are all that is wrong with the arguments.
type problems []error

func (p *problems) add(err error)                   { *p = append(*p, err) }
func (p *problems) addf(format string, args ...any) { p.add(fmt.Errorf(format, args...)) }

func (p problems) Error() string {
	lines := make([]string, len(p))
	for i, err := range p {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}
