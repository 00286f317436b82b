package resource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// samples is how many rows the generated tests add.
const samples = 3

// Sample is the JSON of a value of the field for one of the rows. Unique fields have another in each.
func (f Field) Sample(row int) string {
	switch f.Kind.Name {
	case "int", "float":
		return f.sampleNumber(row)
	case "bool":
		return strconv.FormatBool(row != 1)
	}
	return strconv.Quote(f.sampleText(row))
}

func (f Field) sampleText(row int) string {
	n := strconv.Itoa(row + 1)
	switch f.Kind.Name {
	case "decimal":
		return f.number([samples]string{"9.5", "10.5", "100.5"}[row])
	case "date":
		return [samples]string{"2026-01-09", "2026-01-10", "2026-02-01"}[row]
	case "datetime":
		return [samples]string{"2026-01-09T09:30:00Z", "2026-01-10T09:30:00Z", "2026-02-01T09:30:00Z"}[row]
	case "email":
		return "person" + n + "@example.org"
	case "url":
		return "https://example.org/" + n
	case "uuid":
		return "a0000000-0000-4000-8000-00000000000" + n
	case "enum":
		return f.Values[row%len(f.Values)].Text
	}
	if row == samples-1 {
		n += "%" // it has no meaning in a search
	}
	if text := f.Label + " " + n; len(text) <= f.Max {
		return text
	}
	return string(rune('a' + row))
}

// number writes a number with all its decimal places.
func (f Field) number(text string) string {
	whole, fraction, _ := strings.Cut(text, ".")
	return whole + "." + fraction + strings.Repeat("0", f.Places-len(fraction))
}

func (f Field) sampleNumber(row int) string {
	low, high := f.bounds()
	half := 0.0
	if f.Kind.Name == "float" {
		half = 0.5
	}
	n := [samples]float64{9, 10, 100}[row] + half
	if low > 9 || high < 101 {
		n = min(low+float64(row), high)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// ascends reports whether the samples are in the order in which a list sorts them.
func (f Field) ascends() bool {
	switch f.Kind.Name {
	case "bool", "enum", "text":
		return false
	case "int", "float":
		a, _ := strconv.ParseFloat(f.Sample(0), 64)
		b, _ := strconv.ParseFloat(f.Sample(1), 64)
		c, _ := strconv.ParseFloat(f.Sample(2), 64)
		return a < b && b < c
	}
	return true
}

// Again is the value of the first row as another row might have it too.
func (f Field) Again() string {
	if f.Kind.Name == "email" || f.Kind.Name == "uuid" {
		return strings.ToUpper(f.Sample(0))
	}
	return f.Sample(0)
}

// Samples are the inputs of the rows, as JSON.
func (v view) Samples() []string {
	rows := make([]string, samples)
	for i := range rows {
		var members []string
		for _, f := range v.Fields {
			members = append(members, fmt.Sprintf("%q:%s", f.JSON, f.Sample(i)))
		}
		rows[i] = "{" + strings.Join(members, ",") + "}"
	}
	return rows
}

// query is a query of the list and the ids of the rows that it gives.
type query struct{ Query, IDs string }

// Queries are those whose result is known.
func (v view) Queries() []query {
	var queries []query
	for _, f := range v.SortFields() {
		if f.ascends() {
			queries = append(queries,
				query{fmt.Sprintf(`{"sort":%q}`, f.JSON), "1 2 3"},
				query{fmt.Sprintf(`{"sort":%q,"descending":true}`, f.JSON), "3 2 1"})
		}
	}
	for _, f := range v.SearchFields() {
		// A short text may be in other fields as well.
		if text := f.sampleText(1); len(text) > 5 {
			queries = append(queries, query{fmt.Sprintf(`{"search":%q}`, strings.ToUpper(text)), "2"})
			break
		}
	}
	if all := v.SearchFields(); len(all) > 0 {
		ids := ""
		if slices.ContainsFunc(all, func(f Field) bool { return strings.Contains(f.sampleText(samples-1), "%") }) {
			ids = fmt.Sprint(samples)
		}
		queries = append(queries, query{`{"search":"%"}`, ids})
	}
	return queries
}

// mistake is a value that a field cannot have, as a Go expression of JSON text. An empty text leaves the field out.
type mistake struct{ Field, Value string }

// Mistakes are those that the generated tests make.
func (v view) Mistakes() []mistake {
	var all []mistake
	for _, f := range v.Fields {
		var values []string
		if !f.Optional {
			values = append(values, "``")
		}
		if f.Kind.Go == "string" && !f.Optional {
			values = append(values, "`\"\"`")
		}
		for _, value := range append(values, f.mistakes()...) {
			all = append(all, mistake{f.JSON, value})
		}
	}
	return all
}

func (f Field) mistakes() []string {
	switch f.Kind.Name {
	case "int":
		values := []string{"`1.5`", fmt.Sprintf("`%d`", maxWhole+1)}
		if f.High != "" {
			_, high := f.bounds()
			values = append(values, fmt.Sprintf("`%.0f`", high+1))
		}
		return values
	case "float":
		return []string{"`\"much\"`"}
	case "decimal":
		return []string{"`\"0." + strings.Repeat("1", f.Places+1) + "\"`", "`\"much\"`", "`5`"}
	case "bool":
		return []string{"`\"maybe\"`"}
	case "date":
		return []string{"`\"2026-02-30\"`"}
	case "datetime":
		return []string{"`\"yesterday\"`"}
	case "email":
		return []string{"`\"nobody\"`"}
	case "url":
		return []string{"`\"example\"`", "`\"javascript:alert(1)\"`"}
	case "uuid":
		return []string{"`\"1\"`"}
	case "enum":
		wrong := "none"
		for slices.ContainsFunc(f.Values, func(v Value) bool { return v.Text == wrong }) {
			wrong += "x"
		}
		return []string{"`" + strconv.Quote(wrong) + "`"}
	}
	return []string{fmt.Sprintf("`\"` + strings.Repeat(\"x\", %d) + `\"`", f.Max+1)}
}
