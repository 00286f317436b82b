package main

import (
	"strings"
	"testing"
)

func TestRunPrintsBothRankings(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(&out, "../testdata/tools.jsonl", "../testdata/queries.jsonl", "", 0); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"queries.jsonl: 76 queries", "bm25 alone", "ours alone"} {
		if !strings.Contains(out.String(), row) {
			t.Errorf("no %q in\n%s", row, out.String())
		}
	}
	if err := run(&out, "nowhere.jsonl", "", "", 0); err == nil {
		t.Error("a file that is not there was read")
	}
}
