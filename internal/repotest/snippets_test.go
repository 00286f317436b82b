package repotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Code in the documentation is copied from files that are compiled and tested. A comment above a block
// names its source:
//
//	<!-- from examples/crm/main.go -->                 the whole file
//	<!-- from examples/crm/main.go#build,main -->      declarations, with their comments
//	<!-- from a_test.go#T.Method:body -->              what stands in a function
//	<!-- from a_test.go#ExampleF:output -->            what an example prints
//	<!-- from a_test.go#text:value -->                 the text of a string constant
//	<!-- from a.txtar#name -->                         a file in an archive of files
//	<!-- from a_test.go#name -->                       the lines from "// snippet:name" to "// endsnippet"
//
// `go test ./internal/repotest -run Snippets -update` copies them again.

// copied are the languages whose blocks must name a source; free are those that need none.
var (
	copied = []string{"go", "sql", "js", "ts", "html", "css", "toml"}
	free   = []string{"sh", "json", "text"}
)

var regionLine = regexp.MustCompile(`^\s*(?://|--|#|<!--)\s*(snippet:(\S+)|endsnippet)(?: -->)?$`)

// snippet gives the text that a marker names; read gives the file.
func snippet(marker string, read func(name string) ([]byte, error)) (string, error) {
	name, fragment, _ := strings.Cut(strings.TrimPrefix(marker, "from "), "#")
	text, err := read(name)
	if err != nil {
		return "", err
	}
	if fragment == "" {
		return tidy(string(text)), nil
	}
	var parts []string
	for part := range strings.SplitSeq(fragment, ",") {
		found, err := region(string(text), part)
		switch path.Ext(name) {
		case ".go":
			if found == "" && err == nil {
				found, err = declaration(name, text, part)
			}
		case ".txtar":
			_, after, _ := strings.Cut(string(text), "\n-- "+part+" --\n")
			found, _, _ = strings.Cut(after, "\n-- ")
		}
		if found == "" && err == nil {
			err = errors.New("there is no such region")
		}
		if err != nil {
			return "", fmt.Errorf("%s#%s: %w", name, part, err)
		}
		parts = append(parts, tidy(found))
	}
	return strings.Join(parts, "\n\n"), nil
}

// region gives the lines of a named region, "" when there is none.
func region(text, name string) (string, error) {
	var lines []string
	inside := false
	for line := range strings.SplitSeq(text, "\n") {
		m := regionLine.FindStringSubmatch(line)
		switch {
		case m != nil && m[2] == name:
			inside = true
		case inside && m != nil && m[1] == "endsnippet":
			return strings.Join(lines, "\n"), nil
		case inside:
			lines = append(lines, line)
		}
	}
	if inside {
		return "", errors.New("the region has no endsnippet")
	}
	return "", nil
}

// declaration gives a declaration of a Go file with its comment, or a part of a function.
func declaration(path string, text []byte, name string) (string, error) {
	s, err := parse(path, text)
	if err != nil {
		return "", err
	}
	name, part, _ := strings.Cut(name, ":")
	node, doc := declared(s.ast, name)
	if node == nil {
		return "", errors.New("there is no such region or declaration")
	}
	cut := func(from, to token.Pos) string {
		return string(text[s.fset.Position(from).Offset:s.fset.Position(to).Offset])
	}
	if part == "" {
		from := node.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		return cut(from, node.End()), nil
	}
	f, ok := node.(*ast.FuncDecl)
	if !ok && part == "value" {
		return constant(node)
	}
	if !ok {
		return "", fmt.Errorf("%s is no function, so it has no %s", name, part)
	}
	body := cut(f.Body.Lbrace+1, f.Body.Rbrace)
	code, output, printed := strings.Cut(body, "// Output:")
	switch {
	case part == "body":
		return code, nil
	case part == "output" && printed:
		var lines []string
		for line := range strings.SplitSeq(strings.TrimSpace(output), "\n") {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "//"), " "))
		}
		return strings.Join(lines, "\n"), nil
	}
	return "", fmt.Errorf("%s has no %s", name, part)
}

// constant gives the text of a constant that is one string.
func constant(node ast.Node) (string, error) {
	var text string
	err := errors.New("the constant is not one string")
	ast.Inspect(node, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	return text, err
}

// declared finds a function, a method ("T.Method"), or a type, constant or variable that is declared alone.
func declared(file *ast.File, name string) (ast.Node, *ast.CommentGroup) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			full := d.Name.Name
			if d.Recv != nil {
				full = receiverName(d.Recv.List[0].Type) + "." + full
			}
			if full == name {
				return d, d.Doc
			}
		case *ast.GenDecl:
			if len(d.Specs) != 1 {
				continue
			}
			switch spec := d.Specs[0].(type) {
			case *ast.TypeSpec:
				if spec.Name.Name == name {
					return d, d.Doc
				}
			case *ast.ValueSpec:
				if spec.Names[0].Name == name {
					return d, d.Doc
				}
			}
		}
	}
	return nil, nil
}

// tidy drops the lines that mark regions, empty lines at both ends, and the indentation that all lines share.
func tidy(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), regionLine.MatchString)
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	indent := -1
	for _, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); rest != "" && (indent < 0 || len(line)-len(rest) < indent) {
			indent = len(line) - len(rest)
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line[min(max(indent, 0), len(line)):], " \t")
	}
	return strings.Join(lines, "\n")
}

