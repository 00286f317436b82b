package clientconfig

import "testing"

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, word, posix, powershell string }{
		{"plain", "--transport", "--transport", "--transport"},
		{"path", "/usr/bin/crm", "/usr/bin/crm", "/usr/bin/crm"},
		{"windows path", `C:\Go\crm.exe`, `'C:\Go\crm.exe'`, `C:\Go\crm.exe`},
		{"space", "/my apps/crm", `'/my apps/crm'`, `'/my apps/crm'`},
		{"other letters", "/клиенты/crm", `'/клиенты/crm'`, `'/клиенты/crm'`},
		{"quote", "it's", `'it'\''s'`, `'it''s'`},
		{"typographic quote", "it’s", `'it’s'`, `'it’’s'`},
		{"empty", "", "''", "''"},
		{"tilde", "~/x", "'~/x'", "'~/x'"},
		{"expansions", "a=$(x) `y` %z% !w;|&", "'a=$(x) `y` %z% !w;|&'", "'a=$(x) `y` %z% !w;|&'"},
		{"line break", "a\nb", "'a\nb'", "'a\nb'"},
		{"json", `{"a":"b\\c"}`, `'{"a":"b\\c"}'`, `'{\"a\":\"b\\c\"}'`},
		{"backslash before a quote", `a\"`, `'a\"'`, `'a\\\"'`},
		{"backslash at the end", `C:\a b\`, `'C:\a b\'`, `'C:\a b\\'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for goos, want := range map[string]string{"linux": tt.posix, "darwin": tt.posix, "windows": tt.powershell} {
				if got := Quote(goos, []string{"x", tt.word}); got != "x "+want {
					t.Errorf("on %s: %s, want %s", goos, got, want)
				}
			}
		})
	}
}
