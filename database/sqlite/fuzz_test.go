package sqlite

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

func TestIsScript(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                   false,
		"select 1":                           false,
		"select 1;":                          false,
		"select 1 ; -- done; really\n ;":     false,
		"select 1; /* ; */ ":                 false,
		"select 1; /* open":                  false,
		"select 'a;b', \"c;d\", [e;f], `g;`": false,
		"select 'it''s; fine'":               false,
		"select 1; select 2":                 true,
		";select 2":                          true,
		"select 1;-- x\nselect 2":            true,
		"select 5/2; x":                      true,
		"select 5-2":                         false,
		"create trigger a after insert on b begin delete from c; end": true,
	} {
		if got := isScript(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzIsScript(f *testing.F) {
	for _, seed := range []string{"select 1; select 2", "select 'a;b'", "-- ;\nx", "/* ; */;", "'", "[;", ";;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := isScript(text)
		if got && !strings.Contains(text, ";") {
			t.Errorf("%q is a script without a semicolon", text)
		}
		if body := strings.TrimRight(text, "; \t\r\n\f"); isScript(body) != got && !strings.ContainsAny(body, "'\"`[-/") {
			t.Errorf("what ends %q changes whether it is a script", text)
		}
	})
}

func FuzzLocate(f *testing.F) {
	for _, seed := range []string{"sqlite:crm.db", "sqlite:///a/b.db", "a b?c#d", "sqlite:%2e%2e/x", "C:\\x.db", ":memory:", "sqlite:a?b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		path, err := locate(address, "/base")
		if err != nil {
			return
		}
		if !filepath.IsAbs(path) || strings.Contains(path, "\x00") || strings.Contains(path, ":memory:") {
			t.Errorf("%q became %q", address, path)
		}
		// What SQLite parses must be the path and nothing else.
		name := source(path, url.Values{})
		u, err := url.Parse(name)
		if err != nil || strings.Contains(name, "#") || strings.Count(name, "?") != 1 {
			t.Fatalf("%q became %q: %v", path, name, err)
		}
		if got := filepath.FromSlash(u.Path); got != path && got != "/"+path {
			t.Errorf("%q came back as %q", path, got)
		}
	})
}
