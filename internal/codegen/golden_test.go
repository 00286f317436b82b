package codegen

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata/*.txtar")

// The archives in testdata hold the files of a module, and what generating for ./... in it gives:
// each generated file under want/, or the text of the error as want/errors.
func TestGolden(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("testdata: %d archives, %v", len(archives), err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			comment, files := parseArchive(string(text))
			var sources, want []archived
			for _, f := range files {
				if strings.HasPrefix(f.name, "want/") {
					want = append(want, f)
				} else {
					sources = append(sources, f)
				}
			}
			got := generated(t, writeModule(t, sources))
			if *update {
				if err := os.WriteFile(path, []byte(formatArchive(comment, append(sources, got...))), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if g, w := formatArchive("", got), formatArchive("", want); g != w {
				t.Errorf("got:\n%s\nwant:\n%s\n(go test -update writes what it got)", g, w)
			}
		})
	}
}

// generated runs Generate in dir, checks that the result compiles, and gives its files, or its errors, in the form of the archives.
func generated(t *testing.T, dir string) []archived {
	t.Helper()
	files, err := Generate(Options{Dir: dir})
	if err != nil {
		return []archived{{"want/errors", strings.ReplaceAll(err.Error(), dir, "$DIR") + "\n"}}
	}
	var got []archived
	for _, f := range files {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
		got = append(got, archived{"want/" + f.Display, string(f.Content)})
	}
	compile(t, dir, files)
	return got
}

// archived is one file of an archive in the txtar format.
type archived struct{ name, text string }

func parseArchive(text string) (comment string, files []archived) {
	var b strings.Builder
	flush := func() {
		if len(files) == 0 {
			comment = b.String()
		} else {
			files[len(files)-1].text = b.String()
		}
		b.Reset()
	}
	for line := range strings.Lines(text) {
		name, isMarker := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- ")
		if name, closed := strings.CutSuffix(name, " --"); isMarker && closed {
			flush()
			files = append(files, archived{name: name})
			continue
		}
		b.WriteString(line)
	}
	flush()
	return comment, files
}

func formatArchive(comment string, files []archived) string {
	var b bytes.Buffer
	b.WriteString(comment)
	for _, f := range files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.name, f.text)
	}
	return b.String()
}

// writeModule puts files into a new folder. Without a go.mod among them it is module example.com/crm.
func writeModule(t testing.TB, files []archived) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/crm\n\ngo 1.26\n")
	for _, f := range files {
		write(f.name, f.text)
	}
	return dir
}
