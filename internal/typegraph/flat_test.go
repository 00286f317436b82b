package typegraph

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

type flatColour string

type flatQuery struct {
	Page   int         `json:"page,omitempty"`
	Colour *flatColour `json:"colour,omitempty"`
	Size   string      `json:"size,omitempty" validate:"omitempty,oneof=S 'extra large'"`
}

type flatNeeds struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

// show writes scalars as in.name, with ? for optional and the values.
func show(list []Scalar) string {
	var words []string
	for _, s := range list {
		word := strings.TrimPrefix(s.In+"."+s.Name, ".")
		if s.Optional {
			word += "?"
		}
		if s.Values != nil {
			word += fmt.Sprintf("%q", s.Values)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestScalars(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		want string // "no" when it is not flat
	}{
		{"nothing", reflect.TypeFor[struct{}](), ""},
		{"scalars in their order", reflect.TypeFor[struct {
			ID   int64    `json:"id"`
			Name string   `json:"name,omitempty"`
			Sure *bool    `json:"sure"`
			F    float32  `json:"f"`
			Big  uint64   `json:"big,string"`
			Even *float64 `json:"even,omitempty"`
		}](), `id name? sure?["true" "false"] f big even?`},
		{"an object that may be left out", reflect.TypeFor[struct {
			Query *flatQuery `json:"query,omitempty"`
		}](), `query.page? query.colour?["red" "green"] query.size?["S" "extra large"]`},
		{"a value with optional fields", reflect.TypeFor[struct {
			Query flatQuery `json:"query"`
		}](), `query.page? query.colour?["red" "green"] query.size?["S" "extra large"]`},
		{"what an object needs", reflect.TypeFor[struct {
			Span flatNeeds `json:"span"`
		}](), `span.from span.to?`},
		{"what an object needs, if it is there", reflect.TypeFor[struct {
			Span *flatNeeds `json:"span"`
		}](), `span.from? span.to?`},
		{"a scalar and an object", reflect.TypeFor[struct {
			ID   int       `json:"id"`
			Span flatNeeds `json:"span"`
		}](), `id span.from span.to?`},
		{"embedded", reflect.TypeFor[struct{ flatNeeds }](), `from to?`},
		{"two objects", reflect.TypeFor[struct{ A, B flatNeeds }](), "no"},
		{"two levels", reflect.TypeFor[struct{ A struct{ B flatNeeds } }](), "no"},
		{"a list", reflect.TypeFor[struct{ A []int }](), "no"},
		{"bytes", reflect.TypeFor[struct{ A []byte }](), "no"},
		{"a map", reflect.TypeFor[struct{ A map[string]int }](), "no"},
		{"anything", reflect.TypeFor[struct{ A any }](), "no"},
		{"raw", reflect.TypeFor[struct{ A jsontext.Value }](), "no"},
		{"open", reflect.TypeFor[struct {
			A int
			X map[string]int `json:",embed"`
		}](), "no"},
		{"no object", reflect.TypeFor[int](), "no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := New()
			if err := g.AddDocs(Docs{docKey(reflect.TypeFor[flatColour]()): {Enum: []any{"red", "green"}}}); err != nil {
				t.Fatal(err)
			}
			node, err := g.Add(tt.typ)
			if err != nil {
				t.Fatal(err)
			}
			list, ok := node.Scalars()
			got := show(list)
			if !ok {
				got = "no"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestScalarJSON(t *testing.T) {
	t.Parallel()
	node, err := New().Add(reflect.TypeFor[struct {
		B bool
		I int8
		F float64
		S string
		T time.Time
		N int64 `json:",string"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	list, _ := node.Scalars()
	byName := map[string]*Scalar{}
	for i := range list {
		byName[list[i].Name] = &list[i]
	}
	for _, tt := range []struct{ name, text, want string }{
		{"B", "true", "true"},
		{"B", "True", "true or false?"},
		{"B", "", "true or false?"},
		{"I", "-7", "-7"},
		{"I", "300", "300"},
		{"I", "", "an integer?"},
		{"I", " 7", "an integer?"},
		{"I", "7 ", "an integer?"},
		{"I", "+7", "an integer?"},
		{"I", "0x7", "an integer?"},
		{"I", "7,8", "an integer?"},
		{"I", `"7"`, "an integer?"},
		{"I", "1e2", "1e2"},
		{"F", "1.5", "1.5"},
		{"F", "NaN", "a number?"},
		{"F", "1.", "a number?"},
		{"S", `a"b`, `"a\"b"`},
		{"S", "", `""`},
		{"S", "\xff", "UTF-8?"},
		{"S", "true", `"true"`},
		{"T", "2026-01-02T03:04:05Z", `"2026-01-02T03:04:05Z"`},
		{"N", "9007199254740993", `"9007199254740993"`},
		{"N", "x", "an integer?"},
	} {
		v, want := byName[tt.name].JSON(tt.text)
		got := string(v)
		if v == nil {
			got = want + "?"
		}
		if got != tt.want {
			t.Errorf("%s %q: got %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
}

// FuzzScalarJSON: whatever the text, the value is JSON, and where it passes it is one scalar.
func FuzzScalarJSON(f *testing.F) {
	node, err := New().Add(reflect.TypeFor[struct {
		B bool
		I int64
		U uint8
		F float32
		S string
		T time.Time
		N int64 `json:",string"`
	}]())
	if err != nil {
		f.Fatal(err)
	}
	list, _ := node.Scalars()
	for _, seed := range []string{"", "1", "-1", "1e400", "true", "nul", `"`, "\xff", "2026-01-02T03:04:05Z", "1}", "[", "1//"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range list {
			v, want := list[i].JSON(text)
			if (v == nil) == (want == "") {
				t.Fatalf("%s of %q: both or neither of %q and %q", list[i].Name, text, v, want)
			}
			if v == nil {
				continue
			}
			if !v.IsValid() || strings.ContainsAny(string(v[:1]), "[{n") {
				t.Fatalf("%s of %q is %q", list[i].Name, text, v)
			}
		}
	})
}
