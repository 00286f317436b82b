package typegraph

import (
	"database/sql"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

type onlyMarshalText struct{}

func (onlyMarshalText) MarshalText() ([]byte, error) { return nil, nil }

type onlyUnmarshalText struct{ X int }

func (*onlyUnmarshalText) UnmarshalText([]byte) error { return nil }

type badSchema struct{}

type notJSON badSchema

func (notJSON) JSONSchema() jsontext.Value { return jsontext.Value(`{`) }

type notSchema badSchema

func (notSchema) JSONSchema() jsontext.Value { return jsontext.Value(`[]`) }

type withDefs badSchema

func (withDefs) JSONSchema() jsontext.Value { return jsontext.Value(`{"$defs":{}}`) }

type embedsTime struct {
	time.Time
	Note string
}

type pointsToItself *pointsToItself

type hidden struct{ X int }

func TestRefusedTypes(t *testing.T) {
	t.Parallel()
	type hook struct{ Hook func(int) }
	for _, tt := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[struct {
			Input hook `json:"input"`
		}](), "input.Hook: func(int) has no JSON form"},
		{reflect.TypeFor[func()](), "func(): func() has no JSON form"},
		{reflect.TypeFor[struct{ A []map[string]chan int }](), "A[][]: chan int has no JSON form"},
		{reflect.TypeFor[struct{ A complex128 }](), "A: complex128 has no JSON form"},
		{reflect.TypeFor[struct{ A unsafe.Pointer }](), "A: unsafe.Pointer has no JSON form"},
		{reflect.TypeFor[struct{ A uintptr }](), "A: uintptr has no JSON form"},
		{reflect.TypeFor[struct{ A io.Reader }](), "A: the interface io.Reader has no JSON form"},
		{reflect.TypeFor[struct{ A error }](), "A: the interface error"},
		{reflect.TypeFor[struct{ A map[float64]int }](), "A: map[float64]int has keys that are neither strings nor integers"},
		{reflect.TypeFor[struct{ A map[hexColor]int }](), "neither strings nor integers"},
		{reflect.TypeFor[struct{ A map[[2]int]int }](), "neither strings nor integers"},
		{reflect.TypeFor[struct{ A *big.Int }](), "A: big.Int writes or reads its own JSON"},
		{reflect.TypeFor[struct{ A embedsTime }](), "perhaps through an embedded type"},
		{reflect.TypeFor[struct{ A sql.NullString }](), "use a pointer"},
		{reflect.TypeFor[struct{ A sql.Null[int] }](), "use a pointer"},
		{reflect.TypeFor[struct{ A time.Duration }](), "A: time.Duration has no agreed JSON form; use a whole number of seconds"},
		{reflect.TypeFor[struct{ A onlyMarshalText }](), "MarshalText without UnmarshalText"},
		{reflect.TypeFor[struct{ A onlyUnmarshalText }](), "UnmarshalText without MarshalText"},
		{reflect.TypeFor[struct{ A notJSON }](), "JSONSchema of typegraph.notJSON is not JSON"},
		{reflect.TypeFor[struct{ A notSchema }](), "must be an object or true"},
		{reflect.TypeFor[struct{ A withDefs }](), "must not contain $defs"},
		{reflect.TypeFor[pointsToItself](), "points only to itself"},
		{reflect.TypeFor[struct{ A struct{ x int } }](), "no exported fields"},
		{reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
			{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		}), "conflict over JSON object name"},
		{reflect.TypeFor[struct {
			//lint:ignore SA5008 the mistake is what is tested
			A int `json:"a,omitEmpty"`
		}](), "omitEmpty"},
		{reflect.TypeFor[struct {
			A string `json:"a,string"`
		}](), "only for numbers"},
		{reflect.TypeFor[struct {
			//lint:ignore SA5008 the mistake is what is tested
			A []int `json:"a,string"`
		}](), "only for numbers"},
		{reflect.TypeFor[struct {
			A hidden `json:",inline"`
		}](), "is called embed"},
		{reflect.TypeFor[struct {
			A time.Time `json:"a,format:RFC3339"`
		}](), "format"},
		{reflect.TypeFor[struct{ *hidden }](), "not exported and could not be filled"},
	} {
		t.Run(tt.typ.String(), func(t *testing.T) {
			t.Parallel()
			g := New()
			if _, err := g.Add(tt.typ); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want something with %q", err, tt.want)
			}
			if _, err := g.Add(tt.typ); err == nil {
				t.Error("the second Add found the refused type")
			}
		})
	}
}

