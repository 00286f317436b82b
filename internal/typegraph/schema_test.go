package typegraph

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compile returns a validator of a schema that also checks formats and base64.
func compile(t testing.TB, schema jsontext.Value) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatalf("schema is not JSON: %v\n%s", err, schema)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatalf("schema does not compile: %v\n%s", err, schema)
	}
	return compiled
}

// fits reports what the schema says about a JSON text.
func fits(t testing.TB, schema *jsonschema.Schema, raw []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, raw)
	}
	return schema.Validate(value)
}

func TestSchemaGolden(t *testing.T) {
	t.Parallel()
	for name, node := range addAll(t) {
		for suffix, o := range map[string]SchemaOptions{"in": {}, "out": {Output: true}} {
			t.Run(name+"/"+suffix, func(t *testing.T) {
				t.Parallel()
				got := node.Schema(o)
				compile(t, got)
				if again := node.Schema(o); !bytes.Equal(got, again) {
					t.Errorf("the schema changed from one call to the next:\n%s\n%s", got, again)
				}
				if err := got.Indent(jsontext.WithIndent("  ")); err != nil {
					t.Fatal(err)
				}
				got = append(got, '\n')
				golden := filepath.Join("testdata", "schemas", name+"."+suffix+".json")
				if *update {
					if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("schema differs from %s (run with -update to accept):\n%s", golden, got)
				}
			})
		}
	}
}
