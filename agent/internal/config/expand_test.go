package config

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	x := expander{environment(map[string]string{"A": "a", "EMPTY": "", "DOLLAR": "${A}", "B": "b"}), "/w/p", "/home/u", "linux"}
	tests := []struct {
		text, want, err string
	}{
		{"plain $A $$ {A}", "plain $A $$ {A}", ""},
		{"${A}", "a", ""},
		{"x${A}y${B}z", "xaybz", ""},
		{"${env:A}", "a", ""},
		{"${EMPTY}", "", ""},
		{"${A:-d}", "a", ""},
		{"${EMPTY:-d}", "d", ""},
		{"${NONE:-}", "", ""},
		{"${NONE:-d e/:-}f", "d e/:-f", ""},
		{"${env:NONE:-d}", "d", ""},
		{"${NONE:-${A}}", "a", ""},
		{"${NONE:-{\"x\": ${NO:-{}}}}", "{\"x\": {}}", ""},
		{"${DOLLAR}", "${A}", ""}, // a value is not expanded again
		{"${workspaceFolder}/x", "/w/p/x", ""},
		{"${workspaceFolderBasename}", "p", ""},
		{"${userHome}${/}b${pathSeparator}", "/home/u/b/", ""},
		{"${A", "${A", ""},
		{"a${", "a${", ""},
		{"${NONE}", "", "the environment variable NONE is not set"},
		{"${env:NONE}", "", "the environment variable NONE is not set"},
		{"${}", "", "${} names no variable"},
		{"${input:key}", "", `it needs the input "key"`},
		{"${config:a.b}", "", "${config:a.b} is not known"},
		{"${A:?no}", "", "is not known"},
		{strings.Repeat("${NONE:-", 10) + strings.Repeat("}", 10), "", "deeper than 8 levels"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			got, _, err := x.expand(test.text)
			switch {
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("error %v, want %q", err, test.err)
			case test.err == "" && (err != nil || got != test.want):
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
	t.Run("no project", func(t *testing.T) {
		t.Parallel()
		if _, _, err := (expander{getenv: environment(nil)}).expand("${workspaceFolder}"); err == nil {
			t.Error("the folder of no project was expanded")
		}
	})
	t.Run("a bomb", func(t *testing.T) {
		t.Parallel()
		x := expander{getenv: environment(map[string]string{"A": strings.Repeat("a", 100_000)})}
		if out, _, err := x.expand(strings.Repeat("${A}", 100_000)); err == nil || len(out) > maxExpanded+200_000 {
			t.Errorf("%d bytes, %v", len(out), err)
		}
	})
	t.Run("Windows", func(t *testing.T) {
		t.Parallel()
		x := expander{getenv: environment(nil), goos: "windows"}
		if got, _, err := x.expand("a${/}b"); got != `a\b` || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "OPENAI_API_KEY": true, "apiKey": true, "X-Api-Key": true, "DB_PASSWORD": true, "GH_PAT": true,
		"AWS_SECRET_ACCESS_KEY": true, "Authorization": true, "PGPASS": false, "PATH": false, "KEYBOARD": false, "HOME": false,
		"DATABASE_URL": false, "MONKEYS": false, "COMPASS": false,
	} {
		if got := secretName(name); got != want {
			t.Errorf("secretName(%q) = %v", name, got)
		}
	}
	for value, want := range map[string]bool{
		"postgres://user:pass@host/db": true, "postgres://user@host/db": false, "https://h/x": false, "a:b@c": false, "": false,
	} {
		if got := (variable{"DATABASE_URL", value}).secret(); got != want {
			t.Errorf("secret of %q = %v", value, got)
		}
	}
}
