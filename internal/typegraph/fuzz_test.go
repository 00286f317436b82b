package typegraph

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"
)

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"id":1}`, `{"id":1.0,"query":{"search":null,"page":1e1}}`, `{"a":1,"a":2}`, `{"\u0061":-0}`,
		`{"any":[1e400],"raw":{"b":0.10,"a":"\ud83d\ude00"},"list":[null],"map":{"":{}}}`, `{"name":"a","kids":[{"name":"b"},null]}`,
		`{"addr":"::1","color":"#ff0000","price":{"amount":"1.20"},"all":["#0000ff"]}`, `{"known":"x","b":1,"a":2}`,
		`{"bytes":"AQ==","hash":"AQIDBA==","small":[1,2],"grid":[[1e-7]],"by_int":{"-0":"x"},"by_uint":{"1":true}}`,
		`{"created_at":"2024-01-01T00:00:00.10+24:00","updated_at":"0000-01-01T00:00:00Z"}`, `[[[[[[`, `{"Forest":[[],[[]]]}`,
		`{"id":9223372036854775808,"placed":"2024-01-01T23:59:60Z","big":"1.0e1"}`, "{\"s\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	nodes := addAll(f)
	names := slices.Sorted(maps.Keys(nodes))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, name := range names {
			typ := nodes[name]
			first, err := typ.Canonical(raw)
			if err != nil {
				if err.Error() == "" || len(err.(Problems)) == 0 {
					t.Fatalf("%s: refused without a reason: %q", name, raw)
				}
				continue
			}
			again, err := typ.Canonical(first)
			if err != nil || !bytes.Equal(first, again) {
				t.Fatalf("%s: not stable (%v):\n%s\n%s", name, err, first, again)
			}
			back := reflect.New(typ.goType)
			if err := Decode(first, back.Interface()); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, first)
			}
			encoded, err := Encode(back.Interface())
			if err != nil {
				t.Fatalf("%s: what was decoded has no JSON: %v\n%s", name, err, first)
			}
			if _, err := typ.Canonical(encoded); err != nil {
				t.Fatalf("%s: what was decoded is refused: %v\n%s", name, err, encoded)
			}
		}
	})
}
