package elyra

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

type shade string

type uriQuery struct {
	Page    int    `json:"page,omitempty" validate:"min=0,max=9"`
	PerPage uint8  `json:"perPage,omitempty"`
	Search  string `json:"search,omitempty"`
	Shade   shade  `json:"shade,omitempty"`
	Mine    *bool  `json:"mine,omitempty"`
}

// uriCommands has commands of every form, by name.
func uriCommands(t testing.TB) *commandSet {
	t.Helper()
	o := CommandOptions{Live: true, Can: "x.view", Types: TypeDocs{"github.com/elyra-go/elyra.shade": {Enum: []any{"light", "dark"}}}}
	set, err := New().Commands(
		uriCommand[struct{}]("none", o),
		uriCommand[struct {
			Query *uriQuery `json:"query,omitempty"`
		}]("index", o),
		uriCommand[struct {
			ID int64 `json:"id"`
		}]("show", o),
		uriCommand[struct {
			Name string    `json:"name"`
			At   time.Time `json:"at"`
			B    bool      `json:"b,omitempty"`
			A    *float64  `json:"a,omitempty"`
		}]("mixed", o),
		uriCommand[struct {
			Span struct {
				From, To int
			} `json:"span"`
		}]("span", o),
		uriCommand[struct {
			Odd int `json:"per-page,omitempty"`
		}]("odd", o),
		uriCommand[struct {
			Tags []string `json:"tags,omitempty"`
		}]("tags", o),
		uriCommand[struct {
			Tags []string `json:"tags"`
		}]("no", o),
		uriCommand[struct {
			ID   int `json:"id"`
			More struct {
				ID int `json:"id"`
			} `json:"more"`
		}]("twice", o),
	).compile()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func uriCommand[In any](name string, o CommandOptions) Command {
	return NewCommand(name, func(context.Context, In) (None, error) { return None{}, nil }, o)
}

func TestURIForms(t *testing.T) {
	t.Parallel()
	set := uriCommands(t)
	for name, want := range map[string]string{
		"none": "app://none", "index": "app://index app://index{?mine,page,perPage,search,shade}",
		"show": " app://show/{id}", "mixed": " app://mixed/{name}/{at}{?a,b}", "span": " app://span/{From}/{To}",
		"odd": "app://odd", "tags": "app://tags", "no": "no", "twice": "no",
	} {
		got := "no"
		if f := set.byName[name].uriForm(); f != nil {
			got = ""
			if f.plain {
				got = f.base
			}
			if f.template != "" {
				got += " " + f.template
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// argumentsOf runs a URI through all that happens before the command.
func argumentsOf(set *commandSet, uri string) (string, error) {
	u, err := parseURI(uri)
	if err != nil {
		return "", err
	}
	cmd := set.byName[u.name]
	if cmd == nil || cmd.uriForm() == nil || !cmd.uriForm().fits(u) {
		return "", fmt.Errorf("no resource")
	}
	c := &resourceCatalog{tools: &toolCatalog{instance: &Instance{commands: set}}}
	p, err := c.prepare(&resource{&tool{command: cmd}, cmd.uriForm()}, u)
	if err != nil {
		return "", err
	}
	return string(p.args), nil
}

func TestS40_URIsAreChecked(t *testing.T) {
	t.Parallel()
	set := uriCommands(t)
	long := "app://index?search=" + strings.Repeat("a", maxURI)
	for _, tt := range []struct{ uri, want string }{
		{"app://none", `{}`},
		{"app://none?", `{}`},
		{"app://index", `{}`},
		{"app://index?page=2&search=a%20b%26c&perPage=7", `{"query":{"page":2,"perPage":7,"search":"a b&c"}}`},
		{"app://index?search=a+b", `{"query":{"search":"a+b"}}`},
		{"app://index?search=", `{"query":{"search":""}}`},
		{"app://index?search=%C3%A4", `{"query":{"search":"ä"}}`},
		{"app://index?%70age=2", `{"query":{"page":2}}`},
		{"app://index?mine=true&shade=dark", `{"query":{"shade":"dark","mine":true}}`},
		{"app://show/12", `{"id":12}`},
		{"app://show/1.0", `{"id":1}`},
		{"app://show/9007199254740993", `{"id":9007199254740993}`},
		{"app://mixed/..%2F..%2Fetc/2026-01-02T03:04:05Z?a=1.5", `{"name":"../../etc","at":"2026-01-02T03:04:05Z","a":1.5}`},
		{"app://mixed//2026-01-02T03:04:05Z", `{"name":"","at":"2026-01-02T03:04:05Z"}`},
		{"app://span/1/2", `{"span":{"From":1,"To":2}}`},

		{"app://show/x", `id: must be an integer, got "x"`},
		{"app://show/", `id: must be an integer, got ""`},
		{"app://show/99999999999999999999", "id: must be an integer from"},
		{"app://show/1?x=2", "x: is no variable of app://show/{id}"},
		{"app://show/1?id=2", "id: is no variable"},
		{"app://none?page=1", "page: is no variable of app://none"},
		{"app://index?page=1&page=2", "page: is given more than once"},
		{"app://index?page=x&perPage=300&shade=red", `page: must be an integer, got "x"`},
		{"app://index?page=x&perPage=300&shade=red", "perPage: must be an integer from 0 to 255, got 300"},
		{"app://index?page=x&perPage=300&shade=red", `shade: must be one of "light", "dark", got "red"`},
		{"app://index?page=10", "page: must be"},
		{"app://index?search=%FF", "search: must be UTF-8"},
		{"app://index?&", `- is no variable`},
		{"app://span/1/x", `To: must be an integer`},

		{"app://show", "no resource"},
		{"app://show/1/2", "no resource"},
		{"app://show/../show/1", "no resource"},
		{"app://no", "no resource"},
		{"app://SHOW/1", "no resource"},
		{"app://user@show/1", "no resource"},
		{"app://show:80/1", "no resource"},
		{"app:///show/1", "no resource"},
		{"file:///etc/passwd", "does not begin"},
		{"", "does not begin"},
		{"APP://none", "does not begin"},
		{"app:none", "does not begin"},
		{"app://none#x", `"#"`},
		{"app://index?search=a b", `" "`},
		{"app://index?search=ä", "percent"},
		{"app://index?search=%zz", `"%zz"`},
		{"app://index?search=%4", `"%4"`},
		{"app://index?search=[", `"["`},
		{"app://index\n", `"\n"`},
		{long, "at most 2048"},
	} {
		got, err := argumentsOf(set, tt.uri)
		if err != nil {
			got = err.Error()
		}
		if exact := strings.HasPrefix(tt.want, "{"); exact && got != tt.want || !strings.Contains(got, tt.want) {
			t.Errorf("%.80s: %s, want %s", tt.uri, got, tt.want)
		}
	}
}

// FuzzResourceURI: whatever a client makes up is refused with a reason that fits on a screen, or is
// taken apart into what it says.
func FuzzResourceURI(f *testing.F) {
	for _, seed := range []string{
		"app://index?page=2&search=a%20b", "app://show/12", "app://mixed/a%2Fb/2026-01-02T03:04:05Z?a=1&b=true", "app://span/1/2",
		"app://index?page=%", "app://show/%00", "app://index?search=%F0%9F%98%80&mine=maybe", "app://none?", "app://", "app://index?&&=&",
	} {
		f.Add(seed)
	}
	set := uriCommands(f)
	f.Fuzz(func(t *testing.T, uri string) {
		got, err := argumentsOf(set, uri)
		if err != nil {
			if text := err.Error(); text == "" || len(text) > 16*maxURI || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\u202e") {
				t.Errorf("%q is refused with %q", uri, text)
			}
			return
		}
		if len(uri) > maxURI {
			t.Errorf("a URI of %d bytes is read", len(uri))
		}
		// The library of the language understands it in the same way.
		parsed, err := url.Parse(uri)
		if err != nil {
			t.Fatalf("%q is read as %s, and is no URL: %v", uri, got, err)
		}
		ours, _ := parseURI(uri)
		if ours.name != parsed.Host {
			t.Errorf("%q is of %q, want %q", uri, ours.name, parsed.Host)
		}
		theirs, err := url.ParseQuery(strings.ReplaceAll(parsed.RawQuery, "+", "%2B"))
		if err != nil {
			return // it has a semicolon, which that library refuses
		}
		names := map[string]bool{}
		for _, v := range ours.query {
			names[v.name] = true
			if !slices.Contains(theirs[v.name], v.value) {
				t.Errorf("%q: %s is %q, want %q", uri, v.name, v.value, theirs[v.name])
			}
		}
		if len(names) != len(slices.Collect(maps.Keys(theirs))) {
			t.Errorf("%q has the variables %v, want %v", uri, names, theirs)
		}
	})
}
