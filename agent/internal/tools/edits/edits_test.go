package edits

import (
	"fmt"
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	t.Parallel()
	const program = "package p\n\nfunc a() {\n\tif x {\n\t\treturn\n\t}\n}\n\nfunc b() {\n\tif y {\n\t\treturn\n\t}\n}\n"
	for name, c := range map[string]struct {
		text  string
		edits []Edit
		want  string // "" when fails is set
		fails string
		how   string // of the first span
	}{
		"exact":              {text: program, edits: []Edit{{Old: "if x {", New: "if z {"}}, want: strings.Replace(program, "if x", "if z", 1)},
		"part of a line":     {text: "max = 10\n", edits: []Edit{{Old: "x = 1", New: "y = 2"}}, want: "may = 20\n"},
		"nothing for a line": {text: "a\nb\nc\n", edits: []Edit{{Old: "b\n", New: ""}}, want: "a\nc\n"},
		"twice":              {text: program, edits: []Edit{{Old: "return", New: "panic(1)"}}, fails: "found 2 times, on the lines 5, 11"},
		"twice, overlapping": {text: "aaa\n", edits: []Edit{{Old: "aa", New: "b"}}, fails: "found 2 times"},
		"all":                {text: program, edits: []Edit{{Old: "return", New: "break", All: true}}, want: strings.ReplaceAll(program, "return", "break")},
		"all of nothing":     {text: program, edits: []Edit{{Old: "goto", New: "break", All: true}}, fails: "not in the file"},
		"all is exact":       {text: "a “b”\n", edits: []Edit{{Old: `"b"`, New: "c", All: true}}, fails: "not in the file"},
		"inexact, and elsewhere at another depth": {text: "\tstep one\n\tstep two\n\t\tstep one\n\t\tstep two\n", edits: []Edit{{Old: "\tstep one \n\tstep two", New: "\tstep three"}}, fails: "found 2 times, on the lines 1, 3"},
		"two edits":                     {text: program, edits: []Edit{{Old: "if y", New: "if w"}, {Old: "if x", New: "if v"}}, want: strings.NewReplacer("if y", "if w", "if x", "if v").Replace(program)},
		"one of two fails":              {text: program, edits: []Edit{{Old: "if y", New: "if w"}, {Old: "if q", New: "if v"}}, fails: "edit 2 of 2: "},
		"edits that overlap":            {text: program, edits: []Edit{{Old: "if y {", New: "if w {"}, {Old: "y {\n\t\treturn", New: "v {"}}, fails: "edits 1 and 2 both change line 10"},
		"edits that touch":              {text: "ab\n", edits: []Edit{{Old: "a", New: "c"}, {Old: "b", New: "d"}}, want: "cd\n"},
		"same":                          {text: program, edits: []Edit{{Old: "if y", New: "if y"}}, fails: "are the same"},
		"empty":                         {text: program, edits: []Edit{{Old: "", New: "x"}}, fails: "the old text is empty"},
		"no edits":                      {text: program, fails: "no edits"},
		"made already":                  {text: program, edits: []Edit{{Old: "func c() {", New: "func b() {"}}, fails: "may have been made already"},
		"windows line ends":             {text: "a\r\nb\r\nc\r\n", edits: []Edit{{Old: "a\nb\n", New: "a\nx\ny\n"}}, want: "a\r\nx\r\ny\r\nc\r\n"},
		"windows line ends in the edit": {text: "a\nb\nc\n", edits: []Edit{{Old: "a\r\nb\r\n", New: "a\r\nx\r\n"}}, want: "a\nx\nc\n"},
		"mixed line ends stay":          {text: "a\r\nb\nc\r\nd\n", edits: []Edit{{Old: "a\nb\nc\nd", New: "a\nb\nx\nd"}}, want: "a\r\nb\nx\r\nd\n"},
		"a quote that begins with the end of a line": {text: "a\r\nb\r\n", edits: []Edit{{Old: "\nb", New: "\nc"}}, want: "a\r\nc\r\n"},
		"space at a line's end, missing":             {text: "a  \nb\nc\n", edits: []Edit{{Old: "a\nb", New: "a\nx"}}, want: "a  \nx\nc\n", how: "white space"},
		"space at a line's end, too much":            {text: "a\nb\nc\n", edits: []Edit{{Old: "a \t\nb ", New: "a\nx"}}, want: "a\nx\nc\n", how: "white space"},
		"a cut quote does not go on":                 {text: "foobar\nx\n", edits: []Edit{{Old: "foo ", New: "y"}}, fails: "not in the file"},
		"only white space":                           {text: "a\n\n\nb\n", edits: []Edit{{Old: "  \n", New: "c"}}, fails: "not in the file"},
		"typographic quotes in the file":             {text: "say “hi” to them\n", edits: []Edit{{Old: `say "hi" to`, New: `say "hello" to`}}, want: "say “hello” to them\n", how: "typographic"},
		"typographic quotes in the edit":             {text: "say \"hi\" – it's\n", edits: []Edit{{Old: `say “hi” — it’s`, New: `say “ho” — it’s`}}, want: "say \"ho\" – it's\n", how: "typographic"},
		"a hard space":                               {text: "10\u00a0km\n", edits: []Edit{{Old: "10 km", New: "12 km"}}, want: "12\u00a0km\n", how: "typographic"},
		"spaces for tabs": {
			text: program, edits: []Edit{{Old: "func b() {\n    if y {\n        return", New: "func b() {\n    if y {\n        x()\n        return"}},
			want: strings.Replace(program, "y {\n\t\t", "y {\n\t\tx()\n\t\t", 1), how: "tabs and spaces",
		},
		"tabs for spaces": {
			text: "def f():\n  if x:\n    y()\n", edits: []Edit{{Old: "\tif x:\n\t\ty()\n", New: "\tif x:\n\t\tz()\n\telse:\n\t\ty()\n"}},
			want: "def f():\n  if x:\n    z()\n  else:\n    y()\n", how: "tabs and spaces",
		},
		"without indentation": {
			text: program, edits: []Edit{{Old: "if y {\n\treturn\n}", New: "if y {\n\tif z {\n\t\treturn\n\t}\n}"}},
			want: strings.Replace(program, "\tif y {\n\t\treturn\n\t}\n", "\tif y {\n\t\tif z {\n\t\t\treturn\n\t\t}\n\t}\n", 1), how: "depth",
		},
		"a new line above a quote without indentation": {text: "a {\n\tbeta()\n}\n", edits: []Edit{{Old: "beta()\n", New: "c()\nbeta()\n"}}, want: "a {\n\tc()\n\tbeta()\n}\n", how: "depth"},
		"a new line below it":                          {text: "a {\n\tb()\n}\n", edits: []Edit{{Old: "b()", New: "b()\nc()"}}, fails: "without its indentation"},
		"a new line below it, indented":                {text: "a {\n\tb()\n}\n", edits: []Edit{{Old: "b()", New: "b()\n\tc()"}}, want: "a {\n\tb()\n\tc()\n}\n"},
		"the indentation of other edits": {
			text: program, edits: []Edit{{Old: "func a() {\n    if x {", New: "func a() {\n    if z {"}, {Old: "package p", New: "package p\n\nfunc c() {\n    d()\n}"}},
			want: strings.NewReplacer("package p", "package p\n\nfunc c() {\n\td()\n}", "if x", "if z").Replace(program),
		},
		"too far in":                     {text: "a:\n  b: 1\n  c: 2\n", edits: []Edit{{Old: "      b: 1\n      c: 2\n", New: "      b: 1\n      d: 3\n"}}, want: "a:\n  b: 1\n  d: 3\n", how: "depth"},
		"one line, too far in":           {text: "a:\n  beta: 1\n", edits: []Edit{{Old: "      beta: 1", New: "      beta: 2"}}, want: "a:\n  beta: 2\n", how: "depth"},
		"indented twice":                 {text: program, edits: []Edit{{Old: "  return\n  }", New: "  x()\n  }"}}, fails: "found 2 times, on the lines 5, 11"},
		"depth of new lines unknown":     {text: "\t\tif x {\n", edits: []Edit{{Old: "if x {", New: "if x {"}, {Old: " if x {\n", New: " if x {\n     y()\n"}}, fails: "are the same"},
		"depth as the file has it":       {text: "a {\n\t\tif x {\n\t\t}\n", edits: []Edit{{Old: "   if x {\n   }", New: "   if x {\n     y()\n   }"}}, want: "a {\n\t\tif x {\n\t\t\ty()\n\t\t}\n", how: "depth"},
		"depth cannot be derived":        {text: "a {\n\t\tif x {\n\t\t}\n", edits: []Edit{{Old: "   if x {\n   }", New: "   if x {\n       y()\n   }"}}, fails: "another indentation"},
		"irregular":                      {text: "a\n\t\tif x {\n   y\n\t}\n", edits: []Edit{{Old: "if x {\ny\n}", New: "if z {\ny\n}"}}, fails: "not in the file. The nearest lines are:\n2\t\t\tif x {\n3\t   y\n"},
		"nearest":                        {text: program, edits: []Edit{{Old: "func b(x int) {\n\tif y {", New: "z"}}, fails: "nearest lines are:\n9\tfunc b() {\n10\t\tif y {\n"},
		"nothing like it":                {text: program, edits: []Edit{{Old: "SELECT * FROM orders", New: "z"}}, fails: "nor anything like it"},
		"no final line break":            {text: "a\nb", edits: []Edit{{Old: "b\n", New: "c\n"}}, want: "a\nc"},
		"no final line break, elsewhere": {text: "b c\nb", edits: []Edit{{Old: "b\n", New: "c\n"}}, want: "b c\nc"},
		"no line break wanted":           {text: "ab\nb\n", edits: []Edit{{Old: "ab\nb\n", New: "ab\nc"}}, want: "ab\nc"},
		"line numbers":                   {text: program, edits: []Edit{{Old: "9\tfunc b() {\n10\t\tif y {", New: "9\tfunc c() {\n10\t\tif y {"}}, want: strings.Replace(program, "func b", "func c", 1), how: "line numbers"},
		"line numbers in the quote only": {text: program, edits: []Edit{{Old: "9\tfunc b() {\n10\t\tif y {", New: "func c() {\n\tif y {"}}, want: strings.Replace(program, "func b", "func c", 1), how: "line numbers"},
		"line numbers here and there":    {text: program, edits: []Edit{{Old: "9\tfunc b() {\n10\t\tif y {", New: "9\tfunc c() {\n\tif y {"}}, fails: "contain line numbers"},
		"a table with numbers":           {text: "1\tone\n2\ttwo\n", edits: []Edit{{Old: "1\tone\n2\ttwo", New: "1\tuno\n2\tdue"}}, want: "1\tuno\n2\tdue\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Apply(c.text, c.edits)
			switch {
			case c.fails != "":
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("Apply = %q, %v; want an error with %q", got.Text, err, c.fails)
				}
			case err != nil:
				t.Error(err)
			case got.Text != c.want:
				t.Errorf("Apply = %q\nwant    %q", got.Text, c.want)
			case !strings.Contains(got.Spans[0].How, c.how) || c.how == "" && got.Spans[0].How != "":
				t.Errorf("tolerated %q, want %q", got.Spans[0].How, c.how)
			}
		})
	}
}

// A large file with many quotes that are not exact must not take long.
func BenchmarkApply(b *testing.B) {
	var text strings.Builder
	var list []Edit
	for i := range 100_000 {
		fmt.Fprintf(&text, "\tline number %d of a large file\n", i)
		if i%1000 == 0 {
			list = append(list, Edit{Old: fmt.Sprintf("  line number %d of a large file", i), New: "  other"})
		}
	}
	for b.Loop() {
		if _, err := Apply(text.String(), list); err != nil {
			b.Fatal(err)
		}
	}
}
