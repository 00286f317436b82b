package typegraph

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// node adds the type of T to a graph with the docs of the tests.
func node[T any](t testing.TB) *Type {
	t.Helper()
	g := New()
	if err := g.AddDocs(docs()); err != nil {
		t.Fatal(err)
	}
	n, err := g.Add(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCanonicalSpelling(t *testing.T) {
	t.Parallel()
	type numbers struct {
		I int64   `json:"i,omitzero"`
		U uint64  `json:"u,omitzero"`
		F float64 `json:"f,omitzero"`
		S int64   `json:"s,string,omitzero"`
		A any     `json:"a,omitzero"`
	}
	for _, tt := range []struct {
		name     string
		typ      *Type
		in, want string
	}{
		{"nothing is an empty object", node[query](t), ``, `{}`},
		{"declaration order", node[query](t), ` { 'page' : 2 , 'search' : 'x' } `, `{'search':'x','page':2}`},
		{"null of a pointer is absence", node[query](t), `{'search':null,'page':1}`, `{'page':1}`},
		{"null in the middle leaves no comma", node[storeArgs2](t), `{'b':1,'p':null,'a':2}`, `{'a':2,'b':1}`},
		{"null elements stay", node[[]*int](t), `[1, null]`, `[1,null]`},
		{"null for any", node[map[string]any](t), `{'b':null,'a':[null]}`, `{'a':[null],'b':null}`},
		{"escapes are written in one way", node[string](t), `'\u0041\/\u00e9\n'`, `'A/é\n'`},
		{"escaped names", node[query](t), `{'p\u0061ge':1}`, `{'page':1}`},
		{"1.0 is an integer", node[numbers](t), `{'i':1.0}`, `{'i':1}`},
		{"1e2 is an integer", node[numbers](t), `{'i':1e2,'u':120E-1}`, `{'i':100,'u':12}`},
		{"-0 is 0", node[numbers](t), `{'i':-0,'u':-0.0,'f':-0,'a':-0e9}`, `{'i':0,'u':0,'f':0,'a':0}`},
		{"beyond 2^53 stays exact", node[numbers](t), `{'i':9007199254740993,'u':18446744073709551615}`, `{'i':9007199254740993,'u':18446744073709551615}`},
		{"the smallest integer", node[numbers](t), `{'i':-9223372036854775808}`, `{'i':-9223372036854775808}`},
		{"floats are shortest", node[numbers](t), `{'f':0.10}`, `{'f':0.1}`},
		{"floats with exponents", node[[]float64](t), `[1e-7, 1E+21, 123e-20, 100000000000000000000, 0.0000010]`, `[1e-7,1e+21,1.23e-18,100000000000000000000,0.000001]`},
		{"float32 is shortest for its bits", node[[]float32](t), `[0.1, 16777217]`, `[0.1,16777216]`},
		{"numbers in strings", node[numbers](t), `{'s':'1.0e1'}`, `{'s':'10'}`},
		{"any keeps whole numbers", node[numbers](t), `{'a':[9007199254740993, 1.50, 1e3]}`, `{'a':[9007199254740993,1.5,1000]}`},
		{"raw keeps all digits", node[loose](t), `{'any':1,'list':[],'map':{},'raw':{'z':0.12345678901234567890, 'a':1e400}}`, `{'any':1,'raw':{'a':1e+400,'z':0.1234567890123456789},'list':[],'map':{}}`},
		{"map keys are sorted", node[map[string]int](t), `{'b':1,'a':2}`, `{'a':2,'b':1}`},
		{"integer keys", node[map[int]int](t), `{'-0':1,'10':2,'-3':4}`, `{'-3':4,'0':1,'10':2}`},
		{"times lose needless digits", node[stamps](t), `{'created_at':'2024-02-29T10:00:00.500+00:00','updated_at':'2024-02-29T10:00:00+02:00'}`, `{'created_at':'2024-02-29T10:00:00.5Z','updated_at':'2024-02-29T10:00:00+02:00'}`},
		{"base64", node[[]byte](t), `'\u0041QI='`, `'AQI='`},
		{"members without a field follow the fields", node[openEnded](t), `{'z':1,'a':2,'known':'x'}`, `{'known':'x','a':2,'z':1}`},
		{"a type with its own JSON", node[texts](t), `{'addr':'::1','all':[],'color':'#ff0000','price':{'amount' : '1.20'}}`, `{'addr':'::1','color':'#ff0000','price':{'amount':'1.20'},'all':[]}`},
		{"embedded structs", node[embedding](t), `{'hint':'h','Name':'n','created_at':'2024-01-01T00:00:00Z','updated_at':'2024-01-01T00:00:00Z','id':1}`, `{'id':1,'created_at':'2024-01-01T00:00:00Z','updated_at':'2024-01-01T00:00:00Z','Name':'n','hint':'h'}`},
		{"recursion", node[tree](t), `{'kids':[{'name':'b'},null],'name':'a'}`, `{'name':'a','kids':[{'name':'b'},null]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.typ.Canonical([]byte(quoteLines(tt.in)))
			if err != nil {
				t.Fatal(err)
			}
			if want := quoteLines(tt.want); string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if err := Decode(got, reflect.New(tt.typ.goType).Interface()); err != nil {
				t.Error(err)
			}
		})
	}
}

// storeArgs2 has an optional pointer between two other members.
type storeArgs2 struct {
	A int  `json:"a"`
	P *int `json:"p"`
	B int  `json:"b"`
}

func TestCanonicalProblems(t *testing.T) {
	t.Parallel()
	type required struct {
		Given *string `json:"given" validate:"required"`
	}
	order := `{'id':1,'big':'2','status':'open','billing':{'street':'s'},'placed':'2024-01-01T00:00:00Z'`
	for _, tt := range []struct {
		name string
		typ  *Type
		in   string
		want map[string]string // path → part of the message
	}{
		{"missing", node[storeArgs2](t), `{}`, map[string]string{"a": "is required", "b": "is required"}},
		{"null is not zero", node[storeArgs2](t), `{'a':null,'b':null}`, map[string]string{"a": "must not be null", "b": "must not be null"}},
		{"a required pointer", node[required](t), `{'given':null}`, map[string]string{"given": "must not be null"}},
		{"a required pointer left out", node[required](t), `{}`, map[string]string{"given": "is required"}},
		{
			"paths into lists and maps", node[storeArgs](t), `{'id':1,'input':` + order + `,'lines':[{'sku':'a','qty':1},{'sku':'b','qty':'x'}],'tags':{'a b':3}}}`,
			map[string]string{"input.lines[1].qty": "must be an integer, got string", "input.tags[a b]": "must be a string, got number"},
		},
		{"wrong kinds", node[struct {
			B bool           `json:"b"`
			I int            `json:"i"`
			F float64        `json:"f"`
			S string         `json:"s"`
			L []int          `json:"l"`
			M map[string]int `json:"m"`
			T time.Time      `json:"t"`
			Y []byte         `json:"y"`
			O query          `json:"o"`
		}](t), `{'b':1,'i':true,'f':'x','s':[],'l':{},'m':[],'t':1,'y':2,'o':'x'}`, map[string]string{
			"b": "must be true or false, got number", "i": "must be an integer, got boolean", "f": "must be a number, got string",
			"s": "must be a string, got array", "l": "must be an array, got object", "m": "must be an object, got array",
			"t": "must be an RFC 3339 time in a string, got number", "y": "must be base64 in a string, got number", "o": "must be an object, got string",
		}},
		{"misspelt", node[storeArgs2](t), `{'a':1,'b':2,'pp':3}`, map[string]string{"pp": `unknown argument "pp"; did you mean "p"?`}},
		{"swapped letters", node[query](t), `{'serach':'x'}`, map[string]string{"serach": `unknown argument "serach"; did you mean "search"?`}},
		{"another case", node[query](t), `{'Page':1}`, map[string]string{"Page": `upper and lower case matter: did you mean "page"?`}},
		{"nothing near", node[query](t), `{'zzzzzzz':1}`, map[string]string{"zzzzzzz": `unknown argument "zzzzzzz"; known are "search", "page"`}},
		{"no arguments at all", node[struct{}](t), `{'x':1}`, map[string]string{"x": "there is none to give"}},
		{"unknown deeper", node[struct{ Q query }](t), `{'Q':{'pgae':1}}`, map[string]string{"Q.pgae": `unknown field "pgae"; did you mean "page"?`}},
		{"duplicate", node[query](t), `{'page':1,'page':1}`, map[string]string{"page": "more than once"}},
		{"duplicate null", node[query](t), `{'search':null,'search':'x'}`, map[string]string{"search": "more than once"}},
		{"duplicate by escape", node[query](t), `{'page':1,'p\u0061ge':1}`, map[string]string{"page": "more than once"}},
		{"duplicate key of a map", node[map[string]int](t), `{'a':1,'b':1,'a':2}`, map[string]string{"[a]": "more than once"}},
		{"duplicate key after normalising", node[map[int]int](t), `{'0':1,'-0':1}`, map[string]string{"[0]": "more than once"}},
		{"duplicate inside any", node[struct{ A any }](t), `{'A':{'x':[{'y':1,'y':2}]}}`, map[string]string{"A[x][0][y]": "more than once"}},
		{"enum", node[[]status](t), `['open','paied']`, map[string]string{"[1]": `must be one of "open", "paid", "sent", got "paied"`}},
		{"enum of integers", node[[]urgency](t), `[1.0, 4]`, map[string]string{"[1]": `must be one of 1, 2, 3, got 4`}},
		{"enum of keys", node[map[status]int](t), `{'closed':1}`, map[string]string{"[closed]": `must be one of "open"`}},
		{"int8 range", node[[]int8](t), `[127, 128, -129, 1e9]`, map[string]string{"[1]": "must be an integer from -128 to 127, got 128", "[2]": "from -128", "[3]": "got 1e9"}},
		{"int64 range", node[[]int64](t), `[9223372036854775808, 1e99, 1e999999999999]`, map[string]string{"[0]": "to 9223372036854775807", "[1]": "got 1e99", "[2]": "integer from"}},
		{"unsigned range", node[[]uint64](t), `[-1, 18446744073709551616]`, map[string]string{"[0]": "from 0 to 18446744073709551615, got -1", "[1]": "18446744073709551616"}},
		{"not whole", node[[]int](t), `[1.5, 1e-1]`, map[string]string{"[0]": "must be an integer, got 1.5", "[1]": "must be an integer, got 1e-1"}},
		{"float range", node[[]float32](t), `[1e39]`, map[string]string{"[0]": "too large for a float32"}},
		{"any range", node[struct{ A any }](t), `{'A':1e400}`, map[string]string{"A": "out of range"}},
		{"number in a string", node[struct {
			N int `json:"n,string"`
			M int `json:"m,string"`
			K int `json:"k,string"`
		}](t), `{'n':1,'m':' 1','k':'x'}`, map[string]string{"n": "must be an integer in a string, got number", "m": "in a string", "k": "in a string"}},
		{"time", node[struct{ T time.Time }](t), `{'T':'2024-02-30T00:00:00Z'}`, map[string]string{"T": "must be an RFC 3339 time such as"}},
		{"base64 alphabet", node[struct{ B []byte }](t), `{'B':'a-_='}`, map[string]string{"B": "standard base64"}},
		{"base64 length", node[struct{ B [2]byte }](t), `{'B':'AQID'}`, map[string]string{"B": "exactly 2 bytes, got 3"}},
		{"array length", node[struct{ A [2]int }](t), `{'A':[1]}`, map[string]string{"A": "exactly 2 elements, got 1"}},
		{"text", node[struct{ C hexColor }](t), `{'C':'red'}`, map[string]string{"C": "a color looks like #ff8800"}},
		{"own JSON", node[struct{ M money }](t), `{'M':{'amount':1}}`, map[string]string{"M": "an amount looks like 12.50"}},
		{"own JSON is no null", node[struct{ M money }](t), `{'M':null}`, map[string]string{"M": "must not be null"}},
		{"not an object", node[query](t), `[1]`, map[string]string{"arguments": "must be an object, got array"}},
		{"null", node[query](t), `null`, map[string]string{"arguments": "must not be null"}},
		{"cut off", node[query](t), `{'page':`, map[string]string{"page": "ends too early"}},
		{"white space", node[query](t), `  `, map[string]string{"arguments": "ends too early"}},
		{"two values", node[query](t), `{} {}`, map[string]string{"arguments": "one JSON value"}},
		{"not JSON", node[query](t), `{'page':1,}`, map[string]string{"arguments": "not valid JSON"}},
		{"not UTF-8", node[query](t), "{'search':'\xff'}", map[string]string{"search": "not valid JSON"}},
		{"half a surrogate", node[query](t), `{'search':'\ud800'}`, map[string]string{"search": "not valid JSON"}},
		{
			"too deep", node[struct{ A any }](t), `{'A':` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
			map[string]string{"A" + strings.Repeat("[0]", 63): "more than 64 levels"},
		},
		{"names cannot disguise themselves", node[query](t), "{'a\\n\\u202eb':1}", map[string]string{`a\n\u202eb`: `unknown argument "a\n\u202eb"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.typ.Canonical([]byte(quoteLines(tt.in)))
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("accepted as %s (%v)", got, err)
			}
			if !slices.Equal(slices.Sorted(maps.Keys(tt.want)), slices.Sorted(maps.Keys(problems))) {
				t.Errorf("problems at other places than expected:\n%v", problems)
			}
			for path, part := range tt.want {
				if !strings.Contains(strings.Join(problems[path], "\n"), part) {
					t.Errorf("%s: %q does not say %q", path, problems[path], part)
				}
			}
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	_, err := node[[]int](t).Canonical([]byte("[" + strings.Repeat(`"x",`, 1000) + `"x"]`))
	var problems Problems
	if !errors.As(err, &problems) || len(problems) != maxProblems {
		t.Fatalf("want %d problems, got %v", maxProblems, err)
	}
	if !strings.HasSuffix(err.Error(), "there may be more") {
		t.Errorf("the end does not say that the check stopped:\n%v", err)
	}
}

func TestProblemsReadWell(t *testing.T) {
	t.Parallel()
	_, err := node[storeArgs](t).Canonical([]byte(`{"id":"1","input":{},"nmae":1}`))
	want := `the arguments do not fit:
- id: must be an integer, got string
- input.big: is required
- input.billing: is required
- input.id: is required
- input.lines: is required
- input.placed: is required
- input.status: is required
- input.tags: is required
- nmae: unknown argument "nmae"; known are "id", "input", "query", "filter"`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
