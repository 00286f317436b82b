package scaffold

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/rata/internal/change"
)

// installed is how a rata is built that came as a version.
func installed() *debug.BuildInfo {
	return &debug.BuildInfo{
		Main: debug.Module{Path: elyraPath + "/rata", Version: "v1.4.0", Sum: "h1:x"},
		Deps: []*debug.Module{{Path: "github.com/alecthomas/kong", Version: "v1.17.0"}, {Path: elyraPath, Version: "v1.4.1", Sum: "h1:y"}},
	}
}

func TestFindElyra(t *testing.T) {
	t.Parallel()
	_, source, _, _ := runtime.Caller(0)
	checkout, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	stamped := &debug.BuildInfo{Main: debug.Module{Path: elyraPath + "/rata", Version: "v1.4.1-0.20260101000000-abcdefabcdef+dirty"}}
	for _, test := range []struct {
		name   string
		info   *debug.BuildInfo
		source string
		want   Elyra
		error  string
	}{
		{"a version", installed(), filepath.Join(t.TempDir(), "mod", "rata@v1.4.0", "new.go"), Elyra{Version: "v1.4.1"}, ""},
		{"a version whose checkout is near", installed(), source, Elyra{Version: "v1.4.1"}, ""},
		{"a checkout", &debug.BuildInfo{Main: debug.Module{Path: elyraPath + "/rata", Version: "(devel)"}}, source, Elyra{unreleased, checkout}, ""},
		{"a checkout with the version of its commit", stamped, source, Elyra{unreleased, checkout}, ""},
		{"no build information", nil, source, Elyra{unreleased, checkout}, ""},
		{"a checkout that is gone", nil, filepath.Join(t.TempDir(), "rata", "new.go"), Elyra{}, "no longer there"},
		{"built without paths", stamped, "github.com/elyra-go/elyra/rata/new.go", Elyra{}, "--elyra"},
		{"no source", nil, "", Elyra{}, "--elyra"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := FindElyra(test.info, test.source)
			if got != test.want {
				t.Errorf("FindElyra gives %+v; want %+v", got, test.want)
			}
			if test.error == "" && err != nil || test.error != "" && (err == nil || !strings.Contains(err.Error(), test.error)) {
				t.Errorf("the error is %v; want %q", err, test.error)
			}
		})
	}
}

func TestCheckoutRefusesOtherModules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/elyra-go/elyra/rata\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Checkout(dir); err == nil || !strings.Contains(err.Error(), "is no checkout of Elyra") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheAppsGoIsElyras(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if line := "\ngo " + (App{}).Go() + "\n"; !strings.Contains(string(text), line) {
		t.Errorf("Elyra's go.mod does not say %q", line)
	}
}

func TestGoMod(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		elyra Elyra
		want  string
	}{
		{Elyra{Version: "v1.4.1"}, `module github.com/you/shop

go 1.26.0

require (
	github.com/elyra-go/elyra v1.4.1
	github.com/elyra-go/elyra/contrib/wails v1.4.1
)
`},
		{Elyra{unreleased, filepath.FromSlash("/home/ada/my elyra")}, `module github.com/you/shop

go 1.26.0

require (
	github.com/elyra-go/elyra v0.0.0
	github.com/elyra-go/elyra/contrib/wails v0.0.0
)

// A development build of rata made this app: it builds with the checkout of Elyra there.
replace (
	github.com/elyra-go/elyra => "/home/ada/my elyra"
	github.com/elyra-go/elyra/contrib/wails => "/home/ada/my elyra/contrib/wails"
)
`},
	} {
		set := change.New(t.TempDir())
		if err := (App{Name: "shop", ID: "com.example.shop", Module: "github.com/you/shop", Elyra: test.elyra}).Add(set); err != nil {
			t.Fatal(err)
		}
		if got, _ := set.Content("go.mod"); string(got) != test.want {
			t.Errorf("go.mod is\n%s\nwant\n%s", got, test.want)
		}
	}
}
