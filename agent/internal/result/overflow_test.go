package result

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elyra-go/elyra/internal/mcp"
)

// cutsAreWhole checks that what is shown are whole lines of the file, but for lines that are over the limit.
func cutsAreWhole(t *testing.T, got Rendered, limit int) {
	t.Helper()
	data, err := os.ReadFile(got.Overflow)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Split(string(data), "\n")
	known := map[string]bool{}
	long := 0
	for _, line := range whole {
		known[line] = true
		if len(line)+noteBytes+len(got.Overflow)+64 > limit {
			long++
		}
	}
	notes := 0
	for _, line := range strings.Split(got.Text, "\n") {
		switch {
		case strings.HasSuffix(line, "the whole result is in "+got.Overflow+"]"):
			notes++
		case known[line]:
		case long > 0 && slices.ContainsFunc(whole, func(w string) bool { return strings.HasPrefix(w, line) || strings.HasSuffix(w, line) }):
		default:
			t.Errorf("%q is no line of the whole", line)
		}
	}
	if notes != 1 || !utf8.ValidString(got.Text) {
		t.Errorf("%d notes, valid %v", notes, utf8.ValidString(got.Text))
	}
}

func TestRender_overflow(t *testing.T) {
	t.Parallel()
	numbered := func(n, width int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%0*d\n", width, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text       string
		limits     Limits
		head, tail string // what is shown before and after the note, at its ends
		fits       bool
	}{
		"fits":                     {text: numbered(2000, 20), fits: true},
		"fits to the byte":         {text: strings.Repeat("x", 50<<10), fits: true},
		"a line too many":          {text: numbered(2001, 4), head: "0000\n", tail: "2000\n"},
		"a byte too many":          {text: numbered(100, 511) + "x", head: "00\n", tail: "99\nx"},
		"one long line":            {text: strings.Repeat("é", 40<<10), head: "é", tail: "é"},
		"one long line of emoji":   {text: strings.Repeat("👨\u200d👩\u200d👧", 5000), head: "👨\u200d👩\u200d👧", tail: "👨\u200d👩\u200d👧"},
		"a long line first":        {text: strings.Repeat("x", 60<<10) + "\nend\n", head: "x", tail: "end\n"},
		"a long line last":         {text: "begin\n" + strings.Repeat("x", 60<<10), head: "begin\n", tail: "x"},
		"lines that barely fit":    {text: strings.Repeat(strings.Repeat("x", 40<<10)+"\n", 3), head: "x\n"},
		"no line break at the end": {text: numbered(3000, 10) + "end", head: "0\n", tail: "end"},
		"two lines":                {text: numbered(10, 3), limits: Limits{Lines: 2}, head: "000\n"},
		"one line":                 {text: numbered(10, 3), limits: Limits{Lines: 1}, head: "000\n"},
		"only line breaks":         {text: strings.Repeat("\n", 5000) + "x", head: "\n", tail: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "results")
			got, err := Render(&mcp.CallToolResult{Content: []mcp.Content{mcp.Text(c.text)}}, Options{Limits: c.limits, Folder: folder})
			if err != nil {
				t.Fatal(err)
			}
			if c.fits {
				if got.Overflow != "" || got.Text != c.text {
					t.Errorf("%d bytes of %d", len(got.Text), len(c.text))
				}
				if _, err := os.Stat(folder); !os.IsNotExist(err) {
					t.Errorf("the folder was made: %v", err)
				}
				return
			}
			head, rest, found := strings.Cut(got.Text, "[")
			note, tail, ended := strings.Cut(rest, "]")
			if !found || !ended || !strings.Contains(note, got.Overflow) || got.Overflow == "" {
				t.Fatalf("no note in %q", got.Text)
			}
			if !strings.Contains(head, c.head) || !strings.HasSuffix(tail, c.tail) || (c.tail == "") != (strings.TrimSpace(tail) == "") {
				t.Errorf("head %q…, tail …%q", head[:min(len(head), 50)], tail[max(0, len(tail)-50):])
			}
			limits := Options{Limits: c.limits}.withDefaults().Limits
			if len(got.Text) > limits.Bytes || limits.Lines > 1 && CountLines(got.Text) > limits.Lines {
				t.Errorf("%d bytes, %d lines", len(got.Text), CountLines(got.Text))
			}
			cutsAreWhole(t, got, limits.Bytes)
			private(t, got.Overflow, folder, c.text)
		})
	}
}

// private checks that the file has the whole text and is for the user alone.
func private(t *testing.T, path, folder, text string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != text {
		t.Errorf("the file has %d bytes of %d: %v", len(data), len(text), err)
	}
	if runtime.GOOS == "windows" {
		return // Rights are inherited from the user's folder there.
	}
	for name, want := range map[string]os.FileMode{path: 0o600, folder: 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestRender_aFileThatCannotBeWrittenLosesNoResult(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("line\n", 3000)
	r := mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}, IsError: true}
	got, err := Render(&r, Options{Folder: filepath.Join(file, "below")})
	if err == nil || !got.IsError || got.Overflow != "" || !strings.Contains(got.Text, "could not be kept") || !strings.HasPrefix(got.Text, "line\n") {
		t.Errorf("%v, %q", err, got.Text[:100])
	}
	got, err = Render(&r, Options{})
	if err != nil || got.Overflow != "" || !strings.Contains(got.Text, "were not kept") {
		t.Errorf("%v, overflow %q", err, got.Overflow)
	}
}