func TestAddReportsEveryRefusal(t *testing.T) {
	t.Parallel()
	_, err := New().Add(reflect.TypeFor[struct {
		A chan int
		B func()
		C int
	}]())
	want := "A: chan int has no JSON form\nB: func() has no JSON form"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := New().Add(nil); err == nil {
		t.Error("nil was added")
	}
}

func TestAddDocs(t *testing.T) {
	t.Parallel()
	key := reflect.TypeFor[status]().PkgPath() + ".status"
	g := New()
	n, err := g.Add(reflect.TypeFor[[]status]())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Canonical([]byte(`["anything"]`)); err != nil {
		t.Fatal(err)
	}
	// Docs that come after the type still hold, and the same docs may come again.
	for range 2 {
		if err := g.AddDocs(docs()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := n.Canonical([]byte(`["anything"]`)); err == nil {
		t.Error("the enum of late docs was not checked")
	}
	if err := g.AddDocs(Docs{key: {Doc: "something else"}}); err == nil || !strings.Contains(err.Error(), "differ") {
		t.Errorf("different docs: got %v", err)
	}
	for _, enum := range [][]any{{1}, {nil}, {true}} {
		g := New()
		if err := g.AddDocs(Docs{key: {Enum: enum}}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Add(reflect.TypeFor[status]()); err == nil || !strings.Contains(err.Error(), "does not fit") {
			t.Errorf("enum %v: got %v", enum, err)
		}
	}
	g = New()
	if err := g.AddDocs(Docs{reflect.TypeFor[urgency]().PkgPath() + ".urgency": {Enum: []any{300}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Add(reflect.TypeFor[urgency]()); err == nil {
		t.Error("an enum value that overflows its type was accepted")
	}
}

func TestOptional(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ  *Type
		want bool
	}{
		{node[*int](t), true},
		{node[*order](t), true},
		{node[int](t), false},
		{node[[]int](t), false},
		{node[time.Time](t), false},
		{node[query](t), true},
		{node[struct{ Q query }](t), true},
		{node[struct{}](t), true},
		{node[storeArgs](t), false},
		{node[struct {
			A int `json:"a,omitempty"`
			B int `json:"b,omitzero"`
			C int `validate:"omitempty,min=1"`
		}](t), true},
		{node[struct {
			A *int `validate:"required"`
		}](t), false},
		{node[struct {
			A string `json:",omitempty" validate:"required"`
		}](t), false},
	} {
		if got := tt.typ.Optional(); got != tt.want {
			t.Errorf("%s: got %t", tt.typ.goType, got)
		}
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  string
	}{
		{pageOf[int]{}, `{"items":[],"next":null}`},
		{struct{ M map[string]int }{}, `{"M":{}}`},
		{map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{int64(1<<53 + 1), `9007199254740993`},
		{struct{}{}, `{}`},
		{"a\xffb", `"a` + "\ufffd" + `b"`},
		{[]byte("hi"), `"aGk="`},
		{"<b>&", `"<b>&"`},
	} {
		got, err := Encode(tt.value)
		if err != nil || string(got) != tt.want {
			t.Errorf("%v: got %s (%v), want %s", tt.value, got, err, tt.want)
		}
	}
	if _, err := Encode(fmt.Println); err == nil {
		t.Error("a function was encoded")
	}
}
