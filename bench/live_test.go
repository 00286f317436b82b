package main

import (
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/bench/internal/liveload"
)

func TestOnlyOurTimesAreJudged(t *testing.T) {
	t.Parallel()
	quick, slow := liveload.Times{time.Millisecond, 2 * time.Millisecond, 30 * time.Millisecond}, liveload.Times{40 * time.Millisecond}
	tab := liveTable()
	tab.times("p50", 0.5, target{"≤", 2, " ms"}, quick, slow, slow)
	tab.times("slowest", 1, target{"≤", 2, " ms"}, quick, slow, slow)
	var text strings.Builder
	if err := tab.print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p50 2 ms 40 ms 40 ms ≤ 2 ms yes", "slowest 30 ms 40 ms 40 ms ≤ 2 ms no"} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), want) {
			t.Errorf("the table lacks %q:\n%s", want, &text)
		}
	}
}
