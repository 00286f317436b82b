package editor

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// do applies steps: a letter is an action, quoted text is typed.
func do(e *Editor, steps ...string) *Editor {
	actions := map[string]func(){
		"left": e.Left, "right": e.Right, "home": e.Home, "end": e.End, "back": e.Backspace, "del": e.Delete, "wordleft": e.WordLeft,
		"wordright": e.WordRight, "killword": e.KillWordLeft, "killwordright": e.KillWordRight, "killleft": e.KillLeft, "killright": e.KillRight,
		"yank": e.Yank, "undo": e.Undo, "up": func() { e.Up() }, "down": func() { e.Down() }, "older": e.Older, "newer": e.Newer,
	}
	for _, s := range steps {
		if action, ok := actions[s]; ok {
			action()
			continue
		}
		for text := strings.TrimPrefix(s, "'"); text != ""; {
			c, _ := cells.First(text)
			e.Insert(c)
			text = text[len(c):]
		}
	}
	return e
}

func cursor(e *Editor) string { return e.text[:e.at] + "|" + e.text[e.at:] }

func TestEditing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		steps string
		want  string
	}{
		{"typing", "'hello", "hello|"},
		{"in the middle", "'helo left left 'l", "hel|lo"},
		{"a family is one character", "'a👨‍👩‍👧‍👦b left back", "a|b"},
		{"an accent belongs to its letter", "'e\u0301x left left", "|e\u0301x"},
		{"an accent typed later", "'xe left left right 'y right '\u0301", "xye\u0301|"},
		{"lines", "'ab\ncd home back", "ab|cd"},
		{"a joiner typed by itself", "'a👩 '\u200d '🚀 left", "a|👩\u200d🚀"},
		{"words", "'one,two wordleft killword", "|two"},
		{"words forward", "'one,two home wordright 'X", "oneX|,two"},
		{"kill and yank", "'one killleft yank yank", "oneone|"},
		{"kill a line break", "'a\nb up home end killright", "a|b"},
		{"undo takes typed text back at once", "'abc undo", "|"},
		{"undo goes on", "'abc back undo", "abc|"},
		{"up and down keep the column", "'abcd\na\nabcd left up up", "abc|d\na\nabcd"},
		{"history", "'draft older older older", "first|"},
		{"the draft comes back", "'draft older newer", "draft|"},
		{"delete", "'ab home del", "|b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := do(New([]string{"first", "second"}), strings.Split(test.steps, " ")...)
			if got := cursor(e); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestALongPasteStandsAsOneCharacter(t *testing.T) {
	t.Parallel()
	e := New(nil)
	long := strings.Repeat("line\r\n", 10) + "\x1b[31mend"
	e.Insert("see ")
	e.Paste(long)
	e.Insert("!")
	if got := e.Text(); got != "see [pasted text 1: 11 lines]!" {
		t.Errorf("shown as %q", got)
	}
	if got := e.Value(); got != "see "+strings.Repeat("line\n", 10)+"end!" {
		t.Errorf("the value is %q", got)
	}
	e.Left()
	e.Backspace()
	if got := e.Value(); got != "see !" {
		t.Errorf("without it: %q", got)
	}
	e.Paste("two\nlines")
	if got := e.Value(); got != "see two\nlines!" {
		t.Errorf("a short one: %q", got)
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	e := do(New(nil), "'one two three")
	l := e.Layout(8)
	if got := strings.Join(l.Rows, "|"); got != "one two |three" || l.Cursor != 1 || l.Before != "three" {
		t.Errorf("%q, cursor in %d behind %q", got, l.Cursor, l.Before)
	}
	e.Reset()
	do(e, "'abcdefgh")
	l = e.Layout(4)
	if got := strings.Join(l.Rows, "|"); got != "abcd|efgh|" || l.Cursor != 2 {
		t.Errorf("%q, cursor in %d", got, l.Cursor)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	e := do(New(nil), "'see @src/ma")
	if token, ok := e.Token('@'); !ok || token != "src/ma" {
		t.Errorf("%q, %v", token, ok)
	}
	e.Complete(len("src/ma"), "src/main.go ")
	if got := cursor(e); got != "see @src/main.go |" {
		t.Error(got)
	}
	if _, ok := e.Token('@'); ok {
		t.Error("a token behind a space")
	}
	e.Set(`line\`)
	if !e.EscapedNewline() || cursor(e) != "line\n|" {
		t.Error(cursor(e))
	}
}

func FuzzEditor(f *testing.F) {
	f.Add("abc 👨‍👩‍👧‍👦 e\u0301\nשלום\t日本", []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18})
	f.Fuzz(func(t *testing.T, text string, steps []byte) {
		e := New([]string{"one", "two\nthree"})
		names := []string{"left", "right", "home", "end", "back", "del", "wordleft", "wordright", "killword", "killwordright", "killleft", "killright", "yank", "undo", "up", "down", "older", "newer"}
		for i, s := range steps[:min(len(steps), 100)] {
			switch n := int(s) % (len(names) + 2); n {
			case len(names):
				e.Insert(text)
			case len(names) + 1:
				e.Paste(text + "\n\n\n\n\n" + text)
			default:
				do(e, names[n])
			}
			if e.at < 0 || e.at > len(e.text) {
				t.Fatalf("the cursor is at %d of %d", e.at, len(e.text))
			}
			width := 1 + i%40
			l := e.Layout(width)
			for _, r := range l.Rows {
				if cells.Width(r) > width && !strings.Contains(r, "[pasted") && cells.Width(r) > 8 {
					t.Fatalf("a row of %d cells for %d: %q", cells.Width(r), width, r)
				}
			}
			if l.Cursor >= len(l.Rows) {
				t.Fatal("the cursor is in no row")
			}
		}
	})
}
