package repotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unlinked are packages that must not come with package elyra: an app links them only when it imports
// what needs them. "x/..." stands for x and all below it.
var unlinked = map[string]string{
	"net/http":                         "an app is reached over stdio and a private socket; nothing listens for HTTP",
	"testing":                          "tests bring it, programs do not",
	"github.com/ebitengine/purego/...": "window/webkitgtk brings it",
	"modernc.org/...":                  "database/sqlite brings it",
}

// linkProblems reports which packages of a program's whole dependency list must not be there, each with
// one importer so that one sees where it comes from.
func linkProblems(deps []listed) []string {
	var problems []string
	for _, p := range deps {
		for pattern, why := range unlinked {
			if !matches([]string{pattern}, p.ImportPath) {
				continue
			}
			var importers []string
			for _, other := range deps {
				if slices.Contains(other.Imports, p.ImportPath) {
					importers = append(importers, other.ImportPath)
				}
			}
			problems = append(problems, fmt.Sprintf("package elyra links %s through %s, but %s",
				p.ImportPath, strings.Join(importers, ", "), why))
		}
	}
	slices.Sort(problems)
	return problems
}

func TestPackageElyraLinksLittle(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			deps := goList(t, ".", goos, "-deps", ".")
			if len(deps) < 50 {
				t.Fatalf("go list -deps names only %d packages: does package elyra build?", len(deps))
			}
			report(t, linkProblems(deps), "import it in the package that an app chooses, or behind an interface")
		})
	}
}

func TestLinkProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		deps []listed
		want string
	}{
		{"nothing", []listed{{ImportPath: "net"}, {ImportPath: "net/url"}}, ""},
		{"exact", []listed{{ImportPath: "a", Imports: []string{"net/http"}}, {ImportPath: "net/http"}}, "links net/http through a"},
		{"only exact", []listed{{ImportPath: "net/http/httptest2"}}, ""},
		{"below", []listed{{ImportPath: "b", Imports: []string{"modernc.org/sqlite/lib"}}, {ImportPath: "modernc.org/sqlite/lib"}}, "links modernc.org/sqlite/lib through b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(linkProblems(test.deps), "\n")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("linkProblems = %q, want %q", got, test.want)
			}
		})
	}
}
