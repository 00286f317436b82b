package bundle

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shop is an app that says everything.
func shop() *App {
	return &App{
		ID: "com.example.shop", Name: "Shop & Söhne", Package: "shop", Version: "1.2.0-rc.1",
		Description: "Products and orders.\nFor small shops,\nand for stalls.\n\nIt needs <nothing> else.",
		Maintainer:  `Ada Lovelace <ada@example.com>`, Homepage: "https://example.com/shop", License: "MIT OR Apache-2.0",
		Categories: []string{"Office", "Finance"}, Depends: []string{"poppler-utils (>= 22)"},
		Tools: []Tool{{"products_index", "Index lists products."}, {"products_store", ""}},
	}
}

// at is a fixed time.
var at = time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)

// small gives a program of a few bytes, for packages that do not look into it.
func small(t *testing.T, system string) Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop")
	if err := os.WriteFile(path, []byte("a program for "+system), 0o700); err != nil {
		t.Fatal(err)
	}
	return Program{OS: system, Arch: "arm64", Path: path, Window: true}
}

// squarePNG is a picture.
func squarePNG(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{Tar, MCPB, MacApp, Windows} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			var sums []string
			p := small(t, "darwin")
			for range 2 {
				a, err := Make(t.TempDir(), kind, shop(), at, p)
				if err != nil {
					t.Fatal(err)
				}
				if sum, err := sumOf(a.Path); err != nil || sum != a.SHA256 {
					t.Errorf("the file's sum is %s, %v; Make says %s", sum, err, a.SHA256)
				}
				sums = append(sums, a.SHA256)
			}
			if sums[0] != sums[1] {
				t.Error("twice the same made different bytes")
			}
			later, err := Make(t.TempDir(), kind, shop(), at.Add(time.Hour), p)
			if err != nil || later.SHA256 == sums[0] {
				t.Errorf("another time made the same bytes, or %v", err)
			}
		})
	}
}

func TestReplaceLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.deb")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "half of the ne")
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Errorf("replace = %v, want the writer's error", err)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "old" {
		t.Errorf("the file is %q, %v, want the old one", content, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestProgramIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, kind := range []Kind{Deb, Tar, MCPB, MacApp, Windows} {
		_, err := Make(dir, kind, shop(), at, Program{OS: "linux", Arch: "amd64", Path: filepath.Join(dir, "missing")})
		if err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("%s: Make = %v, want the file that is missing", kind, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestSums(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	app := shop()
	first, err := Make(dir, Windows, app, at, small(t, "windows"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Make(dir, MacApp, app, at, small(t, "darwin"))
	if err != nil {
		t.Fatal(err)
	}
	older := os.WriteFile(filepath.Join(dir, "shop_1.1.0_linux_amd64.deb"), nil, 0o600)
	if err := errors.Join(older, os.Mkdir(filepath.Join(dir, "shop_1.2.0-rc.1_folder_"), 0o700)); err != nil {
		t.Fatal(err)
	}
	path, err := Sums(dir, app)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := []string{first.SHA256 + "  " + filepath.Base(first.Path), second.SHA256 + "  " + filepath.Base(second.Path)}
	slices.Sort(want)
	if err != nil || string(got) != strings.Join(want, "\n")+"\n" {
		t.Errorf("the sums are %q, %v, want %q", got, err, want)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	if problems := shop().Check(Deb, Tar, MCPB, MacApp, Windows); problems != nil {
		t.Errorf("Check = %v, want no problem", problems)
	}
	for _, tt := range []struct {
		name, key, want string
		change          func(a *App)
	}{
		{"id without a domain", "app.id", "reverse domain name", func(a *App) { a.ID = "shop" }},
		{"id of other letters", "app.id", "reverse domain name", func(a *App) { a.ID = "com.example.магазин" }},
		{"short package name", "bundle.package", "at least two", func(a *App) { a.Package = "s" }},
		{"package name that is a path", "bundle.package", "at least two", func(a *App) { a.Package = "../shop" }},
		{"name of two lines", "app.name", "control character", func(a *App) { a.Name = "Shop\nExec=evil" }},
		{"name that is a path", "app.name", "names a folder", func(a *App) { a.Name = "a/b" }},
		{"control characters", "bundle.description", "control character", func(a *App) { a.Description = "a\x1b[31m" }},
		{"nobody", "bundle.maintainer", "nobody answers", func(a *App) { a.Maintainer = "" }},
		{"no address", "bundle.maintainer", "want Name <", func(a *App) { a.Maintainer = "Ada" }},
		{"no name", "bundle.maintainer", "want Name <", func(a *App) { a.Maintainer = "ada@example.com" }},
		{"homepage", "bundle.homepage", "want an address", func(a *App) { a.Homepage = "javascript:alert(1)" }},
		{"license", "bundle.license", "SPDX", func(a *App) { a.License = "my own, see below" }},
		{"dependency", "bundle.depends", "is no dependency", func(a *App) { a.Depends = []string{"Poppler >= 22"} }},
		{"two dependencies in one", "bundle.depends", "is no dependency", func(a *App) { a.Depends = []string{"a1 | b2\nEssential: yes"} }},
		{"no main category", "bundle.categories", `did you mean "Office"?`, func(a *App) { a.Categories = []string{"Offise"} }},
		{"category", "bundle.categories", "is no category", func(a *App) { a.Categories = []string{"Office", "a;b"} }},
		{"icon that is none", "app.icon", "it is no PNG file", func(a *App) { a.Icon = []byte("<svg/>") }},
		{"icon that is not square", "app.icon", "200 × 100 pixels", func(a *App) { a.Icon = squarePNG(t, 200, 100) }},
		{"small icon", "app.icon", "want a square of 128", func(a *App) { a.Icon = squarePNG(t, 32, 32) }},
		{"damaged icon", "app.icon", "it is damaged", func(a *App) { a.Icon = squarePNG(t, 128, 128)[:60] }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := shop()
			tt.change(a)
			problems := a.Check(Deb)
			if len(problems) != 1 || problems[0].Key != tt.key || !strings.Contains(problems[0].Text, tt.want) {
				t.Errorf("Check = %v, want one about %s with %q", problems, tt.key, tt.want)
			}
		})
	}
	a := shop()
	a.Maintainer = ""
	if problems := a.Check(Windows); problems != nil {
		t.Errorf("without a maintainer, Check(Windows) = %v", problems)
	}
}
