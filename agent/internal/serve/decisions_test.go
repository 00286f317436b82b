package serve_test

import (
	"fmt"
	"strings"
	"testing"
)

type decisions struct {
	Decisions []struct{ Title, Status, Date, Summary, Path, URI string }
	Total     int
	Problems  []struct{ Path, Problem string }
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	for i := range 30 {
		r.write(fmt.Sprintf("docs/decisions/%04d-a.md", i+1), fmt.Sprintf("---\nstatus: accepted\ndate: 2024-01-%02d\n---\n# Decision %d\n\nWe do %d.\n", i+1, i+1, i+1))
	}
	r.write("docs/adr/0001-a b%.md", "# Odd name\n\nDate: 2025-01-01\n")
	r.write("docs/adr/0002-bad.md", "")
	c := r.connect("")
	var got decisions
	text, isError := call(t, c, "elyra_decisions", nil, &got)
	if isError || got.Total != 31 || len(got.Decisions) != 20 || got.Decisions[0].Title != "Odd name" || got.Decisions[1].Title != "Decision 30" {
		t.Fatalf("%v %+v", isError, got)
	}
	has(t, text, "The newest 20 of 31 decisions", "- Decision 30 (2024-01-30 accepted)", "docs/adr/0002-bad.md: it is empty")
	read, err := c.Request(t.Context(), "resources/read", map[string]string{"uri": got.Decisions[0].URI})
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(read), "Odd name")
	got = decisions{}
	call(t, c, "elyra_decisions", map[string]any{"query": "DO 17", "limit": 5}, &got)
	if got.Total != 1 || got.Decisions[0].Title != "Decision 17" {
		t.Errorf("%+v", got)
	}
	text, _ = call(t, c, "elyra_decisions", map[string]any{"query": "nowhere"}, nil)
	has(t, text, `None of the project's 31 decisions has "nowhere" in it`)
	for _, limit := range []int{0, -1, 201} {
		if text, isError := call(t, c, "elyra_decisions", map[string]any{"limit": limit}, nil); !isError {
			t.Errorf("limit %d: %s", limit, text)
		}
	}
	text, isError = call(t, newRig(t, "").connect(""), "elyra_decisions", nil, nil)
	if isError || !strings.Contains(text, "no recorded decisions: there are none in docs/adr, docs/decisions, .elyra/decisions") {
		t.Errorf("%v %s", isError, text)
	}
}
