package codegen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const oneCommand = "package a\n\nimport \"context\"\n\n// Do does it.\n//\n//elyra:command\nfunc Do(ctx context.Context) error { return nil }\n"

// run generates for a folder and writes what it got.
func run(t *testing.T, dir string) []File {
	t.Helper()
	files, err := Generate(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestWriteLeavesAnEqualFileAlone(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, []archived{{"a/a.go", oneCommand}})
	if files := run(t, dir); len(files) != 1 || !files[0].Stale || files[0].Commands != 1 {
		t.Fatalf("first run gave %+v", files)
	}
	path := filepath.Join(dir, "a", FileName)
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := errors.Join(os.Chtimes(path, old, old), os.Chmod(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if files := run(t, dir); len(files) != 1 || files[0].Stale {
		t.Fatalf("second run gave %+v", files)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the file was written again: %v, %v", info, err)
	}
	if err := os.WriteFile(path, []byte(header+"\npackage broken ("), 0o600); err != nil {
		t.Fatal(err)
	}
	if files := run(t, dir); len(files) != 1 || !files[0].Stale {
		t.Fatalf("a broken generated file gave %+v", files)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Errorf("temporary files stayed behind: %v, %v", entries, err)
	}
}

func TestLastCommandGoneRemovesTheFile(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, []archived{{"a/a.go", oneCommand}, {"b/b.go", "package b\n"}, {"b/" + FileName, "package b // by hand\n"}})
	run(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "a/a.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if files := run(t, dir); len(files) != 1 || !files[0].Stale || files[0].Content != nil {
		t.Fatalf("got %+v, want the removal of one file", files)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a package without commands is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b", FileName)); err != nil {
		t.Errorf("a file written by hand is gone: %v", err)
	}
	if files := run(t, dir); len(files) != 0 {
		t.Errorf("nothing is left to do, but got %+v", files)
	}
}

func TestOneProblemAnywhereGivesNoFiles(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, []archived{{"a/a.go", oneCommand}, {"b/b.go", "package b\n\n//elyra:command\nfunc Do() {}\n"}})
	files, err := Generate(Options{Dir: dir})
	var problems Problems
	if !errors.As(err, &problems) || len(problems) != 2 || files != nil {
		t.Errorf("got %+v, %v; want two problems and no files", files, err)
	}
}

func TestPatternsNameFolders(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, []archived{
		{"a/a.go", oneCommand},
		{"a/b/b.go", oneCommand},
		{"a/_c/c.go", oneCommand},
		{"a/.d/d.go", oneCommand},
		{"a/vendor/e/e.go", oneCommand},
		{"f/f.go", oneCommand},
	})
	for _, tt := range []struct {
		patterns []string
		want     string
	}{
		{nil, "a/b/elyra_gen.go a/elyra_gen.go f/elyra_gen.go"},
		{[]string{"..."}, "a/b/elyra_gen.go a/elyra_gen.go f/elyra_gen.go"},
		{[]string{"a"}, "a/elyra_gen.go"},
		{[]string{"./a/...", "f", "./f/"}, "a/b/elyra_gen.go a/elyra_gen.go f/elyra_gen.go"},
		{[]string{filepath.Join(dir, "f")}, "f/elyra_gen.go"},
	} {
		files, err := Generate(Options{Dir: dir, Patterns: tt.patterns})
		var got []string
		for _, f := range files {
			got = append(got, f.Display)
		}
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%q gives %q, %v; want %s", tt.patterns, got, err, tt.want)
		}
	}
	for _, pattern := range []string{"missing", "a/a.go", "missing/..."} {
		if _, err := Generate(Options{Dir: dir, Patterns: []string{pattern}}); err == nil || !strings.Contains(err.Error(), "is no folder") {
			t.Errorf("%q gives %v", pattern, err)
		}
	}
}

func TestConstantDefinedByItselfIsNoEnumeration(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, []archived{{"a/a.go", oneCommand + "\ntype Kind int\n\nconst (\n\tA Kind = B\n\tB Kind = A\n)\n\n" +
		"//elyra:command\nfunc Of(ctx context.Context, kind Kind) error { return nil }\n"}})
	if files := run(t, dir); len(files) != 1 || strings.Contains(string(files[0].Content), "Enum") {
		t.Errorf("got %s", files[0].Content)
	}
}

func TestModuleLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"module a/b\n": "a/b", "// module x\nmodule \"a/b\" // c\r\n": "a/b", "go 1.26\n\tmodule   a": "a", "modules a\n": "", "": "",
	} {
		if got := modulePath(text); got != want {
			t.Errorf("modulePath(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWindowsLineEndsGiveTheSameFile(t *testing.T) {
	t.Parallel()
	unix := run(t, writeModule(t, []archived{{"a/a.go", oneCommand}}))
	windows := run(t, writeModule(t, []archived{{"a/a.go", strings.ReplaceAll(oneCommand, "\n", "\r\n")}}))
	if !slices.Equal(unix[0].Content, windows[0].Content) {
		t.Errorf("got:\n%s\nwant:\n%s", windows[0].Content, unix[0].Content)
	}
}

// manyFiles is a module of 20 packages with ten files and 20 commands each.
func manyFiles() []archived {
	var files []archived
	for p := range 20 {
		for f := range 10 {
			text := fmt.Sprintf("package p%d\n\nimport (\n\t\"context\"\n\n\t\"example.com/crm/p0\"\n)\n\n", p)
			if p == 0 {
				text = "package p0\n\nimport \"context\"\n\ntype Shared struct {\n\tName string // of it\n}\n\n"
				if f > 0 {
					text = "package p0\n\nimport \"context\"\n\n"
				}
			}
			shared := "p0.Shared"
			if p == 0 {
				shared = "Shared"
			}
			for c := range 2 {
				text += fmt.Sprintf("// Input%d_%d is what it takes.\ntype Input%d_%d struct {\n\tName string // how it is called\n\tOther %s // another\n}\n\n",
					f, c, f, c, shared)
				text += fmt.Sprintf("// Store%d_%d stores one. Use it when there is none.\n//\n//elyra:command can=things.create additive\n", f, c)
				text += fmt.Sprintf("func Store%d_%d(ctx context.Context, input Input%d_%d, other *%s) (%s, error) {\n\treturn input.Other, nil\n}\n\n",
					f, c, f, c, shared, shared)
			}
			for n := range 40 { // code that is no command
				text += fmt.Sprintf("func helper%d_%d(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\n", f, n)
			}
			files = append(files, archived{fmt.Sprintf("p%d/f%d.go", p, f), text})
		}
	}
	return files
}

// BenchmarkGenerate200Files has to stay below 0.3 s an operation.
func BenchmarkGenerate200Files(b *testing.B) {
	dir := writeModule(b, manyFiles())
	for b.Loop() {
		if files, err := Generate(Options{Dir: dir}); err != nil || len(files) != 20 {
			b.Fatal(len(files), err)
		}
	}
}
