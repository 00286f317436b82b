package paint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// screen returns what a terminal shows, and what has scrolled out of it.
func screen(term *vt.Emulator) (above, shown []string) {
	row := func(at func(x int) string, width int) string {
		var b strings.Builder
		for x := range width {
			b.WriteString(at(x))
		}
		return strings.TrimRight(b.String(), " ")
	}
	for y := range term.ScrollbackLen() {
		above = append(above, row(func(x int) string {
			if c := term.ScrollbackCellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		}, term.Width()))
	}
	for y := range term.Height() {
		shown = append(shown, row(func(x int) string {
			if c := term.CellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		}, term.Width()))
	}
	return above, shown
}

func frame(lines ...string) Frame {
	f := Frame{Row: max(len(lines)-1, 0)}
	for _, l := range lines {
		f.Lines = append(f.Lines, cells.Line{{Text: l}})
	}
	return f
}

// Whatever is painted in whatever order, the terminal shows all finished lines, once and in order, and below them the live
// region.
func TestNothingIsLostOrShownTwice(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		height, width := 3+random.IntN(20), 10+random.IntN(30)
		term := vt.NewEmulator(width, height)
		p := New(term, width)
		if err := p.Paint(nil, Frame{}); err != nil {
			t.Fatal(err)
		}
		var all []string
		var f Frame
		for step := range 60 {
			var finished []string
			for range random.IntN(3) * random.IntN(2*height) {
				finished = append(finished, fmt.Sprint("line ", len(all)))
				all = append(all, finished[len(finished)-1])
			}
			var lines []string
			for i := range random.IntN(height) {
				lines = append(lines, strings.Repeat(string(rune('a'+random.IntN(3))), 1+i%width))
			}
			f = frame(lines...)
			if len(lines) > 0 {
				f.Row = random.IntN(len(lines))
				f.Before = cells.Line{{Text: lines[f.Row][:random.IntN(len(lines[f.Row]))]}}
			}
			if err := p.Paint(finished, f); err != nil {
				t.Fatal(err)
			}
			above, shown := screen(term)
			got := append(above, shown...)
			want := append([]string(nil), all...)
			for _, l := range f.Lines {
				want = append(want, l.Plain())
			}
			for len(got) > 0 && got[len(got)-1] == "" {
				got = got[:len(got)-1]
			}
			if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
				t.Fatalf("seed %d, step %d (%d×%d): the terminal shows\n%s\nwant\n%s", seed, step, width, height, a, b)
			}
			if at := term.CursorPosition(); at.X != f.Before.Width() {
				t.Fatalf("seed %d, step %d: the cursor is at %v behind %q", seed, step, at, f.Before.Plain())
			}
		}
	}
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := New(&out, 40)
	lines := []string{"first", "second", "third"}
	if err := p.Paint(nil, frame(lines...)); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := p.Paint(nil, frame(lines...)); err != nil || out.Len() > 0 {
		t.Errorf("the same again: %q, %v", out.String(), err)
	}
	lines[1] = "changed"
	if err := p.Paint(nil, frame(lines...)); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "changed") || strings.Contains(got, "first") || strings.Contains(got, "third") {
		t.Errorf("written: %q", got)
	}
}

func TestALongFinishedLineIsDividedByTheTerminal(t *testing.T) {
	t.Parallel()
	term := vt.NewEmulator(10, 6)
	p := New(term, 10)
	if err := p.Paint(nil, frame("old", "old line", "old line")); err != nil {
		t.Fatal(err)
	}
	if err := p.Paint([]string{"0123456789ab", "done"}, frame("live")); err != nil {
		t.Fatal(err)
	}
	_, shown := screen(term)
	if got := strings.Join(shown, "|"); got != "0123456789|ab|done|live||" {
		t.Errorf("got %q", got)
	}
}

func TestALineThatIsTooWideIsCut(t *testing.T) {
	t.Parallel()
	term := vt.NewEmulator(10, 5)
	p := New(term, 10)
	if err := p.Paint([]string{"done"}, frame("0123456789abcdef", "日本語日本語日本語", "end")); err != nil {
		t.Fatal(err)
	}
	_, shown := screen(term)
	if got := strings.Join(shown, "|"); got != "done|012345678…|日本語日…|end|" {
		t.Errorf("got %q", got)
	}
}
