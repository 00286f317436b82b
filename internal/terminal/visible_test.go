package terminal

import "testing"

func TestVisibleShowsWhatATerminalWouldActUpon(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\tÄ 名 ✓":  "plain\n\tÄ 名 ✓",
		"\x1b[31m\r\x07":  `\u001b[31m\u000d\u0007`,
		"a\u202eb\u200bc": `a\u202eb\u200bc`,
		"\U000e0041":      `\udb40\udc41`,
		"\u00a0":          "\u00a0",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}
