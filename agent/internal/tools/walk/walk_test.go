package walk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func list(t *testing.T, start string, o Options) []string {
	t.Helper()
	var found []string
	if _, err := Files(context.Background(), start, o, func(e Entry) error {
		if !e.IsDir() {
			found = append(found, e.Rel)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFiles_ignored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules string
		want  string // of a.go a.log b.tmp docs/a.log docs/x/a.go docs/x/keep.log #h !n build/x src/build/y
	}{
		"none":                {"", "!n #h a.go a.log b.tmp build/x docs/a.log docs/x/a.go docs/x/keep.log src/build/y"},
		"names anywhere":      {"*.log\n", "!n #h a.go b.tmp build/x docs/x/a.go src/build/y"},
		"kept again":          {"*.log\n!keep.log\n", "!n #h a.go b.tmp build/x docs/x/a.go docs/x/keep.log src/build/y"},
		"kept in vain":        {"docs/\n!docs/x/keep.log\n", "!n #h a.go a.log b.tmp build/x src/build/y"},
		"anchored":            {"/build\n", "!n #h a.go a.log b.tmp docs/a.log docs/x/a.go docs/x/keep.log src/build/y"},
		"folders only":        {"build/\n", "!n #h a.go a.log b.tmp docs/a.log docs/x/a.go docs/x/keep.log"},
		"a file is no folder": {"a.go/\n", "!n #h a.go a.log b.tmp build/x docs/a.log docs/x/a.go docs/x/keep.log src/build/y"},
		"with a slash":        {"docs/*.log\n", "!n #h a.go a.log b.tmp build/x docs/x/a.go docs/x/keep.log src/build/y"},
		"two stars":           {"docs/**/*.go\n**/build\n", "!n #h a.go a.log b.tmp docs/a.log docs/x/keep.log"},
		"all below":           {"docs/**\n", "!n #h a.go a.log b.tmp build/x src/build/y"},
		"all but one":         {"/*\n!/docs\n/docs/*\n!/docs/a.log\n", "docs/a.log"},
		"escapes":             {"\\#h\n\\!n\n# a.go\n", "a.go a.log b.tmp build/x docs/a.log docs/x/a.go docs/x/keep.log src/build/y"},
		"classes":             {"[ab].[!g]*\n", "!n #h a.go build/x docs/x/a.go docs/x/keep.log src/build/y"},
		"question mark":       {"?.go\n", "!n #h a.log b.tmp build/x docs/a.log docs/x/keep.log src/build/y"},
		"spaces, CRLF, mark":  {"\ufeff*.log  \r\n\r\nb.tmp\r\n", "!n #h a.go build/x docs/x/a.go src/build/y"},
		"nonsense":            {"[a\n\\\n/\n!\n*.tmp", "!n #h a.go a.log build/x docs/a.log docs/x/a.go docs/x/keep.log src/build/y"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, map[string]string{
				"a.go": "", "a.log": "", "b.tmp": "", "docs/a.log": "", "docs/x/a.go": "", "docs/x/keep.log": "", "#h": "", "!n": "",
				"build/x": "", "src/build/y": "", ".git/config": "",
			})
			if err := os.WriteFile(filepath.Join(root, ".ignore"), []byte(c.rules), 0o644); err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(list(t, root, Options{}), func(s string) bool { return s == ".ignore" })
			if strings.Join(got, " ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestFiles_nested(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		".gitignore": "*.a\n/only/*.b\n", "sub/.gitignore": "!x.a\n*.c\n/y\n", "x.a": "", "sub/x.a": "", "sub/z.a": "", "sub/q.c": "", "q.c": "",
		"sub/y": "", "sub/deep/y": "", "sub/deep/w.c": "", "only/z.b": "", "sub/only/z.b": "", ".git/info/exclude": "secret\n", "sub/secret": "",
	})
	want := ".gitignore q.c sub/.gitignore sub/deep/y sub/only/z.b sub/x.a"
	if got := strings.Join(list(t, root, Options{}), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The rules of the folders above count too.
	if got := strings.Join(list(t, filepath.Join(root, "sub"), Options{}), " "); got != ".gitignore deep/y only/z.b x.a" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(list(t, filepath.Join(root, "only"), Options{}), " "); got != "" {
		t.Errorf("got %s", got)
	}
	ignored := Ignores(filepath.Join(root, "sub"), "")
	for name, want := range map[string]bool{"x.a": false, "z.a": true, "y": true, "deep/y": false, "deep/w.c": true, "../q.c": false} {
		if got := ignored(filepath.Join(root, "sub", filepath.FromSlash(name)), false); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFiles_ends(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a/1": "", "a/2": "", "b/3": ""})
	if err := os.Symlink(root, filepath.Join(root, "b", "loop")); err != nil {
		t.Fatal(err)
	}
	var seen []string
	visit := func(e Entry) error {
		seen = append(seen, e.Rel)
		switch e.Rel {
		case "a":
			return fs.SkipDir
		case "b/3":
			return fs.SkipAll
		}
		return nil
	}
	if _, err := Files(context.Background(), root, Options{}, visit); err != nil || strings.Join(seen, " ") != "a b b/3" {
		t.Errorf("%v %v", seen, err)
	}
	if got := list(t, root, Options{}); strings.Join(got, " ") != "a/1 a/2 b/3 b/loop" {
		t.Errorf("%v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Files(ctx, root, Options{}, visit); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	failure := errors.New("x")
	if _, err := Files(context.Background(), root, Options{}, func(Entry) error { return failure }); err != failure {
		t.Error(err)
	}
}

func TestCompile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.go", "a/b.go", true},
		{"*.go", "a/b.gox", false},
		{"./*.go", "b.go", true},
		{"a/*.go", "a/b.go", true},
		{"a/*.go", "a/c/b.go", false},
		{"/b.go", "b.go", true},
		{"a/**", "a/b/c", true},
		{"a/**", "a", false},
		{"**/b", "b", true},
		{"**/b", "a/c/b", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "ab", false},
		{"a**b", "axxb", true},
		{"a**/b", "ax/b", true},
		{"*.{ts,tsx}", "x/y.tsx", true},
		{"*.{ts,tsx}", "x/y.js", false},
		{"{a,b/c}/*.go", "b/c/x.go", true},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[]]x", "]x", true},
		{"[[:digit:]]", "7", true},
		{"[[]x", "[x", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"a.b", "axb", false},
		{"a}b,", "a}b,", true},
		{"é?", "éß", true},
	} {
		g, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := g.Match(c.path); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.path, got)
		}
	}
	for _, pattern := range []string{"", "/", "[a", "{a", `a\`, "[z-a]", strings.Repeat("?", 5000)} {
		if _, err := Compile(pattern); err == nil {
			t.Errorf("%q has no error", pattern)
		}
	}
}

// FuzzCompile: no pattern panics, and a name without special characters matches itself.
func FuzzCompile(f *testing.F) {
	f.Add("a/**/[!b-d]{x,y}*.go", "a/b/cx.go")
	f.Add(`\[a]**`, "[a]")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		parseRules(strings.NewReader(pattern))
		g, err := Compile(pattern)
		if err != nil {
			return
		}
		got := g.Match(path)
		if plain := !strings.ContainsAny(pattern, `*?[\{}/`); plain && got != (path[strings.LastIndexByte(path, '/')+1:] == pattern) && !strings.HasSuffix(path, "/") && path != "" {
			t.Errorf("%q matches %q: %v", pattern, path, got)
		}
	})
}
