package validate

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

type line struct {
	SKU string `json:"sku" validate:"required,alphanum"`
	Qty int    `json:"qty" validate:"min=1"`
}

type Stamps struct {
	By string `json:"by" validate:"max=3"`
}

type customer struct {
	Stamps
	Name   string            `json:"name" validate:"required,min=2,max=5"`
	Email  string            `json:"email,omitempty" validate:"email"`
	Age    *int              `json:"age" validate:"gte=18"`
	Lines  []line            `json:"lines"`
	Grid   [][]*line         `json:"grid"`
	ByName map[string]line   `json:"by_name"`
	Tags   []string          `json:"tags" validate:"max=2,unique,dive,min=2"`
	Keys   map[string]string `json:"keys" validate:"dive,keys,len=2,endkeys,oneof=a 'b c'"`
	Parent *customer         `json:"parent"`
	//lint:ignore U1000 a field that nobody sets: it must not be looked at
	hidden line
}

// valid has nothing wrong with it.
func valid() customer {
	return customer{Name: "Ada", Lines: []line{{"a1", 1}}, Tags: []string{"xx"}}
}

func TestStruct(t *testing.T) {
	t.Parallel()
	small := 3
	for _, tt := range []struct {
		name   string
		change func(*customer)
		want   map[string]string
	}{
		{"valid", func(*customer) {}, nil},
		{"empty", func(c *customer) { c.Name = "" }, map[string]string{"name": "is required and must not be empty"}},
		{"short", func(c *customer) { c.Name = "é" }, map[string]string{"name": "must be at least 2 characters"}},
		{"long", func(c *customer) { c.Name = "abcdef" }, map[string]string{"name": "must be at most 5 characters"}},
		{"email", func(c *customer) { c.Email = "x" }, map[string]string{"email": "must be an email address"}},
		{"pointer", func(c *customer) { c.Age = &small }, map[string]string{"age": "must be at least 18"}},
		{"embedded", func(c *customer) { c.By = "long" }, map[string]string{"by": "must be at most 3 characters"}},
		{
			"list without dive", func(c *customer) { c.Lines = []line{{"a", 1}, {"-", 0}} },
			map[string]string{"lines[1].sku": "must contain only letters and digits", "lines[1].qty": "must be at least 1"},
		},
		{
			"lists of lists", func(c *customer) { c.Grid = [][]*line{nil, {nil, {"a", 0}}} },
			map[string]string{"grid[1][1].qty": "must be at least 1"},
		},
		{
			"map of structs", func(c *customer) { c.ByName = map[string]line{"x": {"a", 0}} },
			map[string]string{"by_name[x].qty": "must be at least 1"},
		},
		{"list of strings", func(c *customer) { c.Tags = []string{"x", "xx"} }, map[string]string{"tags[0]": "must be at least 2 characters"}},
		{"too many", func(c *customer) { c.Tags = []string{"xa", "xb", "xc"} }, map[string]string{"tags": "must have at most 2 items"}},
		{"twice the same", func(c *customer) { c.Tags = []string{"xa", "xa"} }, map[string]string{"tags": "must not contain the same value twice"}},
		{
			"map keys and values", func(c *customer) { c.Keys = map[string]string{"k": "z"} },
			map[string]string{"keys[k]": "must be exactly 2 characters\nmust be one of a, b c"},
		},
		{"recursion", func(c *customer) { c.Parent = &customer{Name: "x"} }, map[string]string{"parent.name": "must be at least 2 characters"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := valid()
			tt.change(&c)
			v := New()
			if err := v.CheckTags(reflect.TypeFor[customer]()); err != nil {
				t.Fatal(err)
			}
			same(t, v.Struct(c), tt.want, "")
			same(t, v.Struct(&c), tt.want, "")
			// The arguments of a command are fields of an unnamed struct.
			args := struct {
				Input customer  `json:"input"`
				Other *customer `json:"other"`
				ID    int64     `json:"id" validate:"gt=0"`
			}{Input: c, ID: 1}
			same(t, v.Struct(args), tt.want, "input.")
		})
	}
}

