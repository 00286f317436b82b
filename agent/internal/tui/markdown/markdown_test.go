package markdown

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func sample(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/sample.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func plain(lines []cells.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	l := look.New(look.None, true)
	for _, width := range []int{20, 60, 100} {
		got := plain(Render(&l, width, sample(t)))
		file := filepath.Join("testdata", fmt.Sprintf("sample.%d.txt", width))
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("width %d: got\n%s\nwant\n%s", width, got, want)
		}
	}
}

// However the text arrives, the lines are those of the whole text, and none that was finished changes.
func TestTheLinesDoNotDependOnHowTheTextArrives(t *testing.T) {
	t.Parallel()
	l := look.New(look.Many, true)
	text := sample(t)
	want := Render(&l, 60, text)
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := New(&l, 60)
		var got []cells.Line
		for rest := text; rest != ""; {
			n := min(1+random.IntN(1+int(seed)*3), len(rest))
			s.Write(rest[:n])
			rest = rest[n:]
			got = append(got, s.Take()...)
			s.Tail()
		}
		s.Close()
		got = append(got, s.Take()...)
		if plain(got) != plain(want) {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, plain(got), plain(want))
		}
	}
}

// What is finished is on its way while the rest is still to come.
func TestLinesAreFinishedEarly(t *testing.T) {
	t.Parallel()
	l := look.New(look.None, true)
	for _, test := range []struct {
		name, text, finished, tail string
	}{
		{"a paragraph is open to its end", "one\ntwo", "", "one two\n"},
		{"a paragraph is finished by the next", "one\n\ntwo", "one\n", "\ntwo\n"},
		{"what may become a heading", "one\n--", "", "one\n"},
		{"items of a list but the last", "- a\n- b\n- c", "• a\n", "• b\n• c\n"},
		{"numbers go on", "1. a\n1. b\n1. c\n", "1. a\n2. b\n", "3. c\n"},
		{"lines of code", "```go\na\nb\nc", "```go\na\nb\n", "c\n"},
		{"a table is open", "|a|\n|-|\n|b|\n", "", "a\n─\nb\n"},
		{"unclosed emphasis", "a **b", "", "a **b\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := New(&l, 40)
			s.Write(test.text)
			if got := plain(s.Take()); got != test.finished {
				t.Errorf("finished %q, want %q", got, test.finished)
			}
			if got := plain(s.Tail()); got != test.tail {
				t.Errorf("open %q, want %q", got, test.tail)
			}
		})
	}
}

func TestNothingThatATerminalObeysComesThrough(t *testing.T) {
	t.Parallel()
	l := look.New(look.None, true)
	for _, text := range []string{
		"\x1b[31mred", "&#27;[31m", "&#x9b;31m", "`a\x1b[0m`", "[a](<\x1b]0;x\a>)", "[a](x&#27;y)", "```\x1b[2J\n\x1b[2J\n```\n", "<\x1b[2J>", "|\x1b|\n|-|\n|\x1b|\n",
		"a\u202eb", "    \x1b[2J", "> \x1b", "[x]: <a\x1bb>\n[x]", "\x07\x00\x7f",
	} {
		s := New(&l, 40)
		for i := range len(text) {
			s.Write(text[i : i+1])
		}
		all := plain(s.Tail())
		s.Close()
		all += plain(s.Take()) + plain(Render(&l, 40, text))
		if strings.ContainsAny(all, "\x1b\x07\x00\x7f\u009b\u202e") {
			t.Errorf("%q became %q", text, all)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add(sample(f), 30, uint64(1))
	f.Add("> > - 1. ```\n> x\n***\n| a |\n|---|\n[x]: y\n\n\n- \n", 3, uint64(2))
	l := look.New(look.None, true)
	f.Fuzz(func(t *testing.T, text string, width int, seed uint64) {
		width = min(max(width%200, 1), 200)
		random := rand.New(rand.NewPCG(seed, 1))
		s := New(&l, width)
		for rest := text; rest != ""; {
			n := min(1+random.IntN(50), len(rest))
			s.Write(rest[:n])
			rest = rest[n:]
			s.Tail()
		}
		s.Close()
		for _, line := range append(s.Take(), Render(&l, width, text)...) {
			if strings.ContainsAny(line.Plain(), "\n\r\x1b\t") {
				t.Errorf("a line %q", line.Plain())
			}
		}
	})
}

func BenchmarkStream(b *testing.B) {
	l := look.New(look.Many, true)
	text := sample(b)
	for b.Loop() {
		s := New(&l, 80)
		for i := 0; i < len(text); i += 4 {
			s.Write(text[i:min(i+4, len(text))])
			s.Take()
			s.Tail()
		}
		s.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(text)/4), "µs/token")
}
