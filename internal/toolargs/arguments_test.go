package toolargs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestListReadsASchema(t *testing.T) {
	t.Parallel()
	schema := `{"type":"object","required":["input","ids"],"properties":{
		"input":{"type":"object","description":"what to store","required":["name"],"properties":{
			"name":{"type":"string"},"born":{"type":"string","format":"date-time"},"kind":{"enum":["a",null]}}},
		"ids":{"type":"array","items":{"type":"integer"}},
		"tree":{"$ref":"#/$defs/Node"},
		"extra":true,
		"maybe":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/Leaf"}]},
		"table":{"type":"object","additionalProperties":{"type":["number","null"]}},
		"one":{"const":1}
	},"$defs":{"Leaf":{"type":"boolean"},"Node":{"type":"object","description":"a node","properties":{
		"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}`
	var got []string
	for _, a := range List(jsontext.Value(schema)) {
		got = append(got, fmt.Sprintf("%d %s: %s %v %s", a.Depth, a.Name, a.Type, a.Required, a.Doc))
	}
	want := []string{
		"0 input: object true what to store",
		"1 name: string true ",
		"1 born: string (date-time) false ",
		`1 kind: "a" | null false `,
		"0 ids: list of integer true ",
		"0 tree: object false a node",
		"1 children: list of object false ",
		"2 children: list of object false ",
		"3 children: list of object false ",
		"0 extra: anything false ",
		"0 maybe: null | boolean false ",
		"0 table: map of number | null false ",
		"0 one: 1 false ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A schema comes from an app that may be anybody's: reading it must end, whatever it is.
func FuzzList(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`)
	f.Add(`{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"}]}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"}]}}}`)
	f.Add(`{"properties":[],"type":7}`)
	f.Add(``)
	f.Fuzz(func(t *testing.T, text string) {
		for _, a := range List(jsontext.Value(text)) {
			if a.Depth < 0 || a.Depth >= maxSchemaDepth || len(a.Type) > maxTypeText {
				t.Fatalf("argument %+v of %q", a, text)
			}
		}
	})
}

func TestTable(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	Table(&b, "  ", List(jsontext.Value(`{"required":["a"],"properties":{"a":{"type":"object","description":"first\nsecond","properties":{"b\n":{"type":"integer"}}}}}`)))
	want := "  a    object   required  first\n    b  integer  optional\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
