package resource

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// view is what the templates see.
type view struct {
	Spec
	Module     string
	Migrations string // the folder of the migrations' package
	Dialect    string
	Postgres   bool
	Entries    []entry
}

// Has reports whether a field is of a type.
func (v view) Has(kind string) bool {
	return slices.ContainsFunc(v.Fields, func(f Field) bool { return f.Kind.Name == kind })
}

func (v view) fields(which func(Field) bool) []Field {
	var found []Field
	for _, f := range v.Fields {
		if which(f) {
			found = append(found, f)
		}
	}
	return found
}

// OptionalFields, SearchFields and SortFields are those that can be left out, searched and sorted by.
func (v view) OptionalFields() []Field { return v.fields(func(f Field) bool { return f.Optional }) }

func (v view) SearchFields() []Field { return v.fields(func(f Field) bool { return f.Kind.Search }) }

func (v view) SortFields() []Field { return v.fields(func(f Field) bool { return f.Kind.Sort }) }

// UniqueFields are those with another value in each row. The longest name is first: the error of a database is
// searched for names, and one may begin like another.
func (v view) UniqueFields() []Field {
	found := v.fields(func(f Field) bool { return f.Unique })
	slices.SortStableFunc(found, func(a, b Field) int { return cmp.Compare(len(b.Column), len(a.Column)) })
	return found
}

// maxIdentifier is the longest name in PostgreSQL, in bytes.
const maxIdentifier = 63

// Index is the name of the index that keeps a field unique.
func (v view) Index(f Field) string {
	end := "_" + f.Column + "_unique"
	return v.Name.Plural[:min(len(v.Name.Plural), maxIdentifier-len(end))] + end
}

// Changed is what an update sets the field with an index to. $1 is the id, behind the fields' values are those
// that say which to empty.
func (v view) Changed(i int) string {
	f := v.Fields[i]
	kept := f.SQL()
	if f.Optional {
		clear := len(v.Fields) + 2
		for _, before := range v.Fields[:i] {
			if before.Optional {
				clear++
			}
		}
		empty := "NULL"
		if !f.Nullable() {
			empty = "''"
		}
		kept = fmt.Sprintf("CASE WHEN $%d THEN %s ELSE %s END", clear, empty, kept)
	}
	return fmt.Sprintf("coalesce(%s, %s)", f.given(i+2), kept)
}

// NameWord is what a directive says about a command's name, when the package's is not that of the commands.
func (v view) NameWord(command string) string {
	if v.Name.Package == v.Name.Plural {
		return ""
	}
	return " name=" + v.Name.Plural + "_" + command
}

// About is the comment of a field, which reaches the model.
func (v view) About(f Field) string {
	about := f.Label + " of the " + v.Name.One() + f.Kind.About
	if f.Kind.Name == "decimal" {
		about += fmt.Sprintf(`: a number in a string such as "%s", with at most %d decimal places`, f.number("12.5"), f.Places)
	}
	about += "."
	if f.Unique {
		about += " No two " + v.Name.Many() + " have the same."
	}
	return about
}

// Heading is the field that names a row for people, "" when none does.
func (v view) Heading() string {
	for _, kind := range []string{"string", "email"} {
		for _, f := range v.Fields {
			if f.Kind.Name == kind {
				return f.JSON
			}
		}
	}
	return ""
}

// maxColumns are as many as a window of ordinary width has room for.
const maxColumns = 5

// Columns are the fields in the list: the one that names a row is first.
func (v view) Columns() []string {
	var columns []string
	if heading := v.Heading(); heading != "" {
		columns = append(columns, heading)
	}
	for _, f := range v.Fields {
		if f.Kind.Name != "text" && f.Kind.Name != "uuid" && !slices.Contains(columns, f.JSON) && len(columns) < maxColumns {
			columns = append(columns, f.JSON)
		}
	}
	return columns
}

// inWords joins names of fields for people: "name, SKU or email".
func inWords(fields []Field, last string) string {
	var names []string
	for _, f := range fields {
		name := f.Label
		if len(name) > 1 && name[1] >= 'a' {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		names = append(names, name)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}
