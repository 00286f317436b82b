package release

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// environ looks variables up in a map.
func environ(set map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := set[name]; return v, ok }
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, version, want string
		target              Target
		window              bool
	}{
		{"Linux", "", "-s -w", Target{"linux", "amd64"}, true},
		{"with a version", "1.2.0-rc.1", "-s -w -X " + versionVariable + "=v1.2.0-rc.1", Target{"linux", "amd64"}, true},
		{"Windows, with a window: no console beside it", "", "-s -w -H windowsgui", Target{"windows", "amd64"}, true},
		{"Windows, without: a program of the console", "", "-s -w", Target{"windows", "amd64"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (Source{Version: tt.version}).flags(tt.target, tt.window); !slices.Equal(got, []string{"-trimpath", "-ldflags", tt.want}) {
				t.Errorf("flags = %q, want the linker's to be %q", got, tt.want)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	s := Source{Lookup: environ(nil)}
	if got := s.environment(Target{"linux", "arm64"}); !slices.Equal(got, []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}) {
		t.Errorf("environment = %q", got)
	}
	s.Lookup = environ(map[string]string{"CGO_ENABLED": "1"})
	if got := s.environment(Target{"linux", "arm64"}); slices.Contains(got, "CGO_ENABLED=0") {
		t.Errorf("cgo was switched on, and environment = %q", got)
	}
	if got := Wanted(environ(nil)); got != Host() {
		t.Errorf("Wanted = %v, want the host", got)
	}
	if got := Wanted(environ(map[string]string{"GOOS": "windows", "GOARCH": "arm64"})); got.String() != "windows/arm64" {
		t.Errorf("Wanted = %v", got)
	}
}

// app writes the files of a module, and gives what builds it.
func app(t *testing.T, main string) (Source, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                           "module github.com/elyra-go/elyra\n\ngo 1.26\n",
		"window/webkitgtk/webkitgtk.go":    "package webkitgtk\n",
		"contrib/wails/wails.go":           "package wails\n",
		"app/backend_linux.go":             "package main\n\nimport _ \"github.com/elyra-go/elyra/window/webkitgtk\"\n",
		"app/main.go":                      main,
		"app/other/not_part_of_the_app.go": "package other\n\nimport _ \"github.com/elyra-go/elyra/contrib/wails\"\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var output bytes.Buffer
	return Source{Dir: filepath.Join(dir, "app"), Output: &output, Lookup: environ(nil)}, &output
}

func TestWindow(t *testing.T) {
	t.Parallel()
	s, _ := app(t, "package main\n\nfunc main() {}\n")
	for system, want := range map[string]bool{"linux": true, "windows": false} {
		if got, err := s.Window(t.Context(), Target{system, "amd64"}); err != nil || got != want {
			t.Errorf("on %s Window = %t, %v, want %t", system, got, err, want)
		}
	}
}

func TestBuildFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, main, said, want string }{
		{"a mistake", "package main\n\nfunc main() { missing() }\n", "undefined: missing", "build the app: see above"},
		{"no Go", "package\n", "expected 'IDENT'", "list the app's packages: see above"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, output := app(t, tt.main)
			_, err := s.Build(t.Context(), Host(), t.TempDir())
			if !errors.Is(err, ErrSaid) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(output.String(), tt.said) {
				t.Errorf("Build = %v, and the go command said %q", err, output)
			}
		})
	}
}

func TestFrontendIsNotThere(t *testing.T) {
	t.Parallel()
	s, _ := app(t, "")
	say := func(command string) { t.Errorf("it runs %s", command) }
	if err := s.Frontend(t.Context(), s.Dir, say); err != nil {
		t.Errorf("without package.json: %v", err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, packageFile), []byte(`{"scripts": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Frontend(t.Context(), s.Dir, say); err != nil {
		t.Errorf("without a build script: %v", err)
	}
}
