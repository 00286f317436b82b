package repotest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goLine is the language version that all modules state: the oldest Go that builds them.
const goLine = "1.26.0"

// minReason is the length below which a reason is only a word.
const minReason = 20

// A modFile is what `go mod edit -json` says, as far as these tests ask.
type modFile struct {
	Module  struct{ Path string }
	Go      string
	Require []struct {
		Path     string
		Indirect bool
	}
}

func readModFile(t *testing.T, folder string) modFile {
	t.Helper()
	output, err := goCommand(folder, "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("go mod edit -json in %s: %v", folder, err)
	}
	var m modFile
	if err := json.Unmarshal(output, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// tableReasons reads the dependency table of ARCHITECTURE.md: module path → reason. Its rows stand under
// the heading "## Dependencies" and begin with the module's path in backquotes.
func tableReasons(markdown string) map[string]string {
	_, section, _ := strings.Cut(markdown, "\n## Dependencies\n")
	section, _, _ = strings.Cut(section, "\n## ")
	reasons := map[string]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 4 {
			continue
		}
		if path := strings.TrimSpace(cells[1]); strings.HasPrefix(path, "`") {
			reasons[strings.Trim(path, "`")] = strings.TrimSpace(cells[2])
		}
	}
	return reasons
}

// dependencyProblems compares the direct requirements with the table.
func dependencyProblems(direct []string, reasons map[string]string) []string {
	var problems []string
	for _, path := range direct {
		switch reason, ok := reasons[path]; {
		case !ok:
			problems = append(problems, fmt.Sprintf("go.mod requires %s, which the table does not name", path))
		case len(reason) < minReason:
			problems = append(problems, fmt.Sprintf("the table's reason for %s says too little: %q", path, reason))
		}
	}
	for path := range reasons {
		if !slices.Contains(direct, path) {
			problems = append(problems, fmt.Sprintf("the table names %s, which go.mod does not require directly", path))
		}
	}
	slices.Sort(problems)
	return problems
}

func TestDependenciesHaveReasons(t *testing.T) {
	t.Parallel()
	var direct []string
	for _, r := range readModFile(t, ".").Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	markdown, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	report(t, dependencyProblems(direct, tableReasons(string(markdown))),
		"every app links the root module's dependencies: use what is there, or name the module, its reason, "+
			"licence and size in the table of ARCHITECTURE.md ('go mod tidy' marks what is indirect)")
}

func TestGoLine(t *testing.T) {
	t.Parallel()
	for _, folder := range modules(t) {
		if m := readModFile(t, folder); m.Go != goLine {
			t.Errorf("%s says go %s; all modules say go %s, so that one toolchain builds them", m.Module.Path, m.Go, goLine)
		}
	}
}

func TestDependencyProblems(t *testing.T) {
	t.Parallel()
	const table = "# A\n\n## Dependencies\n\n| module | reason | licence |\n|---|---|---|\n" +
		"| `example.com/a` | does what we would do worse | MIT |\n| `example.com/b` | short | MIT |\n\n## Next\n\n| `example.com/c` | not in the section at all | MIT |\n"
	tests := []struct {
		name   string
		direct []string
		want   []string
	}{
		{"named, with too short a reason", []string{"example.com/a", "example.com/b"}, []string{"too little"}},
		{"not named", []string{"example.com/a", "example.com/b", "example.com/c"}, []string{"go.mod requires example.com/c", "too little"}},
		{"named for nothing", []string{"example.com/b"}, []string{"the table names example.com/a", "too little"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := dependencyProblems(test.direct, tableReasons(table))
			if len(got) != len(test.want) {
				t.Fatalf("problems = %q, want %q", got, test.want)
			}
			for i := range got {
				if !strings.Contains(got[i], test.want[i]) {
					t.Errorf("problem = %q, want %q", got[i], test.want[i])
				}
			}
		})
	}
}
