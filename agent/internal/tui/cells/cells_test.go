package cells

import (
	"strings"
	"testing"
)

func TestWidthIsTheLargerOfTwoMeasures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":        0,
		"abc":     3,
		"日本":      4,
		"e\u0301": 1,
		"👍":       2,
		"👨‍👩‍👧‍👦": 8,
		"שלום":    4,
		"a\tb":    6,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text  string
		width       int
		first, rest string
		want        string
	}{
		{"fits", "one two", 10, "", "", "one two"},
		{"at a space", "one two three", 8, "", "", "one two|three"},
		{"the space at the edge goes", "one two three", 7, "", "", "one two|three"},
		{"several spaces", "one    two", 4, "", "", "one|two"},
		{"a long word", "abcdefgh", 3, "", "", "abc|def|gh"},
		{"a long word behind another", "a bcdefgh", 4, "", "", "a|bcde|fgh"},
		{"prefixes", "one two three", 9, "- ", "  ", "- one two|  three"},
		{"line breaks stay", "a\n\nb", 9, "> ", "> ", "> a|> |> b"},
		{"without spaces", "日本語日本語", 5, "", "", "日本|語日|本語"},
		{"nothing fits", "日", 1, "", "", ""},
		{"a prefix that is too wide", "ab", 2, "1234", "", "ab"},
		{"indentation stays", "    x", 10, "", "", "    x"},
		{"no break in indentation", "      abcdef", 8, "", "", "      ab|cdef"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, l := range Wrap(Style("").Text(test.text), test.width, Style("").Text(test.first), Style("").Text(test.rest)) {
				got = append(got, l.Plain())
			}
			if s := strings.Join(got, "|"); s != test.want {
				t.Errorf("got %q, want %q", s, test.want)
			}
		})
	}
}

func TestStylesSurviveWrapping(t *testing.T) {
	t.Parallel()
	lines := Wrap(Line{{"plain ", ""}, {"bold text", "1"}}, 10, nil, nil)
	want := "plain \x1b[1mbold\x1b[0m|\x1b[1mtext\x1b[0m"
	if got := lines[0].String() + "|" + lines[1].String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 4, "日…"}, {"abc", 0, ""}, {"abc", 1, "…"}} {
		if got := Cut(Style("").Text(test.text), test.width).Plain(); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
	if got := CutLeft("/home/someone/project", 10); got != "…e/project" {
		t.Errorf("CutLeft = %q", got)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two 日本 👨‍👩‍👧‍👦 e\u0301\nשלום\t x", 7, 2)
	f.Fuzz(func(t *testing.T, text string, width, indent int) {
		width, indent = width%100, indent%40
		if width < 0 || indent < 0 {
			return
		}
		prefix := Style("").Text(strings.Repeat(" ", indent))
		for _, l := range Wrap(Style("").Text(text), width, prefix, prefix) {
			if got := l.Width(); got > width {
				t.Errorf("a line of %d cells for %d: %q", got, width, l.Plain())
			}
		}
	})
}
