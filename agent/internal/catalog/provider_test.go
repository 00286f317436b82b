package catalog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func TestForProvider(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"nothing to do":                  {`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`},
		"no type, no properties":         {`{"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"type":"object","properties":{}}`},
		"identifiers":                    {`{"$id":"x","$comment":"c","type":"object","properties":{"a":{"$id":"y","$anchor":"z"}}}`, `{"type":"object","properties":{"a":{}}}`},
		"properties named like keywords": {`{"type":"object","properties":{"$id":{"type":"string"},"$ref":{"type":"string"},"definitions":{"enum":[{"$ref":"#"}]}}}`, `{"type":"object","properties":{"$id":{"type":"string"},"$ref":{"type":"string"},"definitions":{"enum":[{"$ref":"#"}]}}}`},
		"$defs are not lost":             {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		"definitions likewise":           {`{"type":"object","properties":{"a":{"items":{"$ref":"#/definitions/x%20y"}}},"definitions":{"x y":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"items":{"type":"integer"}}}}`},
		"pointers with escapes":          {`{"type":"object","properties":{"a/~b":{"type":"integer"},"c":{"$ref":"#/properties/a~1~0b"}}}`, `{"type":"object","properties":{"a/~b":{"type":"integer"},"c":{"type":"integer"}}}`},
		"words beside a reference":       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x","description":"mine"}},"$defs":{"x":{"type":"integer","description":"theirs"}}}`, `{"type":"object","properties":{"a":{"type":"integer","description":"mine"}}}`},
		"members beside a reference":     {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x","properties":{"q":{}},"required":["q"]}},"$defs":{"x":{"type":"object","properties":{"p":{}},"required":["p"]}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{"p":{},"q":{}},"required":["p","q"]}}}`},
		"a cycle":                        {`{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","title":"N","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, `{"type":"object","properties":{"n":{"type":"object","title":"N","properties":{"next":{"type":"object","title":"N"}}}}}`},
		"a cycle of the root":            {`{"type":"object","properties":{"child":{"$ref":"#"}}}`, `{"type":"object","properties":{"child":{"type":"object"}}}`},
		"a cycle of lists":               {`{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"}}}}`, `{"type":"object","properties":{"n":{"type":"array","items":{"type":"array","items":{}}}}}`},
		"references to each other":       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{"type":"object","properties":{"a":{"type":"object"}}}`},
		"foreign references":             {`{"type":"object","properties":{"a":{"$ref":"https://example.com/a"},"b":{"$ref":"file:///etc/passwd"},"c":{"$ref":"#/$defs/gone"},"d":{"$ref":7}}}`, `{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{}}}`},
		"a root that refers":             {`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"x":{}}}}}`, `{"type":"object","properties":{"x":{}}}`},
		"oneOf at the root":              {`{"type":"object","description":"Finds.","oneOf":[{"title":"by id","properties":{"id":{"type":"integer"},"deep":{}},"required":["id","deep"]},{"properties":{"name":{"type":"string"},"deep":{}},"required":["name","deep"]}]}`, `{"type":"object","description":"Finds.\nExactly one of these forms: by id (needs id, deep); needs name, deep.","properties":{"id":{"type":"integer"},"deep":{},"name":{"type":"string"}},"required":["deep"]}`},
		"anyOf of required":              {`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"type":"object","properties":{"a":{},"b":{}},"description":"At least one of these forms: needs a; needs b."}`},
		"a property of two forms":        {`{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]},{"properties":{"k":{"const":"a"}},"required":["k"]}]}`, `{"type":"object","properties":{"k":{"anyOf":[{"const":"a"},{"const":"b"}]}},"required":["k"],"description":"Exactly one of these forms: needs k=\"a\"; needs k=\"b\"; needs k=\"a\"."}`},
		"allOf at the root":              {`{"allOf":[{"properties":{"a":{}},"required":["a"]},{"$ref":"#/$defs/b"}],"$defs":{"b":{"properties":{"b":{}},"required":["b"]}}}`, `{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"],"description":"All of these together: needs a; needs b."}`},
		"unions in unions":               {`{"oneOf":[{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]},{"type":"string"}]}`, `{"type":"object","properties":{"a":{},"b":{}},"description":"Exactly one of these forms: may have a, b."}`},
		"conditions at the root":         {`{"type":"object","properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}},"required":["b"]},"not":{"required":["c"]},"enum":[{}]}`, `{"type":"object","properties":{"a":{},"b":{}}}`},
		"unions below the root stay":     {`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"}]}}}`, `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"}]}}}`},
		"a list without items":           {`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["null","array"]}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":["null","array"],"items":{}}}}`},
		"booleans":                       {`{"type":"object","properties":{"a":true,"b":false},"additionalProperties":false}`, `{"type":"object","properties":{"a":{},"b":false},"additionalProperties":false}`},
		"older drafts":                   {`{"type":"object","properties":{"a":{"items":[{"type":"number"}],"additionalItems":{"type":"string"}},"b":{"minimum":1,"exclusiveMinimum":true,"required":true,"type":"any"}}}`, `{"type":"object","properties":{"a":{"prefixItems":[{"type":"number"}],"items":{"type":"string"}},"b":{"minimum":1,"exclusiveMinimum":1}}}`},
		"duplicate names, half a pair":   {`{"type":"object","properties":{"a":{"type":"string","type":"number","title":"\ud800"}}}`, `{"type":"object","properties":{"a":{"type":"number","title":"` + "\ufffd" + `"}}}`},
		"numbers stay as they are":       {`{"type":"object","properties":{"a":{"maximum":12345678901234567890,"default":1.0}}}`, `{"type":"object","properties":{"a":{"maximum":12345678901234567890,"default":1.0}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := suits(t, name, jsontext.Value(c.in)); string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestForProvider_refusals(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"empty": ``, "no JSON": `{"type":`, "an array": `[]`, "a boolean": `true`, "two values": `{}{}`,
		"too deep": strings.Repeat(`{"items":`, 300) + `{}` + strings.Repeat(`}`, 300), "too large": `{"description":"` + strings.Repeat("x", maxProviderInput) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := ForProvider(jsontext.Value(in)); err == nil {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestForProvider_noSchemaBlowsUp(t *testing.T) {
	t.Parallel()
	doubling := func(n int) string {
		var defs []string
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{"l":{"$ref":"#/$defs/d%d"},"r":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
		}
		return `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":{"type":"string"}}}`, n)
	}
	chain := func(n int) string {
		var defs []string
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
		}
		return `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`
	}
	many := func(n int, what string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(what, i))
		}
		return strings.Join(parts, ",")
	}
	big := `{"type":"object","properties":{` + many(3000, `"p%d":{"type":"string"}`) + `}}`
	for name, in := range map[string]string{
		"doubling":            doubling(40),
		"a chain":             chain(5000),
		"many times the same": `{"properties":{` + many(5000, `"a%d":{"$ref":"#/$defs/big"}`) + `},"$defs":{"big":` + big + `}}`,
		"all refer to all":    `{"$ref":"#/$defs/d0","$defs":{` + many(50, `"d%d":{"properties":{`+strings.ReplaceAll(many(50, `"x%d":{"$ref":"#/$defs/d%[1]d"}`), "%", "%%")+`}}`) + `}}`,
		"wide":                `{"properties":{` + many(30000, `"a%d":{}`) + `}}`,
		"wide forms":          `{"oneOf":[{"properties":{` + many(20000, `"a%d":{}`) + `}},{"properties":{` + many(20000, `"b%d":{}`) + `}}]}`,
		"many forms":          `{"oneOf":[` + many(10000, `{"properties":{"k":{"const":%d}},"required":["k"]}`) + `]}`,
		"deep":                strings.Repeat(`{"type":"object","properties":{"a":`, 120) + `{}` + strings.Repeat(`}}`, 120),
		"deep unions":         strings.Repeat(`{"anyOf":[`, 120) + `{}` + strings.Repeat(`]}`, 120),
		"long description":    `{"description":"` + strings.Repeat("ä", 60<<10) + `","properties":{` + many(9000, `"a%d":{}`) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			suits(t, name, jsontext.Value(in))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestForProvider_keepsTheUpperLevelsOfALargeSchema(t *testing.T) {
	t.Parallel()
	var inner []string
	for i := range 3000 {
		inner = append(inner, fmt.Sprintf(`"p%d":{"type":"string","description":"property"}`, i))
	}
	in := `{"type":"object","properties":{"filter":{"type":"object","description":"what to find","properties":{"and":{"type":"object","properties":{` + strings.Join(inner, ",") + `}}}}},"required":["filter"]}`
	got := string(suits(t, "large", jsontext.Value(in)))
	if !strings.Contains(got, `"what to find"`) || !strings.Contains(got, `"required":["filter"]`) || strings.Contains(got, "p2999") {
		t.Errorf("got %.300s", got)
	}
}

func FuzzForProvider(f *testing.F) {
	for _, s := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"items":{"$ref":"#"}}}}`, `{"oneOf":[{"properties":{"a":{}}},{"$ref":"#/oneOf/0"}]}`,
		`{"allOf":[{"$ref":"#"},{"if":{},"then":{"required":["a"]}}]}`, `{"properties":{"a":{"exclusiveMinimum":true,"minimum":1,"items":[true,{}]}}}`,
		`{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":["array","x"]}}}`, `{"type":"object","required":["a","a"],"properties":[]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		if _, err := ForProvider(schema); err == nil {
			suits(t, "fuzzed", schema)
		}
	})
}
