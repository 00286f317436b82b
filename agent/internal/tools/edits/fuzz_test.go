package edits

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzApply: an edit of any text fails, or changes what its spans say and no other byte; a quote that stands exactly once is
// replaced exactly there.
func FuzzApply(f *testing.F) {
	f.Add("a\r\nb\n", "a\nb", "c", false)
	f.Add("\tif x {\n\t\ty()\n\t}\n", "    if x {\n        y()", "    if x {\n        z()", false)
	f.Add("say “hi”  \nto\n", "say \"hi\"\nto ", "say \"ho\"\nto", false)
	f.Add("x\ny", "1\tx\n2\ty\n", "z\n", true)
	f.Fuzz(func(t *testing.T, text, old, replacement string, all bool) {
		got, err := Apply(text, []Edit{{Old: old, New: replacement, All: all}})
		if err != nil {
			if got.Text != "" {
				t.Errorf("a text together with the error %v", err)
			}
			return
		}
		before, after := 0, 0
		for _, s := range got.Spans {
			if s.Start < before || s.End < s.Start || s.End > len(text) {
				t.Fatalf("span %d–%d in %d bytes", s.Start, s.End, len(text))
			}
			if kept := text[before:s.Start]; got.Text[after:after+len(kept)] != kept {
				t.Fatalf("before %d: %q became %q", s.Start, kept, got.Text[after:after+len(kept)])
			}
			after += s.Start - before
			if !strings.HasPrefix(got.Text[after:], s.New) {
				t.Fatalf("%q does not stand at %d of %q", s.New, after, got.Text)
			}
			before, after = s.End, after+len(s.New)
		}
		if got.Text[after:] != text[before:] {
			t.Fatalf("after %d: %q became %q", before, text[before:], got.Text[after:])
		}
		if !all && len(got.Spans) != 1 {
			t.Errorf("%d spans", len(got.Spans))
		}
		if s := got.Spans[0]; s.How == "" && unix(text[s.Start:s.End]) != strings.TrimSuffix(unix(old), "\n") && unix(text[s.Start:s.End]) != unix(old) {
			t.Errorf("%q was taken for %q", text[s.Start:s.End], old)
		}
	})
}

// FuzzApply_intended: a block among others like it, quoted with the mistakes of models, is changed where it is meant to be or
// not at all.
func FuzzApply_intended(f *testing.F) {
	f.Add(uint8(3), uint8(1), uint8(2), uint8(1), uint8(5), false)
	f.Add(uint8(9), uint8(4), uint8(3), uint8(2), uint8(0), true)
	f.Fuzz(func(t *testing.T, blocks, which, depth, lines, slips uint8, crlf bool) {
		count, d := 1+int(blocks)%12, int(depth)%4
		target := int(which) % count
		block := func(n int, mark string) string {
			var b strings.Builder
			indent := strings.Repeat("\t", (d+n)%4)
			fmt.Fprintf(&b, "%sif \"cond\" {\n", indent)
			for i := range 1 + int(lines)%4 {
				// Every second block has the same lines, so that many quotes are ambiguous.
				fmt.Fprintf(&b, "%s\tstep %d of %d%s\n", indent, i, n/2, mark)
			}
			fmt.Fprintf(&b, "%s}\n", indent)
			return b.String()
		}
		var text, want strings.Builder
		for n := range count {
			text.WriteString(block(n, ""))
			if n == target {
				want.WriteString(block(n, " changed"))
			} else {
				want.WriteString(block(n, ""))
			}
		}
		old, replacement := block(target, ""), block(target, " changed")
		for bit, slip := range []func(string) string{
			func(s string) string { return strings.ReplaceAll(s, "\t", "    ") },
			func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") },
			func(s string) string { return strings.ReplaceAll(s, `"cond"`, "“cond”") },
			func(s string) string { return strings.TrimSuffix(s, "\n") },
			func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			func(s string) string {
				indent, _ := cutIndent(s)
				return strings.ReplaceAll("\n"+s, "\n"+indent, "\n")[1:]
			},
		} {
			if slips&(1<<bit) != 0 {
				old, replacement = slip(old), slip(replacement)
			}
		}
		before, after := text.String(), want.String()
		if crlf {
			before, after = strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(after, "\n", "\r\n")
		}
		got, err := Apply(before, []Edit{{Old: old, New: replacement}})
		if err != nil || slips&(1<<5) != 0 && got.Spans[0].How == "" {
			return // Without its indentation, a quote may be exactly what stands elsewhere.
		}
		// What the new text says with trailing spaces or typographic marks is what the model wants.
		plain := func(s string) string { return viewOf(s, tolerance{trim: true, fold: true}).text }
		if plain(got.Text) != plain(after) {
			t.Errorf("applied wrongly:\n%q\nwant\n%q", plain(got.Text), plain(after))
		}
	})
}
