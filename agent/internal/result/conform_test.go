package result

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elyra-go/elyra/internal/mcp"
)

func TestRender_structuredContentThatBreaksItsSchemaIsAWarning(t *testing.T) {
	t.Parallel()
	const person = `{"type":"object","properties":{"name":{"type":"string","minLength":2},"age":{"type":"integer","minimum":0}},"required":["name"],"additionalProperties":false}`
	const tree = `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"n":{"type":"number"}}}}}`
	for name, c := range map[string]struct{ schema, value, want string }{
		"kept":                     {person, `{"name":"Ada","age":36}`, ""},
		"integer as float":         {person, `{"name":"Ada","age":36.0}`, ""},
		"missing":                  {person, `{"age":1}`, `the structured content has no "name"`},
		"wrong type":               {person, `{"name":7}`, "the structured content.name is number instead of string"},
		"no integer":               {person, `{"name":"Ada","age":1.5}`, ".age is number instead of integer"},
		"too small":                {person, `{"name":"Ada","age":-1}`, ".age is -1, which is too small"},
		"not above":                {`{"exclusiveMinimum":1}`, `1`, "is 1, which is too small"},
		"not below":                {`{"exclusiveMaximum":1}`, `1`, "is 1, which is too large"},
		"too short":                {person, `{"name":"漢"}`, ".name has 1 characters, less than 2"},
		"unknown member":           {person, `{"name":"Ada","x":1}`, ".x must not be there"},
		"wrong root":               {person, `[1]`, "is array instead of object"},
		"recursive, kept":          {tree, `{"next":{"next":{"n":1}}}`, ""},
		"recursive, broken":        {tree, `{"next":{"next":{"n":"1"}}}`, ".next.next.n is string instead of number"},
		"enum":                     {`{"enum":["a",{"b":1}]}`, `{"b":2}`, "none of the values"},
		"const":                    {`{"const":1}`, `2`, "not the value"},
		"anyOf":                    {`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "none of the 2 forms"},
		"oneOf, two":               {`{"oneOf":[{"type":"number"},{"minimum":0}]}`, `1`, "has 2 of the forms"},
		"allOf":                    {`{"allOf":[{"type":"number"},{"minimum":5}]}`, `1`, "too small"},
		"not":                      {`{"not":{"type":"number"}}`, `1`, "must not have"},
		"items":                    {`{"items":{"type":"string"},"maxItems":2}`, `["a",1]`, "[1] is number instead of string"},
		"too many":                 {`{"items":{"type":"string"},"maxItems":1}`, `["a","b"]`, "has 2 elements, more than 1"},
		"tuple":                    {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, "[1] must not be there"},
		"tuple of draft 7":         {`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, "[1] must not be there"},
		"type list":                {`{"type":["string","null"]}`, `1`, "is number instead of string null"},
		"additional schema":        {`{"additionalProperties":{"type":"number"}}`, `{"a":"b"}`, ".a is string instead of number"},
		"patterns are not judged":  {`{"patternProperties":{"^x":{}},"additionalProperties":false}`, `{"y":1}`, ""},
		"foreign reference":        {`{"$ref":"https://example.com/x"}`, `1`, ""},
		"file reference":           {`{"$ref":"file:///etc/passwd"}`, `1`, ""},
		"loop":                     {`{"$ref":"#"}`, `1`, ""},
		"broken schema":            {`{"type":{},"required":1,"properties":[],"enum":0}`, `{}`, ""},
		"no JSON":                  {`{`, `{}`, ""},
		"nothing sent":             {person, ``, "sent no structured content"},
		"false":                    {`false`, `1`, "must not be there"},
		"terminal escapes in name": {`{"additionalProperties":false}`, `{"\u001b[31m\n":1}`, "content. must not be there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mcp.CallToolResult{Content: []mcp.Content{mcp.Text("text")}, StructuredContent: jsontext.Value(c.value)}
			got, err := Render(&r, Options{OutputSchema: jsontext.Value(c.schema)})
			if err != nil || got.IsError || !strings.Contains(got.Text, "text") {
				t.Errorf("%+v, %v", got, err)
			}
			if (got.Warning == "") != (c.want == "") || !strings.Contains(got.Warning, c.want) || strings.ContainsAny(got.Warning, "\n\x1b") {
				t.Errorf("got %q, want %q", got.Warning, c.want)
			}
			if c.value != "" && !strings.Contains(name, "reference") && name != "loop" && !strings.Contains(name, "broken schema") && !strings.Contains(name, "patterns") {
				agrees(t, c.schema, c.value, c.want == "")
			}
			r.IsError = true
			if got, _ := Render(&r, Options{OutputSchema: jsontext.Value(c.schema)}); got.Warning != "" || !got.IsError {
				t.Errorf("an error was held against the schema: %+v", got)
			}
		})
	}
}

// agrees asks an independent validator.
func agrees(t *testing.T, schema, value string, valid bool) {
	t.Helper()
	s, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return
	}
	c := jsonschema.NewCompiler()
	if strings.Contains(schema, "additionalItems") {
		c.DefaultDraft(jsonschema.Draft7)
	}
	if err := c.AddResource("mem:schema", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); (err == nil) != valid {
		t.Errorf("another validator says %v", err)
	}
}

func TestMismatch_noSchemaTakesForEver(t *testing.T) {
	t.Parallel()
	double := map[string]any{}
	for i := range 60 {
		next := map[string]any{"$ref": "#/$defs/" + string(rune('A'+i+1))}
		double[string(rune('A'+i))] = map[string]any{"anyOf": []any{next, next}}
	}
	double[string(rune('A'+60))] = false
	for name, root := range map[string]any{
		"forms of forms":         map[string]any{"$ref": "#/$defs/A", "$defs": double},
		"none of forms of forms": map[string]any{"not": map[string]any{"$ref": "#/$defs/A"}, "$defs": double},
	} {
		schema, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r := mcp.CallToolResult{StructuredContent: jsontext.Value(`{}`)}
		if got := mismatch(&r, schema); got != "" || time.Since(start) > 5*time.Second {
			t.Errorf("%s: %q after %v", name, got, time.Since(start))
		}
	}
}
