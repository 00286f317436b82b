package repotest

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	linkTarget = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	testName   = regexp.MustCompile(`\b(?:Test|Fuzz|Example)[A-Z]\w+`)
	codeName   = regexp.MustCompile(`\b(elyra|elyratest|database|sqlite|webkitgtk|headless)\.([A-Z]\w*)`)
)

// anchors gives the names by which the headings of a page can be linked to, as GitHub makes them.
func (p page) anchors() []string {
	var all []string
	for _, line := range p.prose() {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		var anchor strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#"))) {
			switch {
			case r == ' ':
				anchor.WriteByte('-')
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				anchor.WriteRune(r)
			}
		}
		all = append(all, anchor.String())
	}
	return all
}

// brokenLinks reports the relative links of a page that lead nowhere. exists says whether the repository has
// a file or folder; others are all pages.
func brokenLinks(p page, others []page, exists func(name string) bool) []string {
	var problems []string
	for i, line := range p.prose() {
		for _, m := range linkTarget.FindAllStringSubmatch(line, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			name := p.name
			if target != "" {
				name = path.Join(path.Dir(p.name), target)
			}
			if !exists(name) {
				problems = append(problems, fmt.Sprintf("%s:%d: %s does not exist", p.name, i+1, m[1]))
				continue
			}
			at := slices.IndexFunc(others, func(o page) bool { return o.name == name })
			if anchor != "" && (at < 0 || !slices.Contains(others[at].anchors(), anchor)) {
				problems = append(problems, fmt.Sprintf("%s:%d: %s has no heading #%s", p.name, i+1, name, anchor))
			}
		}
	}
	return problems
}

// unknownNames reports what a page names and the code does not have: tests, and what a public package exports.
func unknownNames(p page, tests map[string]bool, exported map[string]map[string]bool) []string {
	var problems []string
	for i, line := range p.prose() {
		for _, name := range testName.FindAllString(line, -1) {
			if !tests[name] {
				problems = append(problems, fmt.Sprintf("%s:%d: there is no test %s", p.name, i+1, name))
			}
		}
		for _, m := range codeName.FindAllStringSubmatch(line, -1) {
			if !exported[m[1]][m[2]] {
				problems = append(problems, fmt.Sprintf("%s:%d: package %s exports no %s", p.name, i+1, m[1], m[2]))
			}
		}
	}
	return problems
}

// unshown reports the rows of tables whose last column is "shown by" and that name no test there.
func unshown(p page) []string {
	var problems []string
	shows := false
	for i, line := range p.prose() {
		cells := strings.Split(strings.Trim(line, "| "), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		switch {
		case !strings.HasPrefix(line, "|"):
			shows = false
		case last == "shown by":
			shows = true
		case shows && strings.Trim(last, "-:") != "" && !testName.MatchString(last):
			problems = append(problems, fmt.Sprintf("%s:%d: no test shows this", p.name, i+1))
		}
	}
	return problems
}

// exports lists what a file declares at its top level for others.
func exports(s source) []string {
	var names []string
	for _, d := range s.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}

func TestLinks(t *testing.T) {
	t.Parallel()
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return fs.ValidPath(name) && err == nil
	}
	all := pages(t)
	var problems []string
	for _, p := range all {
		problems = append(problems, brokenLinks(p, all, exists)...)
	}
	report(t, problems, "links are relative to the page; a heading's name is lower-case, with - for spaces")
}

func TestNamesInDocumentation(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	exported := map[string]map[string]bool{}
	public := map[string]bool{".": true, "elyratest": true, "database": true, "database/sqlite": true, "window/webkitgtk": true, "window/headless": true}
	for _, s := range sources(t) {
		for _, name := range exports(s) {
			switch {
			case s.isTest():
				tests[name] = true
			case public[s.folder()]:
				if exported[s.ast.Name.Name] == nil {
					exported[s.ast.Name.Name] = map[string]bool{}
				}
				exported[s.ast.Name.Name][name] = true
			}
		}
	}
	var problems []string
	for _, p := range pages(t) {
		if p.documentation() {
			problems = append(problems, unknownNames(p, tests, exported)...)
			problems = append(problems, unshown(p)...)
		}
	}
	report(t, problems, "name what is there; when code was renamed, rename it on the page too")
}

func TestReferences(t *testing.T) {
	t.Parallel()
	other := page{"docs/b.md", []string{"# One, two & `three`", "```text", "# no heading", "```"}}
	exists := func(name string) bool { return name == "docs/b.md" || name == "go.mod" || name == "docs/a.md" }
	tests := map[string]bool{"TestThere": true}
	exported := map[string]map[string]bool{"elyra": {"New": true}}
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"good links", "[a](b.md) [a](../go.mod) [a](https://example.org) [a](b.md#one-two--three) [a](#top)\n# Top", 0},
		{"missing file", "[a](c.md)", 1},
		{"outside", "[a](../../go.mod)", 1},
		{"missing heading", "[a](b.md#four) [a](b.md#no-heading) [a](#top)", 3},
		{"image", "![a](a.png)", 1},
		{"names", "`TestThere` `elyra.New(x)` `elyra.toml` Testing Examples", 0},
		{"unknown names", "`TestGone` `FuzzGone` `elyra.Old`", 3},
		{"shown", "| promise | shown by |\n|---|---|\n| a | `TestThere` |\n\n| other | table |\n|---|---|\n| a | b |", 0},
		{"not shown", "| promise | shown by |\n|---|:--|\n| `TestThere` | yes |\n| b | |", 2},
		{"in code", "```go\n[a](c.md) elyra.Old TestGone\n```", 0},
	} {
		p := page{"docs/a.md", strings.Split(tt.text, "\n")}
		got := slices.Concat(brokenLinks(p, []page{p, other}, exists), unknownNames(p, tests, exported), unshown(p))
		if len(got) != tt.want {
			t.Errorf("%s: problems = %q, want %d", tt.name, got, tt.want)
		}
	}
}
