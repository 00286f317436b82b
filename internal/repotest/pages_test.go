package repotest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the snippets of the documentation again from their sources")

// A page is one Markdown file.
type page struct {
	name  string // relative to the repository, with slashes
	lines []string
}

// A fence is one block of code on a page.
type fence struct {
	language string
	marker   string // the comment directly above it, such as "from examples/hello/main.go#build"; or ""
	open     int    // index of the line that opens it; the text is between it and end
	end      int
}

var (
	fenceLine  = regexp.MustCompile("^\\s*```+\\s*(\\S*)")
	markerLine = regexp.MustCompile(`^<!-- ((?:from|run in) .+?) -->$`)
)

// fences finds the blocks of a page.
func (p page) fences() (all []fence, problems []string) {
	open := -1
	for i, line := range p.lines {
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case m == nil:
		case open < 0:
			open = i
			f := fence{language: m[1], open: i}
			if i > 0 {
				if above := markerLine.FindStringSubmatch(p.lines[i-1]); above != nil {
					f.marker = above[1]
				}
			}
			if !strings.HasPrefix(line, "```") {
				problems = append(problems, fmt.Sprintf("%s:%d: an indented fence", p.name, i+1))
			}
			all = append(all, f)
		default:
			all[len(all)-1].end = i
			open = -1
		}
	}
	if open >= 0 {
		return all[:len(all)-1], append(problems, fmt.Sprintf("%s:%d: a fence without an end", p.name, open+1))
	}
	return all, problems
}

func (p page) text(f fence) string { return strings.Join(p.lines[f.open+1:f.end], "\n") }

func (p page) at(f fence) string { return fmt.Sprintf("%s:%d", p.name, f.open+1) }

// prose is the page without its blocks of code, which keep their lines.
func (p page) prose() []string {
	lines := slices.Clone(p.lines)
	all, _ := p.fences()
	for _, f := range all {
		for i := f.open; i <= f.end; i++ {
			lines[i] = ""
		}
	}
	return lines
}

// pages reads every Markdown file of the repository.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".md") {
			return
		}
		all = append(all, readPage(t, name))
	})
	if len(all) < 5 {
		t.Fatalf("found only %d Markdown files from %s", len(all), root)
	}
	return all
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return page{name, strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")}
}

// documentation reports whether a page tells users how to write an app: the README, and docs without
// the records of decisions.
func (p page) documentation() bool {
	return p.name == "README.md" || strings.HasPrefix(p.name, "docs/") && !strings.HasPrefix(p.name, "docs/decisions/")
}

// writing keeps tests that write the same page out of each other's way.
var writing sync.Mutex

// rewrite replaces the texts of some blocks, by their number on the page, in the page's file as it is now.
func (p page) rewrite(t *testing.T, texts map[int]string) {
	t.Helper()
	writing.Lock()
	defer writing.Unlock()
	p = readPage(t, p.name)
	all, _ := p.fences()
	for i, f := range slices.Backward(all) {
		if text, ok := texts[i]; ok {
			p.lines = slices.Concat(p.lines[:f.open+1], strings.Split(text, "\n"), p.lines[f.end:])
		}
	}
	if err := os.WriteFile(filepath.Join(root, p.name), []byte(strings.Join(p.lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFences(t *testing.T) {
	t.Parallel()
	p := page{"a.md", strings.Split("# A\n\n<!-- from x.go#F -->\n```go\nfunc F() {}\n```\n\n```sh\nls\n\nls\n```\n\n<!-- from y -->\n\n```sql\n```", "\n")}
	got, problems := p.fences()
	want := []fence{{"go", "from x.go#F", 3, 5}, {"sh", "", 7, 11}, {"sql", "", 15, 16}}
	if !slices.Equal(got, want) || len(problems) > 0 {
		t.Errorf("fences = %+v, %q, want %+v", got, problems, want)
	}
	if text := p.text(got[1]); text != "ls\n\nls" {
		t.Errorf("text = %q", text)
	}
	for _, text := range []string{"```go\nx", "- a\n  ```go\n  ```"} {
		if _, problems := (page{"a.md", strings.Split(text, "\n")}).fences(); len(problems) != 1 {
			t.Errorf("problems of %q = %q, want one", text, problems)
		}
	}
}
