package repotest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// minPackageComment is the length below which a package comment can only repeat the name. The examples
// need a comment of any length: they look as somebody's app would.
const minPackageComment = 100

// badPackageComment says what a package lacks that consists of these files, or nothing. Folders that
// hold only tests need no comment: nobody imports them.
func badPackageComment(folder string, files []source) string {
	var comments []string
	name := ""
	for _, s := range files {
		if s.isTest() {
			continue
		}
		name = s.ast.Name.Name
		if s.ast.Doc != nil {
			comments = append(comments, strings.Join(strings.Fields(s.ast.Doc.Text()), " "))
		}
	}
	start := "Package " + name + " "
	if name == "main" {
		start = "Command "
	}
	switch {
	case name == "":
		return ""
	case len(comments) == 0:
		return fmt.Sprintf("%s: package %s has no package comment", folder, name)
	case len(comments) > 1:
		return fmt.Sprintf("%s: package %s has %d package comments; keep one", folder, name, len(comments))
	case !strings.HasPrefix(comments[0], start):
		return fmt.Sprintf("%s: the package comment begins with %.30q, not with %q", folder, comments[0], start)
	case len(comments[0]) < minPackageComment && !strings.HasPrefix(folder+"/", "examples/"):
		return fmt.Sprintf("%s: the package comment says too little: %q", folder, comments[0])
	}
	return ""
}

func TestPackageComments(t *testing.T) {
	t.Parallel()
	packages := map[string][]source{}
	for _, s := range sources(t) {
		packages[s.folder()] = append(packages[s.folder()], s)
	}
	var problems []string
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		if problem := badPackageComment(folder, packages[folder]); problem != "" {
			problems = append(problems, problem)
		}
	}
	report(t, problems, "say in one file what the package owns, what it promises and what it must not import")
}

func TestBadPackageComment(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(" and what it promises", 6)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"good", map[string]string{"a.go": "// Package a owns something" + long + ".\npackage a", "b.go": "package a"}, ""},
		{"good program", map[string]string{"a.go": "// Command a does something" + long + ".\npackage main"}, ""},
		{"tests only", map[string]string{"a_test.go": "package a"}, ""},
		{"none", map[string]string{"a.go": "package a"}, "no package comment"},
		{"only in a test", map[string]string{"a.go": "package a", "a_test.go": "// Package a owns" + long + ".\npackage a"}, "no package comment"},
		{"detached", map[string]string{"a.go": "// Package a owns" + long + ".\n\npackage a"}, "no package comment"},
		{"two", map[string]string{"a.go": "// Package a x.\npackage a", "b.go": "// Package a y.\npackage a"}, "2 package comments"},
		{"another name", map[string]string{"a.go": "// Package b owns something" + long + ".\npackage a"}, "begins with"},
		{"boilerplate", map[string]string{"a.go": "// Package a implements a.\npackage a"}, "too little"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var files []source
			for _, name := range slices.Sorted(maps.Keys(test.files)) {
				files = append(files, mustParse(t, name, test.files[name]))
			}
			got := badPackageComment("a", files)
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("badPackageComment = %q, want %q", got, test.want)
			}
		})
	}
}