// same compares problems with the messages wanted, whose paths start with prefix.
func same(t *testing.T, got map[string][]string, want map[string]string, prefix string) {
	t.Helper()
	joined := map[string]string{}
	for path, messages := range got {
		joined[path] = strings.Join(messages, "\n")
	}
	wanted := map[string]string{}
	for path, message := range want {
		wanted[prefix+path] = message
	}
	if !maps.Equal(joined, wanted) {
		t.Errorf("got %q, want %q", joined, wanted)
	}
	if len(want) == 0 && got != nil {
		t.Errorf("got %v for a valid value, want nil", got)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	type rules struct {
		Min1     string            `json:"min1,omitzero" validate:"min=1"`
		One      []int             `json:"one" validate:"required,min=1"`
		Bytes    []byte            `json:"bytes" validate:"min=3"`
		Pairs    map[string]string `json:"pairs" validate:"min=1"`
		Flag     bool              `json:"flag" validate:"required"`
		Zero     int               `json:"zero" validate:"required"`
		Given    *string           `json:"given" validate:"required"`
		Less     float64           `json:"less" validate:"lt=1.5"`
		More     uint              `json:"more" validate:"gt=5"`
		Exact    int               `json:"exact" validate:"len=4"`
		Either   string            `json:"either" validate:"ipv4|startswith=x"`
		Password string            `json:"password"`
		Again    string            `json:"again" validate:"eqfield=Password"`
		City     string            `json:"city" validate:"required_with=Password"`
		Zip      string            `json:"zip" validate:"required_if=Password secret"`
		Future   time.Time         `json:"future" validate:"gt"`
		Day      string            `json:"day" validate:"datetime=2006-01-02"`
		Strange  string            `json:"strange" validate:"bic"`
		NoJSON   string            `json:"-" validate:"min=1"`
		Color    string            `json:"color" validate:"iscolor"`
		Ends     string            `json:"ends" validate:"endswith=a0x2Cb"`
		URL      string            `json:"url" validate:"url"`
		Eq       string            `json:"eq" validate:"eq=yes"`
	}
	v := New()
	if err := v.CheckTags(reflect.TypeFor[rules]()); err != nil {
		t.Fatal(err)
	}
	got := v.Struct(rules{Min1: "", Less: 2, Password: "secret", Bytes: []byte{1}})
	same(t, got, map[string]string{
		"one": "is required", "bytes": "must be at least 3 bytes", "pairs": "must have at least 1 entry",
		"flag": "is required and must be true", "zero": "is required and must not be 0", "given": "is required",
		"less": "must be less than 1.5", "more": "must be more than 5", "exact": "must be 4",
		"either": `must be an IPv4 address, or must start with "x"`, "again": "must be the same as password",
		"city": "is required together with password", "zip": "is required when password is secret",
		"future": "must be in the future", "day": `must be a date or time written like "2006-01-02"`,
		"strange": "is not valid (bic)", "NoJSON": "must be at least 1 character", "color": "is not valid (iscolor)",
		"ends": `must end with "a,b"`, "url": "must be a full URL such as https://example.org/page", "eq": "must be yes",
	}, "")
}

func TestStructOfOtherValues(t *testing.T) {
	t.Parallel()
	v := New()
	for _, value := range []any{nil, 1, "x", []line{{}}, (*customer)(nil), struct{}{}} {
		if got := v.Struct(value); got != nil {
			t.Errorf("%#v: got %v", value, got)
		}
	}
}

// TestLeftOut checks that rules do not refuse what an argument may leave out.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	type query struct {
		Page   int     `json:"page,omitempty" validate:"min=1"`
		Size   int     `json:"size,omitzero" validate:"oneof=10 20"`
		Search *string `json:"search" validate:"min=3"`
		Filter *[]line `json:"filter" validate:"max=2"`
		Must   *int    `json:"must" validate:"required,min=1"`
	}
	one := 1
	v := New()
	same(t, v.Struct(query{Must: &one}), nil, "")
	short := "x"
	same(t, v.Struct(query{Must: &one, Page: -1, Size: 15, Search: &short, Filter: &[]line{{"a", 0}}}), map[string]string{
		"page": "must be at least 1", "size": "must be one of 10, 20", "search": "must be at least 3 characters",
		"filter[0].qty": "must be at least 1",
	}, "")
	same(t, v.Struct(query{}), map[string]string{"must": "is required"}, "")
}

