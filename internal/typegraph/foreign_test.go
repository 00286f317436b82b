package typegraph

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// foreignSchema checks a schema as if a type had given it to itself.
func foreignSchema(schema string) error { return new(foreign).check(jsontext.Value(schema), "") }

// refuse fails the test unless each schema is refused for the reason.
func refuse(t *testing.T, schemas map[string]string) {
	t.Helper()
	for schema, want := range schemas {
		if err := foreignSchema(schema); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s: got %v, want something with %q", schema, err, want)
		}
	}
}

func TestS35_onlyOneDialectAndOnlySchemas(t *testing.T) {
	t.Parallel()
	refuse(t, map[string]string{
		`{"$schema":"http://json-schema.org/draft-07/schema#"}`: "not supported: write in https://json-schema.org/draft/2020-12/schema",
		`{"$schema":7}`: "not supported",
		`{"properties":{"a":{"items":{"$schema":"https://json-schema.org/draft/2019-09/schema"}}}}`: "properties: a: items: the dialect",
		`{"items":[{"type":"string"}]}`:   "items: a schema must be an object or a boolean",
		`{"dependencies":{"a":["b"]}}`:    "old dialect",
		`{"type":"text"}`:                 `type: "text" is no value`,
		`{"type":[]}`:                     "type: []",
		`{"required":"a"}`:                `required: "a"`,
		`{"required":[1]}`:                "required: [1]",
		`{"enum":"a"}`:                    "enum",
		`{"minLength":-1}`:                "minLength",
		`{"minimum":"1"}`:                 "minimum",
		`{"properties":[]}`:               "want an object of schemas",
		`{"properties":null}`:             "want an object of schemas",
		`{"anyOf":[]}`:                    "want a list of schemas",
		`{"anyOf":[{"type":"string"},7]}`: "anyOf: a schema must be",
		`{"properties":{"key":{"type":"string","x-mcp-header":"Authorization"}}}`: "must not be copied into headers",
	})
	// What is let pass is a schema for somebody else too.
	for _, schema := range []string{
		`true`, `{}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":["object","null"],"properties":{"a":{"enum":[1,null]},"items":{"type":"array","prefixItems":[{"const":1}],"items":false}},"required":["a"],"additionalProperties":{"anyOf":[{"minLength":1,"pattern":"a"},{"minimum":0.5}]},"x-vendor":[{"$ref":1}]}`,
	} {
		if err := foreignSchema(schema); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
		compile(t, []byte(schema))
	}
}

func TestS36_nothingIsReferredTo(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "$defs", "definitions"} {
		for _, value := range []string{`"https://example.org/schema.json"`, `"#"`, `"file:///etc/passwd"`, `{}`} {
			for _, around := range []string{`%s`, `{"properties":{"a":%s}}`, `{"allOf":[{"not":%s}]}`} {
				schema := fmt.Sprintf(around, `{"`+word+`":`+value+`}`)
				refuse(t, map[string]string{schema: "must not contain " + word})
			}
		}
	}
	// As the name of a property or in data it is a word like any other.
	for _, schema := range []string{`{"properties":{"$ref":{"type":"string"}}}`, `{"const":{"$ref":"x"}}`, `{"enum":[{"$id":1}]}`} {
		if err := foreignSchema(schema); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

// A chain of types, each within the one before.
type (
	deep0 struct{ A deep1 }
	deep1 struct{ A [][]deep2 }
	deep2 struct{ A map[string]deep3 }
	deep3 struct{ A []deep4 }
	deep4 struct{ A [2]deep5 }
	deep5 struct{ A struct{ B struct{ C deep6 } } }
	deep6 struct {
		A struct{ B struct{ C struct{ D deep7 } } }
	}
	deep7 struct{ A []*deep8 }
	deep8 struct{ A bool }
)

func TestS37_depthIsBounded(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`{"items":`, n) + `true` + strings.Repeat(`}`, n) }
	wide := func(n int) string { return `{"anyOf":[true` + strings.Repeat(`,true`, n-1) + `]}` }
	refuse(t, map[string]string{
		nested(maxForeignDepth):      "nested deeper than 16 schemas",
		nested(10_000):               "nested deeper",
		wide(maxForeignParts):        "more than 1000 schemas",
		`{"not":` + wide(5000) + `}`: "more than 1000",
	})
	for _, schema := range []string{nested(maxForeignDepth - 1), wide(maxForeignParts - 1)} {
		if err := foreignSchema(schema); err != nil {
			t.Errorf("at the limit: %v", err)
		}
	}
	node, err := New().Add(reflect.TypeFor[deep0]())
	if err != nil {
		t.Fatalf("within the limit: %v", err)
	}
	for _, o := range []SchemaOptions{{}, {Output: true}} {
		if depth := depthOf(node.Schema(o)); depth > maxSchemaDepth+1 {
			t.Errorf("a schema of %d levels", depth)
		}
	}
	type wrapped struct{ A struct{ A struct{ A deep0 } } }
	_, err = New().Add(reflect.TypeFor[struct {
		A struct{ A struct{ A wrapped } }
	}]())
	if err == nil || !strings.Contains(err.Error(), "nested deeper than 42 levels") || !strings.Contains(err.Error(), "A.A.A.A.A.A.A.A[][].A[].A[].A[].A.B.C") {
		t.Errorf("beyond it: %v", err)
	}
}

// depthOf is how deep JSON is nested.
func depthOf(v jsontext.Value) int {
	deepest := 0
	for dec := jsontext.NewDecoder(bytes.NewReader(v)); ; {
		if _, err := dec.ReadToken(); err != nil {
			return deepest
		}
		deepest = max(deepest, dec.StackDepth())
	}
}
