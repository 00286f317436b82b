package resource

import (
	"fmt"
	"strings"
)

// SQL is the column's name in a statement.
func (f Field) SQL() string { return quoted(f.Column) }

// Nullable reports whether a row without a value has null. Texts have the empty text instead.
func (f Field) Nullable() bool { return f.Optional && !f.Kind.Empty }

// ColumnType is the column's type in a dialect, with what it may hold.
func (f Field) ColumnType(dialect string) string {
	t := f.Kind.SQLite
	if dialect == "postgres" {
		t = f.Kind.Postgres
	}
	switch {
	case f.Nullable():
		return t
	case f.Optional:
		return t + " NOT NULL DEFAULT ''"
	}
	return t + " NOT NULL"
}

// IndexOf is what the index of a unique field is of. Email addresses are the same in capitals.
func (f Field) IndexOf(dialect string) string {
	switch {
	case f.Kind.Name != "email":
		return f.SQL()
	case dialect == "postgres":
		return "lower(" + f.SQL() + ")"
	}
	return f.SQL() + " COLLATE NOCASE"
}

// IndexWhere leaves rows without a text out of the index.
func (f Field) IndexWhere() string {
	if f.Optional && f.Kind.Empty {
		return f.SQL() + " <> ''"
	}
	return ""
}

// SortBy is what a list that is sorted by the field is sorted by.
func (f Field) SortBy() string {
	if f.Kind.Search {
		return "lower(" + f.SQL() + ")"
	}
	return f.SQL()
}

// given is the value of a parameter as it is stored, null when it was left out.
func (f Field) given(parameter int) string {
	if f.Kind.Name == "uuid" {
		return fmt.Sprintf("lower($%d)", parameter)
	}
	return fmt.Sprintf("$%d", parameter)
}

// Stored is the value of a parameter in a new row.
func (f Field) Stored(parameter int) string {
	if f.Optional && f.Kind.Empty {
		return fmt.Sprintf("coalesce(%s, '')", f.given(parameter))
	}
	return f.given(parameter)
}

// InputArgument and ChangeArgument are the parameters' values in Go.
func (f Field) InputArgument() string {
	switch {
	case f.Kind.Name == "datetime" && !f.Optional:
		return "moment(&input." + f.Go + ")"
	default:
		return f.ChangeArgument()
	}
}

func (f Field) ChangeArgument() string {
	if f.Kind.Name == "datetime" {
		return "moment(input." + f.Go + ")"
	}
	return "input." + f.Go
}

// GoType is the type of the field's values.
func (f Field) GoType() string {
	switch f.Kind.Name {
	case "decimal":
		return "decimal." + [...]string{"One", "Two", "Three", "Four", "Five", "Six"}[f.Places-1]
	case "enum":
		return f.EnumType
	}
	return f.Kind.Go
}

// OutType and InType are the types in what is shown and in what is given.
func (f Field) OutType() string {
	if f.Nullable() {
		return "*" + f.GoType()
	}
	return f.GoType()
}

func (f Field) InType() string {
	if f.Optional {
		return "*" + f.GoType()
	}
	return f.GoType()
}

// InTag and ChangeTag are the tags in what is given to add and to change.
func (f Field) InTag() string {
	if f.Optional {
		return f.ChangeTag()
	}
	var rules []string
	if f.Kind.Go == "string" {
		rules = append(rules, "required")
	}
	return f.tag(f.JSON, append(rules, f.rules()...))
}

func (f Field) ChangeTag() string {
	var rules []string
	if f.Kind.Empty && !f.Optional {
		rules = append(rules, "min=1")
	}
	return f.tag(f.JSON+",omitempty", append(rules, f.rules()...))
}

func (f Field) tag(json string, rules []string) string {
	if len(rules) == 0 {
		return fmt.Sprintf(`json:"%s"`, json)
	}
	return fmt.Sprintf(`json:"%s" validate:"%s"`, json, strings.Join(rules, ","))
}

// rules are the validator's, but for those about presence.
func (f Field) rules() []string {
	var rules []string
	if f.Kind.Rules != "" {
		rules = append(rules, f.Kind.Rules)
	}
	if f.Max > 0 {
		rules = append(rules, fmt.Sprintf("max=%d", f.Max))
	}
	low, high := f.Low, f.High
	if f.Kind.Name == "int" {
		// What JavaScript could not hold exactly would keep a window from showing the list.
		if low == "" {
			low = fmt.Sprint(-maxWhole)
		}
		if high == "" {
			high = fmt.Sprint(maxWhole)
		}
	}
	if low != "" {
		rules = append(rules, "min="+low)
	}
	if high != "" {
		rules = append(rules, "max="+high)
	}
	return rules
}
