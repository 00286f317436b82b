package project

import (
	"os"
	"path/filepath"
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

func TestRead(t *testing.T) {
	t.Parallel()
	p, _, err := read(t, `
[app]
name = "CRM"
id = "dev.elyra.crm"
[frontend]
dir = "ui"
[codegen]
out = "ui/src"
[database]
url = "postgres://${USER}:${PASSWORD}@localhost/crm"
migrations = "migrations"
[bundle]
anything = { goes = true }
`)
	if err != nil {
		t.Fatal(err)
	}
	if p.App.Name != "CRM" || p.App.ID != "dev.elyra.crm" || p.Frontend.Dir != "ui" || p.Codegen.Out != "ui/src" || p.Database.Migrations != "migrations" {
		t.Errorf("Read = %+v", p)
	}
	set := map[string]string{"USER": "ada", "PASSWORD": "${USER}"}
	lookup := func(name string) (string, bool) { v, ok := set[name]; return v, ok }
	url, err := p.Expand("database.url", p.Database.URL, lookup)
	if want := "postgres://ada:${USER}@localhost/crm"; err != nil || url != want {
		t.Errorf("Expand = %q, %v, want %q", url, err, want)
	}
	delete(set, "PASSWORD")
	if _, err := p.Expand("database.url", p.Database.URL, lookup); err == nil ||
		!strings.Contains(err.Error(), "elyra.toml:10: database.url needs the variable PASSWORD, which is not set") {
		t.Errorf("Expand without a variable = %v", err)
	}
}

func TestReadWithoutFile(t *testing.T) {
	t.Parallel()
	if p, err := Read(t.TempDir()); err != nil || p.Database.URL != "" {
		t.Errorf("Read = %+v, %v, want an empty project", p, err)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "[app]\nname = 'a'\n\nnmae = 'b' # typo", ":4: there is no key app.nmae"},
		{"unknown table", "[app]\n[ databse ]\nurl = ''", ":2: there is no key databse"},
		{"at the top", "name = 'a'", ":1: there is no key name"},
		{"quoted", "[database]\n\"uri\" = ''", ":2: there is no key database.uri"},
		{"dotted", "database.uri = ''", ":1: there is no key database.uri"},
		{"two", "a = 1\nb = 2", ":2: there is no key b"},
		{"syntax", "[app]\nname = ", ":2: unexpected EOF"},
		{"type", "[app]\nname = 3", ": line 2 (last key \"app.name\"): incompatible types"},
		{"twice", "[app]\nid = 'a'\nid = 'b'", ":3: Key 'app.id' has already been defined"},
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

func FuzzLineOf(f *testing.F) {
	f.Add("[app]\nname = 'a'", "app", "name")
	f.Add("[[a]]\n\"b\"=1\n[", "a", "b")
	f.Fuzz(func(t *testing.T, text, table, key string) {
		if line := lineOf(text, []string{table, key}); line < 0 || line > strings.Count(text, "\n")+1 {
			t.Errorf("line %d of %q", line, text)
		}
	})
}