func TestCheckTags(t *testing.T) {
	t.Parallel()
	type inner struct {
		Deep string `validate:"frobnicate"`
	}
	for _, tt := range []struct {
		typ  reflect.Type
		want string // "" for no error
	}{
		{reflect.TypeFor[customer](), ""},
		{reflect.TypeFor[*customer](), ""},
		{reflect.TypeFor[int](), ""},
		{nil, ""},
		{reflect.TypeFor[struct{ A []map[string]*inner }](), `inner.Deep: validate:"frobnicate": unknown rule 'frobnicate'`},
		{reflect.TypeFor[struct {
			A string `validate:"min=abc"`
		}](), `struct.A: rule "min=abc" does not suit string: strconv.ParseInt`},
		{reflect.TypeFor[struct {
			A bool `validate:"min=1"`
		}](), `rule "min=1" does not suit bool: Bad field type bool`},
		{reflect.TypeFor[struct {
			A int `validate:"min=1.5"`
		}](), `rule "min=1.5" does not suit int`},
		{reflect.TypeFor[struct {
			A string `validate:"required,"`
		}](), `validate:"required,"`},
		{reflect.TypeFor[struct {
			A string `validate:"dive,min=1"`
		}](), "dive is for lists and maps, and string is neither"},
		{reflect.TypeFor[struct {
			A []int `validate:"dive,keys,min=1,endkeys"`
		}](), "keys is only for maps"},
		{reflect.TypeFor[struct {
			A []string `validate:"dive,min=x"`
		}](), `rule "min=x" does not suit string`},
		{reflect.TypeFor[struct {
			A map[string]int `validate:"dive,keys,min=x,endkeys,max=3"`
		}](), `rule "min=x" does not suit string`},
		{reflect.TypeFor[struct {
			A map[string]int `validate:"dive,keys,min=1,endkeys,max=x"`
		}](), `rule "max=x" does not suit int`},
		{reflect.TypeFor[struct {
			A *string `validate:"omitempty,min=1|foo"`
		}](), "unknown rule 'foo'"},
		{reflect.TypeFor[struct {
			A string `validate:"eqfield=B"`
		}](), `rule "eqfield=B" names the field B, which struct does not have`},
		{reflect.TypeFor[struct {
			A string `validate:"required_if=B 1"`
		}](), "names the field B"},
		{reflect.TypeFor[struct {
			A, B string `validate:"required_if=B"`
		}](), "Bad param number"},
		{reflect.TypeFor[struct {
			A time.Time `validate:"max=x"`
			B time.Time `validate:"email"`
		}](), ""},
		{reflect.TypeFor[struct {
			A any `validate:"required"`
		}](), ""},
		{reflect.TypeFor[struct {
			A string `validate:"-"`
			B string `validate:"eqfield=A,ne=x"`
			C *time.Time
			D time.Time `validate:"omitempty,gtfield=C"`
		}](), ""},
	} {
		err := New().CheckTags(tt.typ)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%v: %v", tt.typ, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%v: got %v, want %q", tt.typ, err, tt.want)
		}
	}
}

func TestCheckTagsReportsAll(t *testing.T) {
	t.Parallel()
	err := New().CheckTags(reflect.TypeFor[struct {
		A string `validate:"foo"`
		B int    `validate:"bar"`
	}]())
	if err == nil || len(strings.Split(err.Error(), "\n")) != 2 {
		t.Errorf("got %v", err)
	}
}

// TestConcurrentUse lets many callers meet a type for the first time at once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	v := New()
	var callers sync.WaitGroup
	results := make([]map[string][]string, 16)
	for i := range results {
		callers.Go(func() {
			c := valid()
			c.Lines = []line{{"a", 0}}
			results[i] = v.Struct(c)
		})
	}
	callers.Wait()
	for _, got := range results {
		if paths := slices.Collect(maps.Keys(got)); !slices.Equal(paths, []string{"lines[0].qty"}) {
			t.Errorf("got %v", got)
		}
	}
}
