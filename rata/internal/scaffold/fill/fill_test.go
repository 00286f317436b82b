package fill

import (
	"strings"
	"testing"
	"text/template"
)

func TestFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, text, want, problem string }{
		{"a.go", "package   {{.Name}}\nfunc  f( ){}", "package shop\n\nfunc f() {}", ""},
		{"a.js", "export   {{.Name}}", "export   shop", ""},
		{"a.go", "package {{.Name}} {", "", "template of a.go: "},
		{"a.js", "{{.Nothing}}", "", "template of a.js: "},
	} {
		parsed, err := template.New("x").Option("missingkey=error").Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := File(tt.file, parsed, map[string]string{"Name": "shop"})
		if strings.TrimSpace(string(got)) != tt.want || (err != nil) != (tt.problem != "") || err != nil && !strings.HasPrefix(err.Error(), tt.problem) {
			t.Errorf("%s of %q: %q, %v", tt.file, tt.text, got, err)
		}
	}
}
