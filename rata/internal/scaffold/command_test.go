package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/rata/internal/change"
)

// appFolder is the folder of an app that has nothing yet.
func appFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/app\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The words of a file's name would otherwise bind it to a system or make a test of it.
func TestFilesOfACommandAreBuiltEverywhere(t *testing.T) {
	t.Parallel()
	dir := appFolder(t)
	for name, want := range map[string]string{
		"open-windows": "openwindows.go openwindows_test.go",
		"run_test":     "runtest.go runtest_test.go",
		"ExportARM64":  "exportarm64.go exportarm64_test.go",
	} {
		set := change.New(dir)
		if _, err := (Command{Name: name}).Add(set, dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := strings.Join(set.Paths(), " "); got != want {
			t.Errorf("%s is in %s; want %s", name, got, want)
		}
	}
}

// FuzzCommand has every command that is accepted make files that Go can parse, within the app.
func FuzzCommand(f *testing.F) {
	for _, seed := range []struct{ name, folder, can, word string }{
		{"export-csv", "", "", ""},
		{"ExportCSV", "reports", "reports.view", "live"},
		{"func", "ui/x", "a.b.c", "additive"},
		{"2nd", "../x", "A", "readonly"},
		{"größe", "/", "*", ""},
	} {
		f.Add(seed.name, seed.folder, seed.can, seed.word == "live")
	}
	dir := appFolder(f)
	f.Fuzz(func(t *testing.T, name, folder, can string, live bool) {
		c := Command{Name: name, Package: folder, Can: can}
		if live {
			c.Word = "live"
		}
		set := change.New(dir)
		_, err := c.Add(set, dir)
		if checked := c.Check(); checked == nil && err != nil && !strings.Contains(err.Error(), "take another name") {
			t.Errorf("%+v is accepted, but there is no command: %v", c, err)
		}
		if err := set.Conflicts(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	})
}
