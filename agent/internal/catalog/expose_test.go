package catalog

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exposed returns the names of the identities in their order, whatever the order of the tools was.
func exposed(t testing.TB, ids ...Identity) []string {
	t.Helper()
	var first []string
	allowed := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	for range 8 {
		tools := make([]Tool, len(ids))
		order := rand.Perm(len(ids))
		for i, at := range order {
			tools[i] = Tool{Server: ids[at].Server, Name: ids[at].Tool}
		}
		table := Expose(tools)
		names := make([]string, len(ids))
		for i, at := range order {
			names[at] = tools[i].Exposed
			if id, ok := table.Identity(tools[i].Exposed); !ok || id != ids[at] {
				t.Errorf("%q is %+v instead of %+v", tools[i].Exposed, id, ids[at])
			}
			if name, ok := table.Name(ids[at]); !ok || name != tools[i].Exposed || !allowed.MatchString(name) {
				t.Errorf("%+v is exposed as %q and %q", ids[at], tools[i].Exposed, name)
			}
		}
		if first == nil {
			first = names
		} else if !slices.Equal(first, names) {
			t.Errorf("the order of the tools changes their names:\n%q\n%q", first, names)
		}
	}
	return first
}

func TestExpose_aNameThatFitsIsPlain(t *testing.T) {
	t.Parallel()
	got := exposed(t, Identity{"github", "create_issue"}, Identity{"a-b", "C9"}, Identity{"s", strings.Repeat("t", 56)})
	want := []string{"mcp__github__create_issue", "mcp__a-b__C9", "mcp__s__" + strings.Repeat("t", 56)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestExpose_fooAndBarBazIsNotFooBarAndBaz(t *testing.T) {
	t.Parallel()
	got := exposed(t, Identity{"foo", "bar_baz"}, Identity{"foo_bar", "baz"})
	if want := []string{"mcp__foo__bar_baz", "mcp__foo_bar__baz"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	got = exposed(t, Identity{"foo", "bar__baz"}, Identity{"foo__bar", "baz"}, Identity{"foo", "other"})
	hashed := regexp.MustCompile(`^mcp__foo__bar__baz_[0-9a-f]{8}$`)
	if !hashed.MatchString(got[0]) || !hashed.MatchString(got[1]) || got[0] == got[1] || got[2] != "mcp__foo__other" {
		t.Errorf("got %q", got)
	}
}

func TestExpose_whatDoesNotFitGetsAHash(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long_", 20)
	for name, c := range map[string]struct {
		ids  []Identity
		want string // of the first
	}{
		"65 bytes":                   {[]Identity{{"server", strings.Repeat("t", 52)}}, `^mcp__server__t{42}_[0-9a-f]{8}$`},
		"a long tool":                {[]Identity{{"server", long + "a"}, {"server", long + "b"}}, `^mcp__server__(long_)+lo_[0-9a-f]{8}$`},
		"a long server":              {[]Identity{{long, "get_page"}, {long + "b", "get_page"}}, `^mcp__[long_]{40}__get_page_[0-9a-f]{8}$`},
		"both long":                  {[]Identity{{long, long}}, `^mcp__[long_]{16}__[long_]{32}_[0-9a-f]{8}$`},
		"a server in another script": {[]Identity{{"сервер", "search"}, {"服务器", "search"}, {"", "search"}}, `^mcp_____search_[0-9a-f]{8}$`},
		"a tool in another script":   {[]Identity{{"s", "検索"}, {"s", "削除"}}, `^mcp__s____[0-9a-f]{8}$`},
		"a point":                    {[]Identity{{"s", "a.b"}}, `^mcp__s__a_b_[0-9a-f]{8}$`},
		"the same text":              {[]Identity{{"жя", "я"}, {"ж", "яя"}}, `^mcp_______[0-9a-f]{8}$`},
		"the same text with NULs":    {[]Identity{{"a\x00b", "\x00c"}, {"a", "b\x00\x00c"}}, `^mcp__a_b___c_[0-9a-f]{8}$`},
		"cleaned alike":              {[]Identity{{"s", "a.b"}, {"s", "a/b"}, {"s", "a_b"}}, `^mcp__s__a_b_[0-9a-f]{8}$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := exposed(t, c.ids...)
			if !regexp.MustCompile(c.want).MatchString(got[0]) {
				t.Errorf("got %q, want %s", got[0], c.want)
			}
			if slices.Sort(got); len(slices.Compact(got)) != len(c.ids) {
				t.Errorf("not unique: %q", got)
			}
		})
	}
}

func TestExpose_aHashedNameThatAnotherHasAlready(t *testing.T) {
	t.Parallel()
	victim := Identity{"s", "a.b"}
	taken := strings.TrimPrefix(exposed(t, victim)[0], "mcp__s__")
	got := exposed(t, victim, Identity{"s", taken})
	if got[0] == got[1] {
		t.Errorf("got %q", got)
	}
}

func TestExpose_theSameToolTwice(t *testing.T) {
	t.Parallel()
	tools := []Tool{{Server: "s", Name: "a"}, {Server: "s", Name: "a"}}
	Expose(tools)
	if tools[0].Exposed != "mcp__s__a" || tools[1].Exposed != "mcp__s__a" {
		t.Errorf("got %q, %q", tools[0].Exposed, tools[1].Exposed)
	}
}

func FuzzExpose(f *testing.F) {
	f.Add("foo", "bar__baz", "foo__bar", "baz")
	f.Add("сервер", strings.Repeat("x", 99), "", "\xff")
	f.Fuzz(func(t *testing.T, s1, t1, s2, t2 string) {
		a, b := Identity{s1, t1}, Identity{s2, t2}
		if got := exposed(t, a, b); a != b && got[0] == got[1] {
			t.Errorf("%+v and %+v are both %q", a, b, got[0])
		}
	})
}
