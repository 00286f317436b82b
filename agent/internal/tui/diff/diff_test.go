package diff

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

const change = `--- a/main.go
+++ b/main.go
@@ -9,3 +9,4 @@ func main() {
 	a()
-	b()
+	c()
+--- not a header, but a long line that has to be wrapped
 }
@@ -120 +121 @@
-x
+y
\ No newline at end of file
`

func plain(lines []cells.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

func TestRender(t *testing.T) {
	t.Parallel()
	l := look.New(look.None, true)
	want := `  9       a()
 10 -     b()
 10 +     c()
 11 + --- not a header, but a
      long line that has to be
      wrapped
 12   }
    ⋮
120 - x
121 + y
\ No newline at end of file
`
	if got := plain(Render(&l, 30, change)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if added, removed := Count(change); added != 3 || removed != 2 {
		t.Errorf("counted %d and %d", added, removed)
	}
	if got := plain(Render(&l, 30, "no difference\x1b[2J at all")); got != "no difference at all\n" {
		t.Errorf("got %q", got)
	}
}

func FuzzRender(f *testing.F) {
	f.Add(change, 20)
	f.Add("@@ -9999999999999,1 +-3 @@\n+\n", 1)
	l := look.New(look.Many, false)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = min(max(width, 1), 300)
		for _, line := range Render(&l, width, text) {
			if n := line.Width(); n > width {
				t.Errorf("%d cells for %d: %q", n, width, line.Plain())
			}
		}
	})
}
