package project

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// read reads a file with this text.
func read(t *testing.T, text string) (*Project, string, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Read(dir)
	return p, path, err
}

// from looks up variables in a map.
func from(set map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := set[name]; return v, ok }
}

func TestRead(t *testing.T) {
	t.Parallel()
	p, path, err := read(t, `
[app]
name = "CRM"
id = "dev.elyra.crm"
version = "${VERSION}"
[frontend]
dir = "ui"
[codegen]
out = "ui/src"
[database]
url = "postgres://${USER}:${PASSWORD}@localhost/crm"
migrations = "migrations"
[bundle]
categories = ["Office", "${MORE}"]
`)
	if err != nil {
		t.Fatal(err)
	}
	if p.App.Name != "CRM" || p.App.ID != "dev.elyra.crm" || p.Frontend.Dir != "ui" || p.Codegen.Out != "ui/src" || p.Database.Migrations != "migrations" {
		t.Errorf("Read = %+v", p)
	}
	if want := filepath.Join(filepath.Dir(path), "ui", "src"); p.Path(p.Codegen.Out) != want {
		t.Errorf("Path = %s, want %s", p.Path(p.Codegen.Out), want)
	}
	set := map[string]string{"USER": "ada", "PASSWORD": "${USER}", "VERSION": "1.2.3", "MORE": "Database"}
	url, err := p.Expand("database.url", p.Database.URL, from(set))
	if want := "postgres://ada:${USER}@localhost/crm"; err != nil || url != want {
		t.Errorf("Expand = %q, %v, want %q", url, err, want)
	}
	delete(set, "PASSWORD")
	if _, err := p.Expand("database.url", p.Database.URL, from(set)); err == nil ||
		!strings.Contains(err.Error(), "elyra.toml:11:1: database.url needs the variable PASSWORD, which is not set") {
		t.Errorf("Expand without a variable = %v", err)
	}
	// What building does not need may be unset.
	expanded, err := p.Expanded(from(set))
	if err != nil || expanded.App.Version != "1.2.3" || !slices.Equal(expanded.Bundle.Categories, []string{"Office", "Database"}) {
		t.Errorf("Expanded = %+v, %v", expanded, err)
	}
	if p.App.Version != "${VERSION}" || p.Bundle.Categories[1] != "${MORE}" {
		t.Errorf("Expanded changed the project itself: %+v", p)
	}
	_, err = p.Expanded(from(nil))
	for _, want := range []string{"elyra.toml:5:1: app.version needs the variable VERSION", "elyra.toml:14:1: bundle.categories needs the variable MORE"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Expanded without variables = %v, want it to contain %q", err, want)
		}
	}
}

func TestReadWithoutFile(t *testing.T) {
	t.Parallel()
	p, err := Read(t.TempDir())
	if err != nil || p.Database.URL != "" {
		t.Fatalf("Read = %+v, %v, want an empty project", p, err)
	}
	if p.At("app.name") != p.path {
		t.Errorf("At = %s, want the path", p.At("app.name"))
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "[app]\nname = 'a'\n\nnmae = 'b' # typo", `:4:1: there is no key app.nmae; did you mean "app.name"?`},
		{"unknown table", "[app]\n[ databse ]\nurl = ''", `:2:3: there is no key databse; did you mean "database"?`},
		{"key of another table", "[database]\nlicence = ''", `:2:1: there is no key database.licence; did you mean "license"?`},
		{"at the top", "zzzzzz = 'a'", ":1:1: there is no key zzzzzz"},
		{"quoted", "[database]\n\"uri\" = ''", `:2:1: there is no key database.uri; did you mean "database.url"?`},
		{"dotted", "database.uri = ''", ":1:1: there is no key database.uri"},
		{"two", "a = 1\nb = 2", ":2:1: there is no key b"},
		{"in a line of its own table", "app = { nmae = 'é' }", ":1:9: there is no key nmae"},
		{"after letters of two bytes", "bundle.categories = ['éé', 3]", ":1:28: bundle.categories wants a list of texts"},
		{"syntax", "[app]\nname = ", ":2:7: expected value, not end of input"},
		{"open text", "[app]\nname = \"a\n", ":2:10: "},
		{"no UTF-8", "[app]\nname = 'é\xff'", ":2:10: invalid UTF-8"},
		{"type", "[app]\nname = 3", ":2:8: app.name wants a text in quotes"},
		{"list wanted", "[bundle]\ncategories = 'Office'", ":2:14: bundle.categories wants a list of texts"},
		{"list unwanted", "[app]\nname = ['a']", ":2:8: app.name wants a text in quotes"},
		{"table wanted", "app = 3", ":1:7: app is a table of keys: write [app] on a line"},
		{"table unwanted", "[app.name]\nfirst = ''", ":1:2: app.name wants a text in quotes"},
		{"list of tables", "[[app]]\nname = ''", ":1:3: app is a table of keys"},
		{"twice", "[app]\nid = 'a'\nid = 'b'", ":3:1: key id is already defined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, path, err := read(t, tt.text)
			if err == nil || !strings.Contains(err.Error(), path+tt.want) {
				t.Errorf("Read = %v, want it to contain %q", err, tt.want)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	got := keys([]byte("database.url = ''\n[app]\n  'name' = 'a'\n[ bundle ]\ncategories = [\n 'x',\n]\nlicense = ''\n[broken\nid = 1"))
	want := map[string]position{
		"database.url": {1, 1}, "app": {2, 2}, "app.name": {3, 3}, "bundle": {4, 3}, "bundle.categories": {5, 1}, "bundle.license": {8, 1},
	}
	if !maps.Equal(got, want) {
		t.Errorf("keys = %v, want %v", got, want)
	}
}

// TestReferencePage holds the page against the types: each key has one row, and no other key has one.
func TestReferencePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/reference/elyra-toml.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows, known []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z.]+)` \\|").FindAllSubmatch(page, -1) {
		rows = append(rows, string(row[1]))
	}
	for _, f := range fields(&Project{}) {
		known = append(known, f.name)
	}
	if !slices.Equal(rows, known) {
		t.Errorf("the page has rows for %q\nthe keys are %q", rows, known)
	}
}

// TestExample holds that the example of the page is whole and right.
func TestExample(t *testing.T) {
	t.Parallel()
	p, err := Read("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Expanded(from(map[string]string{"VERSION": "1.0.0"})); err != nil {
		t.Fatal(err)
	}
	for _, f := range fields(p) {
		texts := f.texts()
		if len(texts) == 0 || *texts[0] == "" {
			t.Errorf("it has no %s", f.name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("[app]\nname = 'a'\nid = \"${A}\"\n"))
	f.Add([]byte("app = {name = 3}\n[[bundle]]\n\"b\"=1\n["))
	f.Add([]byte("bundle.categories = [\n'é', 3]\n"))
	f.Add([]byte("\xef\xbb\xbf[app]\r\nversion = '1'\r\n"))
	line := regexp.MustCompile(`^elyra\.toml:([0-9]+):([0-9]+): [^\n]`)
	f.Fuzz(func(t *testing.T, text []byte) {
		keys(text)
		p, err := parse("elyra.toml", text)
		if err == nil {
			if _, err := p.Expanded(from(nil)); err != nil && !strings.Contains(err.Error(), "which is not set") {
				t.Errorf("expanding %q: %v", text, err)
			}
			return
		}
		if !line.MatchString(err.Error()) || strings.Contains(err.Error(), ":0:") {
			t.Errorf("the error about %q has no place: %v", text, err)
		}
	})
}
