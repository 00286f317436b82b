package jsonc

import (
	"bytes"
	"testing"

	"github.com/tailscale/hujson"
)

func TestChangesLeaveEverythingElse(t *testing.T) {
	t.Parallel()
	const old = "{\n  // why\n  \"a\": 1, /* one */\n  \"b\": {},\n}\n"
	for name, tt := range map[string]struct {
		change func(*Document) ([]byte, error)
		want   string
	}{
		"insert": {
			func(d *Document) ([]byte, error) { return d.Insert(d.Value, "c", "x") },
			"{\n  // why\n  \"a\": 1, /* one */\n  \"b\": {},\n  \"c\": \"x\",\n}\n",
		},
		"replace": {
			func(d *Document) ([]byte, error) { return d.Replace(d.Root, "a", []int{2}) },
			"{\n  // why\n  \"a\": [\n    2\n  ], /* one */\n  \"b\": {},\n}\n",
		},
		"remove": {
			func(d *Document) ([]byte, error) { return d.Remove(d.Root, "b"), nil },
			"{\n  // why\n  \"a\": 1, /* one */\n}\n",
		},
	} {
		d, problem := Parse("f", []byte(old), nil)
		if problem != nil {
			t.Fatal(problem)
		}
		if got, err := tt.change(d); err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestProblemsTellThePlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n \"ü\": x}":  "f:2:7: the file is no JSON: invalid literal: x",
		"[]":             "f:1:1: expected an object, found an array",
		"{\"a\": \"\xff": "f:1:8: the file is not UTF-8: save it as UTF-8",
	} {
		if _, problem := Parse("f", []byte(text), nil); problem == nil || problem.String() != want {
			t.Errorf("%q: %v, want %s", text, problem, want)
		}
	}
}

// FuzzParse changes what can be parsed, and wants the result to be one that can be parsed.
func FuzzParse(f *testing.F) {
	f.Add([]byte("\ufeff{\n\t// c\n\t\"a\": {\"b\": [1, 2,],}, /* x */\n}"), "a")
	f.Add([]byte("{\"a\":1,\"a\":2 // last"), "a")
	f.Add(bytes.Repeat([]byte("["), 300), "a")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		d, problem := Parse("f", data, nil)
		if problem != nil {
			if problem.Line < 1 || problem.Column < 1 {
				t.Fatalf("no place: %+v", problem)
			}
			return
		}
		parses := func(text []byte) *Document {
			again, problem := Parse("f", text, nil)
			if problem != nil {
				t.Fatalf("%q became %q: %s", data, text, problem)
			}
			return again
		}
		text, err := d.Insert(d.Value, name, 1)
		if err != nil {
			return // a name that no JSON can hold
		}
		again := parses(text)
		if v, ok := Member(again.Root, name); !ok || KindOf(v) != "a number" {
			t.Fatalf("%q: not inserted into %q", name, text)
		}
		text, err = again.Replace(again.Root, name, "x")
		if err != nil {
			t.Fatal(err)
		}
		again = parses(text)
		before := len(again.Root.Members)
		again = parses(again.Remove(again.Root, name))
		if len(again.Root.Members) != before-1 {
			t.Fatalf("%q: not removed from %q", name, text)
		}
		ObjectOf(hujson.Value{})
	})
}
