package repotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A direction is one rule about who may import whom. Paths are written without the module's own prefix
// ("internal/wire"; package elyra itself is "elyra"); "x/..." stands for x and all below it.
type direction struct {
	from   []string // the packages that the rule binds
	except []string // those of them that it does not
	mayNot []string // what they must not import
	only   []string // if not nil: all that they may import of this module
	tests  bool     // whether the rule binds their tests too
	why    string
}

var directions = []direction{
	{
		from: []string{"internal/..."}, mayNot: []string{"elyra", "elyratest"}, tests: true,
		why: "internal packages serve package elyra, so they take what they need as arguments",
	},
	{
		from: []string{"internal/wire", "internal/ratelimit", "internal/nearest", "internal/stdio", "internal/process"}, only: []string{},
		why: "leaves know nothing of the rest",
	},
	{
		from: []string{"internal/mcp"}, only: []string{"internal/wire"},
		why: "message types stand on the wire's words alone",
	},
	{
		from: []string{"internal/mcpserver"}, only: []string{"internal/wire", "internal/mcp"},
		why: "the server serves any Catalog, so it must not know an app",
	},
	{
		from: []string{"internal/mcpclient"}, only: []string{"internal/wire", "internal/mcp", "internal/process"},
		why: "the client must be able to talk to servers of other people",
	},
	{
		from: []string{"internal/mcpclient/streamable"}, only: []string{"internal/wire", "internal/mcp", "internal/mcpclient"},
		why: "it is a transport of the client, and knows nobody else",
	},
	{
		from: []string{"agent/..."}, mayNot: []string{"elyra", "elyratest", "window/...", "database/...", "internal/bridge", "internal/endpoint", "internal/shim", "internal/live"}, tests: true,
		why: "the agent uses servers of anybody, and the protocol's packages for it, not the framework",
	},
	{
		from: []string{"agent/internal/..."}, mayNot: []string{"agent/internal/cli"},
		why: "commands stand on features",
	},
	{
		from: []string{"agent/internal/home", "agent/internal/search", "agent/internal/result", "agent/internal/keeper"}, mayNot: []string{"agent/..."},
		why: "leaves of the agent know nothing of the rest of it",
	},
	{
		from: []string{"internal/mcpschema"}, only: []string{"internal/wire", "internal/mcp"},
		why: "a judge knows neither of the parties",
	},
	{
		from: []string{"..."}, except: []string{"examples/...", "bench/...", "window/...", "database/..."},
		mayNot: []string{"window/webkitgtk", "database/sqlite", "database/postgres"},
		why:    "only programs, examples and tests choose a window backend or a database driver",
	},
	{
		from: []string{"window/...", "database/..."}, except: []string{"window/webkitgtk", "database/sqlite/...", "database/postgres/..."},
		mayNot: []string{"window/webkitgtk", "database/sqlite", "database/postgres"},
		why:    "what backends and drivers share must not depend on one of them",
	},
	{
		from: []string{"window/...", "database/..."}, mayNot: []string{"elyra"},
		why: "package elyra stands on them",
	},
}

// ours gives a package's path without the module's prefix, and whether the package is of this module
// or of one that lives beside it in the repository.
func ours(path string) (string, bool) {
	if path == module {
		return "elyra", true
	}
	return strings.CutPrefix(path, module+"/")
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if pattern == "..." {
			return true
		}
		if folder, ok := strings.CutSuffix(pattern, "/..."); ok {
			return name == folder || strings.HasPrefix(name, folder+"/")
		}
		return name == pattern
	})
}

// broken reports the imports of one package that a direction forbids. Programs (package main) are where
// backends and drivers are chosen, so no direction binds them unless it names them exactly.
func (d direction) broken(p listed) []string {
	name, ok := ours(p.ImportPath)
	if !ok || !matches(d.from, name) || matches(d.except, name) || p.Name == "main" {
		return nil
	}
	imports := p.Imports
	if d.tests {
		imports = slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	}
	var problems []string
	for _, path := range slices.Compact(slices.Sorted(slices.Values(imports))) {
		imported, ok := ours(path)
		if !ok || imported == name {
			continue
		}
		if matches(d.mayNot, imported) || d.only != nil && !matches(d.only, imported) {
			problems = append(problems, fmt.Sprintf("%s imports %s: %s", name, imported, d.why))
		}
	}
	return problems
}

func TestImportDirections(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			var problems []string
			for _, folder := range modules(t) {
				for _, p := range goList(t, folder, goos, "./...") {
					for _, d := range directions {
						problems = append(problems, d.broken(p)...)
					}
				}
			}
			report(t, problems, "turn the dependency round: let the lower package declare a small interface "+
				"or take a function; if the direction itself is wrong, change ARCHITECTURE.md with it")
		})
	}
}

func TestDirectionsNamePackagesThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{"elyra": true}
	for _, s := range sources(t) {
		exists[s.folder()] = true
	}
	for _, d := range directions {
		for _, pattern := range slices.Concat(d.from, d.except, d.mayNot, d.only) {
			name, all := strings.CutSuffix(pattern, "...")
			// database/postgres is a name that the rules keep for a driver to come.
			if all || name == "database/postgres" || exists[name] {
				continue
			}
			t.Errorf("a direction names %q, which does not exist: %s", pattern, d.why)
		}
	}
}

func TestBrokenDirections(t *testing.T) {
	t.Parallel()
	closed := direction{from: []string{"internal/..."}, mayNot: []string{"elyra"}, tests: true}
	few := direction{from: []string{"internal/mcpserver"}, only: []string{"internal/wire"}}
	drivers := direction{from: []string{"..."}, except: []string{"examples/..."}, mayNot: []string{"database/sqlite"}}
	tests := []struct {
		name string
		rule direction
		p    listed
		want int
	}{
		{"forbidden", closed, listed{ImportPath: module + "/internal/a/b", Imports: []string{module}}, 1},
		{"forbidden in a test", closed, listed{ImportPath: module + "/internal/a", XTestImports: []string{module}}, 1},
		{"outside the rule", closed, listed{ImportPath: module + "/window", Imports: []string{module}}, 0},
		{"another module", closed, listed{ImportPath: "example.com/internal/a", Imports: []string{module}}, 0},
		{"allowed", few, listed{ImportPath: module + "/internal/mcpserver", Imports: []string{"fmt", module + "/internal/wire"}}, 0},
		{"not on the list", few, listed{ImportPath: module + "/internal/mcpserver", Imports: []string{module + "/internal/live"}}, 1},
		{"a test may", few, listed{ImportPath: module + "/internal/mcpserver", TestImports: []string{module + "/internal/live"}}, 0},
		{"driver in the framework", drivers, listed{ImportPath: module, Name: "elyra", Imports: []string{module + "/database/sqlite"}}, 1},
		{"driver in a program", drivers, listed{ImportPath: module + "/x", Name: "main", Imports: []string{module + "/database/sqlite"}}, 0},
		{"driver in an example", drivers, listed{ImportPath: module + "/examples/a", Imports: []string{module + "/database/sqlite"}}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.rule.broken(test.p); len(got) != test.want {
				t.Errorf("broken = %q, want %d", got, test.want)
			}
		})
	}
}
