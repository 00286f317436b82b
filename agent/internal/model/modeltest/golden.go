package modeltest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Golden holds that a JSON text is that of a file in testdata, which it writes instead when update is set. Order of members
// counts: the bytes of requests do.
func Golden(t testing.TB, name string, text []byte, update bool) {
	t.Helper()
	got := jsontext.Value(bytes.Clone(text))
	if err := got.Indent(jsontext.WithIndent("  ")); err != nil {
		t.Fatalf("golden %s: %v: %s", name, err, text)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}