// snippetProblems compares the blocks of a page with their sources, and gives the texts of those that differ.
func snippetProblems(p page, read func(name string) ([]byte, error)) (problems []string, texts map[int]string) {
	all, problems := p.fences()
	texts = map[int]string{}
	for i, f := range all {
		problem := ""
		switch {
		case strings.HasPrefix(f.marker, "run in "):
			if f.language != "console" {
				problem = `a block that is run is of the language "console"`
			}
		case f.marker != "":
			want, err := snippet(f.marker, read)
			if err != nil {
				problem = err.Error()
			} else if p.text(f) != want {
				problem, texts[i] = "this is not what "+strings.TrimPrefix(f.marker, "from ")+" says", want
			}
		case slices.Contains(copied, f.language):
			problem = "a block of " + f.language + " names no source"
		case f.language == "console":
			problem = "a block of console says nowhere to run it"
		case !slices.Contains(free, f.language):
			problem = fmt.Sprintf("a block of the unknown language %q", f.language)
		case f.language == "json" && !json.Valid([]byte(p.text(f))):
			problem = "this is no JSON"
		}
		if problem != "" {
			problems = append(problems, p.at(f)+": "+problem)
		}
	}
	return problems, texts
}

func TestSnippets(t *testing.T) {
	t.Parallel()
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) }
	var problems []string
	for _, p := range pages(t) {
		if !p.documentation() {
			continue
		}
		found, texts := snippetProblems(p, read)
		if *update && len(texts) > 0 {
			p.rewrite(t, texts)
			continue // what else is wrong is told by the next run
		}
		problems = append(problems, found...)
	}
	report(t, problems, "copy blocks again with: go test ./internal/repotest -run Snippets -update; "+
		"a new block names its source in a comment above it, see snippets_test.go")
}

func TestSnippetSources(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.go": "// Package a is one.\npackage a\n\n// F does.\nfunc F() {\n\t// snippet:part\n\tone()\n\n\ttwo()\n\t// endsnippet\n}\n\n" +
			"// T is one.\ntype T struct{}\n\nfunc (t *T) M() int { return 1 }\n\nconst (\n\tA = 1\n\tB = 2\n)\n\n" +
			"const text = `one\n\n\ttwo`\n\nfunc ExampleF() {\n\tF()\n\t// Output:\n\t// one\n\t//   two\n}\n\n// snippet:torn\n",
		"a.txtar": "# a\n-- one --\n1\n2\n-- two --\n3\n",
		"a.sql":   "-- snippet:up\nselect 1;\n-- endsnippet\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	for _, tt := range []struct{ marker, want, err string }{
		{"from a.go#F", "// F does.\nfunc F() {\n\tone()\n\n\ttwo()\n}", ""},
		{"from a.go#part", "one()\n\ntwo()", ""},
		{"from a.go#F:body", "one()\n\ntwo()", ""},
		{"from a.go#T,T.M", "// T is one.\ntype T struct{}\n\nfunc (t *T) M() int { return 1 }", ""},
		{"from a.go#ExampleF:body", "F()", ""},
		{"from a.go#ExampleF:output", "one\n  two", ""},
		{"from a.go#text:value", "one\n\n\ttwo", ""},
		{"from a.txtar#one", "1\n2", ""},
		{"from a.txtar#two", "3", ""},
		{"from a.txtar#three", "", "no such region"},
		{"from a.sql", "select 1;", ""},
		{"from a.sql#up", "select 1;", ""},
		{"from a.go#A", "", "no such region or declaration"},
		{"from a.go#torn", "", "no endsnippet"},
		{"from a.go#F:output", "", "has no output"},
		{"from a.go#T:value", "", "not one string"},
		{"from a.go#T:body", "", "is no function"},
		{"from a.sql#down", "", "no such region"},
		{"from b.go", "", "not exist"},
	} {
		got, err := snippet(tt.marker, read)
		if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s = %q, %v; want %q, %q", tt.marker, got, err, tt.want, tt.err)
		}
	}
}

func TestSnippetProblems(t *testing.T) {
	t.Parallel()
	read := func(string) ([]byte, error) { return []byte("package a\n\nfunc F() {}\n"), nil }
	for _, tt := range []struct{ name, text, want string }{
		{"equal", "<!-- from a.go#F -->\n```go\nfunc F() {}\n```", ""},
		{"different", "<!-- from a.go#F -->\n```go\nfunc G() {}\n```", "not what a.go#F says"},
		{"no source", "```go\nfunc F() {}\n```", "names no source"},
		{"a blank line after the marker", "<!-- from a.go#F -->\n\n```go\nfunc F() {}\n```", "names no source"},
		{"an unknown declaration", "<!-- from a.go#G -->\n```go\n```", "a.go#G"},
		{"a console without a folder", "```console\n$ ls\n```", "nowhere to run"},
		{"a console in another language", "<!-- run in . -->\n```sh\nls\n```", `"console"`},
		{"no language", "```\nx\n```", "unknown language"},
		{"JSON", "```json\n{\"a\": 1}\n```", ""},
		{"broken JSON", "```json\n{\"a\": 1,}\n```", "no JSON"},
		{"shell", "```sh\nls\n```", ""},
	} {
		problems, _ := snippetProblems(page{"a.md", strings.Split(tt.text, "\n")}, read)
		got := strings.Join(problems, "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: problems = %q, want %q", tt.name, got, tt.want)
		}
	}
}
