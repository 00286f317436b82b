package resource

import "strings"

// width is how long a line of generated code gets before a list goes on in the next one.
const width = 110

// fold joins the parts of a list, of which the first line begins after used characters. Further lines are
// indented by two tabs.
func fold(used int, parts []string) string {
	var b strings.Builder
	column := used
	for i, part := range parts {
		if i > 0 {
			b.WriteString(",")
			if column+len(part)+3 > width {
				b.WriteString("\n\t\t")
				column = 8
			} else {
				b.WriteString(" ")
				column += 2
			}
		}
		b.WriteString(part)
		column += len(part)
	}
	return b.String()
}

// each gives what a function says of each field.
func (v view) each(of func(i int, f Field) string) []string {
	parts := make([]string, len(v.Fields))
	for i, f := range v.Fields {
		parts[i] = of(i, f)
	}
	return parts
}

// SelectedColumns are those of a query, as scan reads them.
func (v view) SelectedColumns() string {
	columns := append([]string{"id"}, v.each(func(_ int, f Field) string { return f.SQL() })...)
	return fold(len("const columns = `"), append(columns, "created_at", "updated_at"))
}

// ScanTargets are where scan puts them.
func (v view) ScanTargets() string {
	targets := append([]string{"&item.ID"}, v.each(func(_ int, f Field) string { return "&item." + f.Go })...)
	return fold(len("    if err := row.Scan("), append(targets, "&item.CreatedAt", "&item.UpdatedAt"))
}

// StoredColumns and StoredValues are those of a new row, InputArguments the parameters.
func (v view) StoredColumns() string {
	return fold(60+len(v.Name.Plural), v.each(func(_ int, f Field) string { return f.SQL() }))
}

func (v view) StoredValues() string {
	return fold(len("        VALUES ("), v.each(func(i int, f Field) string { return f.Stored(i + 1) }))
}

func (v view) InputArguments() string {
	return fold(8, v.each(func(_ int, f Field) string { return f.InputArgument() }))
}

// ChangeArguments are the parameters of an update.
func (v view) ChangeArguments() string {
	arguments := append([]string{"id"}, v.each(func(_ int, f Field) string { return f.ChangeArgument() })...)
	for _, f := range v.OptionalFields() {
		arguments = append(arguments, `slices.Contains(input.Clear, "`+f.JSON+`")`)
	}
	return fold(8, arguments)
}

// Matching is the condition of a search.
func (v view) Matching() string {
	condition := "($1 = ''"
	for _, f := range v.SearchFields() {
		condition += "\n\tOR lower(" + f.SQL() + `) LIKE lower($1) ESCAPE '\'`
	}
	return condition + ")"
}
