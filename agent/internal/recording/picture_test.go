package main

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

func TestPicture(t *testing.T) {
	t.Parallel()
	same := []run{{column: 2, width: 8, text: "a < b & c", fg: color.White, bold: true, italic: true}}
	text := picture([]frame{
		{rows: [][]run{same}, shown: time.Second},
		{rows: [][]run{same, {{column: 0, width: 4, text: "next", bg: color.Black}}}, shown: 4 * time.Second},
	})
	for parser := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := parser.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("it is no XML: %v\n%s", err, text)
		}
	}
	for what, count := range map[string]int{
		"a &lt; b &amp; c":     1, // A row is written once,
		`<use href="#r0"`:      2, // and shown in both frames.
		`<use href="#r1"`:      1,
		`class="b i"`:          1,
		"10.000%{":             1, // The second frame comes after one of ten seconds.
		"animation:film 10.0s": 1,
	} {
		if got := strings.Count(text, what); got != count {
			t.Errorf("%q is there %d times, want %d\n%s", what, got, count, text)
		}
	}
}

func TestRunsOfARow(t *testing.T) {
	t.Parallel()
	term := vt.NewEmulator(columns, rows)
	defer term.Close()
	if _, err := term.WriteString("\x1b[1mbold\x1b[0m plain 世界 \x1b[7mback\x1b[0m"); err != nil {
		t.Fatal(err)
	}
	got := runs(term, 0)
	if len(got) != 3 {
		t.Fatalf("%d runs, want 3: %+v", len(got), got)
	}
	if r := got[0]; r.text != "bold" || !r.bold || r.width != 4 {
		t.Errorf("the first run is %+v", r)
	}
	if r := got[1]; r.column != 4 || !strings.HasPrefix(r.text, " plain 世界") || r.bold {
		t.Errorf("the second run is %+v", r)
	}
	if r := got[2]; r.text != "back" || r.bg != ink || r.fg != ground || r.column != 16 {
		t.Errorf("the third run is %+v", r)
	}
}
