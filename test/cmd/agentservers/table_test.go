package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePageHasToSayWhatWasSeen(t *testing.T) {
	t.Parallel()
	rows := []row{
		{Server: "one", Version: "1.0", Transport: stdio, Protocol: "2026-07-28", Tools: 3, Kept: true, Call: "echo", Cancel: "–", Restart: "a read is repeated", Milliseconds: 300},
		{Server: "two", Version: "2.0", Transport: http, Protocol: "2025-11-25", Tools: 9, Call: "add", Cancel: "told, ended", Restart: "told, the next call works", Milliseconds: 900, Note: "it is slow"},
	}
	for name, tt := range map[string]struct {
		change func(rows []row) []row
		holds  bool
	}{
		"the same":         {func(rows []row) []row { return rows }, true},
		"another time":     {func(rows []row) []row { rows[0].Milliseconds = 4000; return rows }, true},
		"fewer tools":      {func(rows []row) []row { rows[1].Tools = 8; return rows }, false},
		"a process left":   {func(rows []row) []row { rows[0].Left = 1; return rows }, false},
		"a new version":    {func(rows []row) []row { rows[0].Version = "1.1"; return rows }, false},
		"a server less":    {func(rows []row) []row { return rows[:1] }, false},
		"too slow to tell": {func(rows []row) []row { rows[0].Milliseconds, rows[0].Protocol = 7000, "2025-11-25"; return rows }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "page.md")
			if err := os.WriteFile(path, []byte("# Before\n\n"+tableBegin+"stale\n"+tableEnd+"\nAfter\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := writeTable(path, rows); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil || !strings.HasPrefix(string(text), "# Before\n") || !strings.HasSuffix(string(text), "After\n") || strings.Contains(string(text), "stale") {
				t.Errorf("the page is %q, %v", text, err)
			}
			if err := compareTable(path, tt.change(append([]row(nil), rows...))); (err == nil) != tt.holds {
				t.Errorf("compared: %v", err)
			}
		})
	}
}
