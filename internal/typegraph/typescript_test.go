package typegraph

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// functionsOf makes each shape a command: it takes the shape if that is a struct, and returns it.
func functionsOf(t *testing.T) []Function {
	t.Helper()
	g := New()
	if err := g.AddDocs(docs()); err != nil {
		t.Fatal(err)
	}
	add := func(typ reflect.Type) *Type {
		node, err := g.Add(typ)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	var functions []Function
	for name, typ := range shapes() {
		in := typ
		if in.Kind() != reflect.Struct {
			in = reflect.TypeFor[struct{}]()
		}
		functions = append(functions, Function{
			Name: "shape_" + name, Doc: "Returns what it takes: " + name + ".", Arguments: add(in), Result: add(typ),
		})
	}
	type line struct{ Other bool } // of the same name as another one
	type Record struct{ Line line }
	type named *[]named
	return append(functions,
		Function{Name: "orders_watch", Doc: "Watches an order.\n\nIt ends a comment */ and goes on.\n\n\tas code", Live: true, Arguments: add(reflect.TypeFor[struct {
			ID int64 `json:"id"`
		}]()), Result: add(reflect.TypeFor[*order]())},
		Function{Name: "orders_reset", Arguments: add(reflect.TypeFor[struct{}]()), Result: add(reflect.TypeFor[struct{}]())},
		Function{Name: "a_1", Arguments: add(reflect.TypeFor[struct{}]()), Result: add(reflect.TypeFor[line]())},
		Function{Name: "a1", Arguments: add(reflect.TypeFor[struct{}]()), Result: add(reflect.TypeFor[map[string]pageOf[[]*Record]]())},
		Function{Name: "delete", Arguments: add(reflect.TypeFor[struct{}]()), Result: add(reflect.TypeFor[named]())},
	)
}

func TestTypeScriptGolden(t *testing.T) {
	t.Parallel()
	functions := functionsOf(t)
	for name, list := range map[string][]Function{
		"shapes":  functions,
		"unlived": slices.DeleteFunc(slices.Clone(functions), func(f Function) bool { return !strings.HasPrefix(f.Name, "a") }),
		"none":    nil,
	} {
		got := TypeScript(list)
		slices.Reverse(list)
		if again := TypeScript(list); again != got {
			t.Errorf("%s: the order of the functions changes the module", name)
		}
		golden := filepath.Join("testdata", "typescript", name+".ts")
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("differs from %s (run with -update to accept):\n%s", golden, got)
		}
	}
}

func TestTSName(t *testing.T) {
	t.Parallel()
	for goName, want := range map[string]string{
		"Customer":                      "Customer",
		"order":                         "Order",
		"Page[example.org/crm.Item]":    "ItemPage",
		"Page[*example.org/a-b.c.Item]": "ItemPage",
		"Page[[]int]":                   "IntListPage",
		"Pair[string,example.org/x.Page[example.org/x.Item]]": "StringItemPagePair",
		"Page[map[string]example.org/x.Item]":                 "MapStringExampleOrgXItemPage",
		"Page[example.org/x.item·1]":                          "Item1Page",
		"Клиент":                                              "Клиент",
		"snake_case":                                          "Snake_case",
	} {
		if got := tsName(goName); got != want {
			t.Errorf("tsName(%q) = %q, want %q", goName, got, want)
		}
	}
}

func TestTSSchema(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`true`:                        "unknown",
		`{}`:                          "unknown",
		`{"type":"string"}`:           "string",
		`{"type":["integer","null"]}`: "number | null",
		`{"enum":["a",1,null]}`:       `"a" | 1 | null`,
		`{"enum":[{"a":1}]}`:          "unknown",
		`{"const":"x"}`:               `"x"`,
		`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"number"}]}`:                                                            "string | number",
		`{"type":"array","items":{"type":["string","null"]}}`:                                                                           "(string | null)[]",
		`{"type":"object","properties":{"a":{"type":"string"},"b c":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`: `{ a: string; "b c"?: boolean }`,
		`{"type":"object","additionalProperties":{"type":"number"}}`:                                                                    "{ [name: string]: number }",
		`{"type":"object","additionalProperties":false}`:                                                                                "Record<string, never>",
	} {
		if got := tsSchema(jsontext.Value(schema)); got != want {
			t.Errorf("tsSchema(%s) = %s, want %s", schema, got, want)
		}
	}
}
