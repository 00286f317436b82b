package highlight

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// marks shows styles as letters: <k:func>.
func marks(name string, lines ...string) string {
	l := look.Look{Keyword: "k", String: "s", Comment: "c", Number: "n", Name: "f"}
	code := New(name, &l)
	var b strings.Builder
	for _, text := range lines {
		for _, span := range code.Line(text) {
			if span.Style == "" {
				b.WriteString(span.Text)
			} else {
				b.WriteString("<" + string(span.Style) + ":" + span.Text + ">")
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		language, text, want string
	}{
		{"go", `func main() { x := "a\"b" // c`, `<k:func> <f:main>() { x := <s:"a\"b"> <c:// c>`},
		{"go", "a := `x\ny` + 1", "a := <s:`><s:x>\n<s:y`> + <n:1>"},
		{"go", "/* a\nb */ return 1.5", "<c:/*><c: a>\n<c:b */> <k:return> <n:1.5>"},
		{"python", "def f(): # x\n'''a\nb''' if", "<k:def> <f:f>(): <c:# x>\n<s:'''><s:a>\n<s:b'''> <k:if>"},
		{"sh", "echo ${#a} # b", "<k:echo> ${#a} <c:# b>"},
		{"json", `{"a": 1, "b": true}`, `{<s:"a">: <n:1>, <s:"b">: <k:true>}`},
		{"html", `<a href="x">`, `<<k:a> href=<s:"x">>`},
		{"nothing", `func "x"`, `func "x"`},
		{"go", `"open`, `<s:"open>`},
	} {
		if got := marks(test.language, strings.Split(test.text, "\n")...); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.language, got, test.want)
		}
	}
}

func FuzzTheTextStays(f *testing.F) {
	f.Add("go", "func `a\n*/ \"\\")
	f.Add("html", "<!-- ü </b")
	f.Fuzz(func(t *testing.T, language, text string) {
		l := look.New(look.Many, true)
		code := New(language, &l)
		for line := range strings.SplitSeq(text, "\n") {
			if got := code.Line(line).Plain(); got != line {
				t.Errorf("%q became %q", line, got)
			}
		}
	})
}
